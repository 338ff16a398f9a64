package dev.trunkline.proxy.net;

import dev.trunkline.protocol.backend.BackendType;
import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.protocol.frontend.FrontendType;

/**
 * What a channel's frames may look like. A length that no message of its type may have breaks the stream; one beyond
 * what a session takes is passed over.
 *
 * @param startup the next frame is a start-up packet: no type byte
 * @param fromServer the peer is a server: decides which types exist and which are streamed
 * @param possibleBodyBytes greatest body that is believed to be a message at all
 * @param heldBodyBytes greatest body of a frame that is held whole; a longer one is passed over and reported
 */
public record Framing(boolean startup, boolean fromServer, int possibleBodyBytes, int heldBodyBytes) {

    /** PostgreSQL's own limit for long messages: what it can allocate in one piece, less one byte. */
    private static final int LONGEST_BODY = 0x3fff_fffe - 4;

    /** What a message may grow by when it is sent on: the server's name of a statement stands for the client's. */
    private static final int REWRITING = 1_024;

    /** Before a client is authenticated: start-up packets may have 10,000 bytes as in PostgreSQL. */
    public static final Framing CLIENT_STARTUP = new Framing(true, false, 10_000, 10_000);

    /** A client that is authenticating: a SASL or password message has at most 64 KiB. */
    public static final Framing CLIENT_LOGIN = new Framing(false, false, 65_536, 65_536);

    /** A server, from its first answer on. */
    public static final Framing SERVER = new Framing(false, true, LONGEST_BODY, LONGEST_BODY);

    /**
     * A client that is logged in, whose messages may have this length; less where a message might not go to a server
     * under a longer name.
     */
    public static Framing client(int heldBodyBytes) {
        return new Framing(false, false, LONGEST_BODY, Math.min(heldBodyBytes, LONGEST_BODY - REWRITING));
    }

    boolean isStreamed(byte type) {
        return type == 'd' || (fromServer && type == 'D');
    }

    /**
     * The length of a body, from the header of its frame. Throws PgException 08P01 FATAL for a type or a length that
     * the peer cannot mean.
     */
    int bodyBytes(byte type, int length) {
        int body = length - 4;
        if (!startup && !fromServer) {
            body = FrontendType.bodyBytes(type, length);
        } else if (!startup && !isBackend(type)) {
            throw ProtocolErrors.unexpectedMessage(type);
        }
        if (length < 4 || body > possibleBodyBytes) {
            throw ProtocolErrors.invalidLength(name(type), length);
        }
        return body;
    }

    /** The name of a message in the manual. */
    String name(byte type) {
        if (startup) {
            return "StartupMessage";
        }
        return fromServer ? BackendType.name(type) : FrontendType.name(type);
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
                    'V' -> true;
            default -> false;
        };
    }
}
