package dev.trunkline.proxy.net;

/**
 * What a channel's frames may look like.
 *
 * @param startup the next frame is a start-up packet: no type byte
 * @param maxBodyBytes greatest length field that is believed for a frame which must be held whole
 * @param fromServer the peer is a server: decides which types exist and which are streamed
 */
public record Framing(boolean startup, int maxBodyBytes, boolean fromServer) {

    /**
     * Before a client is authenticated: start-up packets may have 10,000 bytes as in PostgreSQL, a SASL or password
     * message 64 KiB.
     */
    public static final Framing CLIENT_STARTUP = new Framing(true, 10_000, false);

    /** A client that is authenticating. */
    public static final Framing CLIENT_LOGIN = new Framing(false, 65_536, false);

    /** A server, from its first answer on. */
    public static final Framing SERVER = new Framing(false, Integer.MAX_VALUE - 64, true);

    /** A client that is logged in. */
    public static Framing client(int maxBodyBytes) {
        return new Framing(false, maxBodyBytes, false);
    }

    boolean isKnown(byte type) {
        return fromServer ? isBackend(type) : isFrontend(type);
    }

    boolean isStreamed(byte type) {
        return type == 'd' || (fromServer && type == 'D');
    }

    private static boolean isFrontend(byte type) {
        return switch (type) {
            case 'Q', 'P', 'B', 'E', 'S', 'D', 'C', 'H', 'X', 'd', 'c', 'f', 'p', 'F' -> true;
            default -> false;
        };
    }

    private static boolean isBackend(byte type) {
        return switch (type) {
            case 'D',
                    'C',
                    'Z',
                    'T',
                    '1',
                    '2',
                    '3',
                    't',
                    'n',
                    's',
                    'I',
                    'E',
                    'N',
                    'S',
                    'A',
                    'R',
                    'K',
                    'v',
                    'd',
                    'c',
                    'G',
                    'H',
                    'W',
                    'V' -> true;
            default -> false;
        };
    }
}
