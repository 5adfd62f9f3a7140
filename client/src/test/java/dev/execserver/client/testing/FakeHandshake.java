package dev.execserver.client.testing;

import dev.execserver.protocol.environment.Capabilities;
import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.environment.ShellInfo;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.protocol.session.InitializeParams;
import dev.execserver.protocol.session.InitializeResult;
import java.util.List;
import java.util.Optional;

/** Answers of the eras to {@code initialize}. */
final class FakeHandshake {

    private static final EnvironmentInfo INFO = new EnvironmentInfo(
            new ShellInfo("bash", "/bin/bash"),
            "0.169.0",
            Optional.empty(),
            Optional.of(PathUri.ofNative("/srv")),
            Optional.empty(),
            Optional.of("linux"),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Capabilities.NONE);

    private FakeHandshake() {}

    static JsonWritable initialize(FakeServer server, FakeTransport transport, JsonSlice slice) {
        InitializeParams params = InitializeParams.read(slice, Dialect.OPEN);
        if (server.era() != Era.A && params.resumeSessionId().isPresent()) {
            resumable(server, params);
        }
        server.attach(transport);
        return switch (server.era()) {
            case A -> JsonWritable.EMPTY_OBJECT;
            case B -> new InitializeResult(server.sessionId(), Optional.empty(), List.of());
            case C -> new InitializeResult(server.sessionId(), Optional.of(INFO), List.of());
            case OURS ->
                new InitializeResult(server.sessionId(), Optional.of(INFO), server.features(), params.sessionTtlMs());
        };
    }

    private static void resumable(FakeServer server, InitializeParams params) {
        String id = params.resumeSessionId().orElseThrow();
        if (!id.equals(server.sessionId())) {
            throw RpcException.invalidRequest("unknown session id " + id);
        }
        if (server.takeBusy()) {
            int code = server.era() == Era.B ? ErrorCodes.INVALID_REQUEST : ErrorCodes.ALREADY_ATTACHED;
            throw RpcException.of(code, "session " + id + " is already attached to another connection");
        }
    }
}
