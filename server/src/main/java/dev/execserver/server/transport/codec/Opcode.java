package dev.execserver.server.transport.codec;

/** Opcodes of RFC 6455 section 5.2. All others are reserved. */
public final class Opcode {
    public static final int CONTINUATION = 0x0;
    public static final int TEXT = 0x1;
    public static final int BINARY = 0x2;
    public static final int CLOSE = 0x8;
    public static final int PING = 0x9;
    public static final int PONG = 0xA;

    private Opcode() {}

    static boolean known(int opcode) {
        return opcode <= BINARY || opcode >= CLOSE && opcode <= PONG;
    }

    static boolean control(int opcode) {
        return opcode >= CLOSE;
    }
}
