package dev.execserver.server.app;

import dev.execserver.protocol.app.CommandFamily;
import dev.execserver.protocol.app.CommandResizeParams;
import dev.execserver.protocol.app.CommandTerminateParams;
import dev.execserver.protocol.app.CommandWriteParams;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.InvalidBase64Exception;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.rpc.Answer;
import dev.execserver.server.rpc.FloorRule;
import dev.execserver.server.rpc.Method;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.rpc.Method.Work;
import java.util.List;
import java.util.Optional;

/**
 * The calls about a running command of one family: input, size, end. Input is queued on the reader thread, so that it
 * keeps the order of arrival.
 */
final class FollowUps {

    private final CommandFamily family;
    private final CommandWords words;
    private final String write;
    private final String resize;
    private final String terminate;

    /** @param write name of the method, like the next two */
    FollowUps(CommandFamily family, String write, String resize, String terminate) {
        this.family = family;
        this.words = CommandWords.of(family);
        this.write = write;
        this.resize = resize;
        this.terminate = terminate;
    }

    List<Method<?>> methods() {
        return List.of(
                AppRows.row(write, FloorRule.OWN, (params, _) -> CommandWriteParams.read(family, params), this::write),
                AppRows.row(
                        resize, FloorRule.OWN, (params, _) -> CommandResizeParams.read(family, params), this::resize),
                AppRows.row(
                        terminate,
                        FloorRule.OWN,
                        (params, dialect) -> CommandTerminateParams.read(family, params, dialect),
                        this::terminate));
    }

    private void checkGate(Call call, String method) {
        if (family == CommandFamily.SPAWN) {
            AppRows.requireExperimental(call, method);
        }
    }

    private Work write(Call call, CommandWriteParams params) {
        checkGate(call, write);
        if (params.delta().isEmpty() && !params.closeStdin()) {
            throw words.nothingToWrite();
        }
        Optional<byte[]> bytes = params.delta().map(FollowUps::bytes);
        Command command = AppRows.commands(call).require(family, params.id());
        command.write(bytes, params.closeStdin());
        return () -> {
            if (!command.process().awaitStarted()) {
                throw words.unknown(params.id());
            }
            return Answer.empty();
        };
    }

    private static byte[] bytes(Base64Data delta) {
        try {
            return delta.toByteArray();
        } catch (InvalidBase64Exception e) {
            throw RpcException.invalidParams("invalid deltaBase64: " + e.getMessage());
        }
    }

    private Work resize(Call call, CommandResizeParams params) {
        checkGate(call, resize);
        if (params.size().empty()) {
            throw words.emptySize();
        }
        Command command = AppRows.commands(call).require(family, params.id());
        return () -> {
            command.resize(params.id(), params.size());
            return Answer.empty();
        };
    }

    private Work terminate(Call call, CommandTerminateParams params) {
        checkGate(call, terminate);
        Command command = AppRows.commands(call).require(family, params.id());
        return () -> {
            command.terminate(params.graceMs().orElse(0));
            return Answer.empty();
        };
    }
}
