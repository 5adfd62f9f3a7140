package dev.execserver.client.rpc;

import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.session.InitializeResult;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Description of a server from its answer to {@code initialize}.
 *
 * @param sessionId empty for the first era, which has no sessions
 * @param environment empty for the first two eras
 * @param features names of the server's additions to the protocol
 * @param sessionTtl time for which the session outlives a connection, if it was asked for and granted
 */
public record InitializeAnswer(
        Optional<String> sessionId,
        Optional<EnvironmentInfo> environment,
        Set<String> features,
        Optional<Duration> sessionTtl) {

    public InitializeAnswer {
        features = Set.copyOf(features);
    }

    static InitializeAnswer read(JsonSlice result) {
        if (!hasSessionId(result)) {
            return new InitializeAnswer(Optional.empty(), Optional.empty(), Set.of(), Optional.empty());
        }
        InitializeResult answer = InitializeResult.read(result, Dialect.OPEN);
        Optional<Duration> ttl = answer.sessionTtlMs().isPresent()
                ? Optional.of(Duration.ofMillis(answer.sessionTtlMs().getAsLong()))
                : Optional.empty();
        return new InitializeAnswer(
                Optional.of(answer.sessionId()), answer.environmentInfo(), Set.copyOf(answer.features()), ttl);
    }

    private static boolean hasSessionId(JsonSlice result) {
        if (result.isNull()) {
            return false;
        }
        ParamsReader in = ParamsReader.of(result, "InitializeResponse");
        boolean present = false;
        while (in.next()) {
            if (in.name().equals("sessionId")) {
                present = in.stringOrNull().isPresent();
            }
        }
        return present;
    }
}
