package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;

/** What Describe and Close name. */
public enum ObjectKind {
    STATEMENT('S'),
    PORTAL('P');

    private final byte code;

    ObjectKind(char code) {
        this.code = (byte) code;
    }

    /** The byte on the wire. */
    public byte code() {
        return code;
    }

    static ObjectKind read(BodyReader body) {
        byte code = body.int8();
        return switch (code) {
            case 'S' -> STATEMENT;
            case 'P' -> PORTAL;
            default -> throw body.malformed("there is no kind " + code);
        };
    }
}
