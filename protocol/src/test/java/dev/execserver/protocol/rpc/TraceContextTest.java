package dev.execserver.protocol.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";

    @Test
    void aRequestKeepsWhereItStandsInATrace() throws Exception {
        String message =
                "{\"id\":1,\"method\":\"m\",\"trace\":{\"traceparent\":\"00-%s-%s-01\",\"tracestate\":\"a=b\"}}"
                        .formatted(TRACE, SPAN);
        Request request = (Request) EnvelopeDecoder.decodeOfServer(message.getBytes(UTF_8));
        assertThat(request.trace()).contains(new TraceContext(TRACE, SPAN));
        assertThat(request.withoutParams().trace()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "ff-" + TRACE + "-" + SPAN + "-01",
                "00-" + TRACE + "-" + SPAN,
                "00-" + TRACE + "-" + SPAN + "-01-more",
                "00-00000000000000000000000000000000-" + SPAN + "-01",
                "00-" + TRACE + "-0000000000000000-01",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + SPAN + "-01"
            })
    void whatIsNotValidIsIgnored(String text) {
        assertThat(TraceContext.parse(text)).isEmpty();
    }

    @Test
    void aLaterVersionMayHaveMore() {
        assertThat(TraceContext.parse("01-" + TRACE + "-" + SPAN + "-01-more")).contains(new TraceContext(TRACE, SPAN));
    }
}
