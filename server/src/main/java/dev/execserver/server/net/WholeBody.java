package dev.execserver.server.net;

import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.memory.AnswerMemory;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.util.Arrays;

/** Reads a body for an answer in one message. Stateless; the request's thread waits here. */
public final class WholeBody {

    /** Largest body that is held in memory, in bytes. A longer one must be streamed. */
    static final int MAX_BYTES = 32 * 1024 * 1024;

    private static final int FIRST_BYTES = 16 * 1024;

    /** Bytes in the message for header fields of normal length. */
    private static final int HEADER_BYTES = 8 * 1024;

    private WholeBody() {}

    /**
     * Reads all bytes. Counts them in the memory of the answer.
     *
     * @throws RpcException -32603 if the body breaks, does not end in time or is too long
     */
    public static Base64Data read(HttpExchange.Response response, Deadline deadline, AnswerMemory memory)
            throws InterruptedException {
        long declared = response.headers().firstValueAsLong("content-length").orElse(FIRST_BYTES);
        byte[] bytes = new byte[0];
        int filled = 0;
        try {
            bytes = grown(bytes, (int) Math.clamp(declared, 1, MAX_BYTES), memory);
            byte[] chunk = new byte[BodyStream.CHUNK_BYTES];
            for (int count = response.body().read(chunk, deadline);
                    count >= 0;
                    count = response.body().read(chunk, deadline)) {
                if (filled + count > MAX_BYTES) {
                    throw tooLong();
                }
                if (filled + count > bytes.length) {
                    bytes = grown(bytes, Math.min(MAX_BYTES, 2 * (filled + count)), memory);
                }
                System.arraycopy(chunk, 0, bytes, filled, count);
                filled += count;
            }
            return Base64Data.ofBytes(bytes, 0, filled);
        } catch (IOException e) {
            throw RpcException.internal("failed to read http/request response body: error decoding response body", e)
                    .withData("reason", e instanceof HttpTimeoutException ? "timeout" : "failed")
                    .withData("detail", HttpExchange.detail(e));
        }
    }

    /**
     * Returns a longer array. Also takes the memory for the message, so that nothing has to be waited for once the body
     * is complete.
     */
    private static byte[] grown(byte[] bytes, int length, AnswerMemory memory) {
        memory.takeAhead(length - bytes.length + MessageBuffer.base64Length(length) + HEADER_BYTES);
        memory.reserve(length - bytes.length);
        return Arrays.copyOf(bytes, length);
    }

    private static RpcException tooLong() {
        return RpcException.internal("failed to read http/request response body: it has more than " + MAX_BYTES
                        + " bytes; ask for it with streamResponse")
                .withData("reason", "bodyTooLarge")
                .withData("limitBytes", MAX_BYTES);
    }
}
