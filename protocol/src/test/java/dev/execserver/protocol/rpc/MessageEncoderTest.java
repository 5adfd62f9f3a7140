package dev.execserver.protocol.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.process.SandboxType;
import dev.execserver.protocol.process.StartResult;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MessageEncoderTest {

    private final MessageBuffer out = new MessageBuffer(0);

    @Test
    void aResponseStartsWithItsId() {
        MessageEncoder.response(out, RequestId.of(2), new StartResult("proc-1", SandboxType.NONE));
        assertThat(text()).isEqualTo("{\"id\":2,\"result\":{\"processId\":\"proc-1\",\"sandboxType\":\"none\"}}");
    }

    @Test
    void anErrorEndsWithItsId() {
        MessageEncoder.error(out, RequestId.of(14), RpcException.invalidRequest("process proc-1 already exists"));
        assertThat(text())
                .isEqualTo("{\"error\":{\"code\":-32600,\"message\":\"process proc-1 already exists\"},\"id\":14}");
    }

    @Test
    void idsKeepTheirType() {
        MessageEncoder.response(out, RequestId.of("-1\""), JsonWritable.EMPTY_OBJECT);
        assertThat(text()).isEqualTo("{\"id\":\"-1\\\"\",\"result\":{}}");
        out.reset();
        MessageEncoder.response(out, RequestId.of(Long.MAX_VALUE), JsonWritable.EMPTY_OBJECT);
        assertThat(text()).isEqualTo("{\"id\":9223372036854775807,\"result\":{}}");
    }

    @Test
    void theDataOfAnErrorIsAFlatObjectInTheOrderOfItsMaking() {
        RpcException error = RpcException.internal("open /x: No such file or directory (os error 2)")
                .withData("errno", 2)
                .withData("what", "program")
                .withData("path", "/\ud800x")
                .withData("retry", false);
        MessageEncoder.error(out, RequestId.MALFORMED, error);
        assertThat(text())
                .isEqualTo(
                        "{\"error\":{\"code\":-32603,\"message\":\"open /x: No such file or directory (os error 2)\","
                                + "\"data\":{\"errno\":2,\"what\":\"program\",\"path\":\"/\ufffdx\",\"retry\":false}},\"id\":-1}");
    }

    @Test
    void requestsAndNotificationsAreReadBack() throws Exception {
        MessageEncoder.request(out, RequestId.of("a"), "x/y", g -> g.writeNumber(5));
        assertThat(decoded()).isEqualTo(new Request(RequestId.of("a"), "x/y", JsonSlice.of("5"), 4));
        out.reset();
        MessageEncoder.notification(out, "initialized", JsonWritable.EMPTY_OBJECT);
        assertThat(text()).isEqualTo("{\"method\":\"initialized\",\"params\":{}}");
    }

    @Test
    void errorsOfOurOwnAreReadBack() throws Exception {
        MessageEncoder.error(
                out, RequestId.of(1), RpcException.methodNotFound("x").withData("a", true));
        ErrorResponse read = (ErrorResponse) decoded();
        assertThat(read.error().code()).isEqualTo(ErrorCodes.METHOD_NOT_FOUND);
        assertThat(read.error().message()).isEqualTo("exec-server stub does not implement `x` yet");
        assertThat(read.error().data()).contains(JsonSlice.of("{\"a\":true}"));
    }

    @Test
    void halfAPairNeverLeavesThroughTheGenerator() {
        MessageEncoder.notification(out, "m", g -> {
            g.writeStartObject();
            g.writeStringField("\udc00", "\ud800");
            g.writeEndObject();
        });
        assertThat(text()).isEqualTo("{\"method\":\"m\",\"params\":{\"\ufffd\":\"\ufffd\"}}");
    }

    private JsonRpcMessage decoded() throws MalformedMessageException {
        return EnvelopeDecoder.decode(out.array(), out.offset(), out.length());
    }

    private String text() {
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }
}
