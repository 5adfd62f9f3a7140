package dev.execserver.server.transport.grpc;

import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.memory.MemoryBudget;
import java.util.Map;

/**
 * Parts that all calls need.
 *
 * @param methods by path, {@code /package.Service/Method}
 * @param timers for deadlines
 * @param received share for unfinished messages
 */
public record GrpcServer(
        Map<String, GrpcMethod> methods, GrpcAdmission admission, Timers timers, MemoryBudget received) {
    public GrpcServer {
        methods = Map.copyOf(methods);
    }
}
