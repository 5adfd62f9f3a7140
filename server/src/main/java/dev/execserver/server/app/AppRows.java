package dev.execserver.server.app;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.rpc.AppClient;
import dev.execserver.server.rpc.AppErrors;
import dev.execserver.server.rpc.FloorRule;
import dev.execserver.server.rpc.Method;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.rpc.MethodFamily;
import java.util.Optional;
import java.util.function.BiFunction;

/** Makes the methods of the app-server dialect, and what their calls have in common. Stateless. */
final class AppRows {

    /** Descriptors of a command: as for a sandboxed {@code process/start} with a network proxy. */
    static final int FOR_COMMAND = 26;

    private AppRows() {}

    /** Makes a method, whose calls never wait for others. */
    static <P> Method<P> row(
            String name, FloorRule floor, BiFunction<JsonSlice, Dialect, P> decoder, Method.Handler<P> handler) {
        return Method.control(
                name, MethodFamily.COMMAND, floor, (params, dialect) -> decoded(params, dialect, decoder), handler);
    }

    private static <P> P decoded(JsonSlice params, Dialect dialect, BiFunction<JsonSlice, Dialect, P> decoder) {
        try {
            if (params.isNull()) {
                throw ParamsReader.missing("params");
            }
            return decoder.apply(params, dialect);
        } catch (RpcException e) {
            throw AppErrors.shape(e);
        }
    }

    static AppClient client(Call call) {
        return call.connection().appClient().orElseThrow(() -> new IllegalStateException("not of this dialect"));
    }

    /** Returns the commands of the connection. Reader thread only. */
    static Commands commands(Call call) {
        return call.connection().belonging(Commands.class, Commands::new);
    }

    /** @throws RpcException -32600 if the client may not use experimental methods and members */
    static void requireExperimental(Call call, String what) {
        if (!client(call).experimental()) {
            throw RpcException.invalidRequest(what + " requires experimentalApi capability");
        }
    }

    /** Returns the receiver of a command's output, if the client wants any. */
    static Optional<CommandOutput> output(Call call, CommandSpec spec) {
        boolean wanted = spec.streamOutput() && client(call).wants(spec.family().outputDelta());
        return wanted
                ? spec.id().map(id -> new DeltaSender(call.connection().outbound(), spec.family(), id, call::gone))
                : Optional.empty();
    }

    /** Returns true if nobody waits for the end of a command any more. */
    static boolean gone(Call call) {
        return call.gone() || call.session().ended();
    }
}
