package dev.execserver.server.names;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A query of RFC 1035 with one question, and the answers to it. Immutable.
 *
 * @param head everything up to the end of the question
 * @param name as it was asked, labels joined by dots
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record NameQuery(byte[] head, String name, int type, int kind) {
    /** Address records of IPv4. */
    static final int TYPE_A = 1;

    static final int NO_ERROR = 0;
    static final int SERVER_FAILURE = 2;
    static final int NO_SUCH_NAME = 3;
    static final int NOT_IMPLEMENTED = 4;
    static final int CLASS_INTERNET = 1;

    private static final int HEADER_BYTES = 12;
    private static final int MAX_LABEL = 63;
    private static final int OPCODE = 0x78;
    private static final int RESPONSE = 0x80;
    private static final int RECURSION_DESIRED = 1;
    private static final int RECURSION_AVAILABLE = 0x80;
    /** Seconds that an address may be kept. It stands for the name as long as the command runs. */
    private static final int SECONDS = 60;

    /** A pointer to the name in the question. */
    private static final int[] SAME_NAME = {0xc0, HEADER_BYTES};

    /** Returns the query; empty for one that has not exactly one question or cannot be read. */
    static Optional<NameQuery> read(byte[] data) {
        boolean query = data.length > HEADER_BYTES && (data[2] & RESPONSE) == 0;
        if (!query || data[4] != 0 || data[5] != 1) {
            return Optional.empty();
        }
        StringBuilder name = new StringBuilder();
        int at = HEADER_BYTES;
        while (data[at] != 0) {
            int length = data[at] & 0xff;
            if (length > MAX_LABEL || at + length + 1 >= data.length) {
                return Optional.empty();
            }
            name.append(name.isEmpty() ? "" : ".")
                    .append(new String(data, at + 1, length, StandardCharsets.ISO_8859_1));
            at += length + 1;
        }
        if (at + 5 > data.length) {
            return Optional.empty();
        }
        byte[] head = new byte[at + 5];
        System.arraycopy(data, 0, head, 0, head.length);
        int type = (data[at + 1] & 0xff) << 8 | data[at + 2] & 0xff;
        int kind = (data[at + 3] & 0xff) << 8 | data[at + 4] & 0xff;
        return Optional.of(new NameQuery(head, name.toString(), type, kind));
    }

    /** Returns true for the ordinary operation, QUERY. */
    boolean ordinary() {
        return (head[2] & OPCODE) == 0;
    }

    /** Returns an answer without records. */
    byte[] empty(int code) {
        return answer(code, 0).toByteArray();
    }

    /** Returns the answer with one address record of IPv4. */
    byte[] address(InetAddress address) {
        ByteArrayOutputStream out = answer(NO_ERROR, 1);
        out.write(SAME_NAME[0]);
        out.write(SAME_NAME[1]);
        out.writeBytes(new byte[] {0, TYPE_A, 0, CLASS_INTERNET, 0, 0, 0, SECONDS, 0, 4});
        out.writeBytes(address.getAddress());
        return out.toByteArray();
    }

    private ByteArrayOutputStream answer(int code, int records) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(head.length + 16);
        out.write(head[0]);
        out.write(head[1]);
        out.write(RESPONSE | head[2] & (OPCODE | RECURSION_DESIRED));
        out.write(RECURSION_AVAILABLE | code);
        out.writeBytes(new byte[] {0, 1, 0, (byte) records, 0, 0, 0, 0});
        out.write(head, HEADER_BYTES, head.length - HEADER_BYTES);
        return out;
    }
}
