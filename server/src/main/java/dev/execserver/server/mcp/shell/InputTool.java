package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.process.WriteStatus;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.process.ManagedProcess;
import dev.execserver.server.process.Signals;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Sends text, keys and the end of input to a command in the background. The thread of the call uses it; stateless. */
final class InputTool {
    private InputTool() {}

    static JsonWritable run(BackgroundCommand command, InputArguments input) {
        ManagedProcess process = command.running().process();
        input.text().ifPresent(text -> write(command, text));
        for (String key : input.keys()) {
            press(command, process, key);
        }
        if (input.eof()) {
            require(command, process.closeStdin());
        }
        return g -> {
            g.writeStartObject();
            command.writeState(g);
            g.writeEndObject();
        };
    }

    private static void press(BackgroundCommand command, ManagedProcess process, String key) {
        if (command.spec().tty()) {
            write(command, Keys.onTerminal(key));
        } else if (Keys.signal(key).isPresent()) {
            process.signal(Signals.number(Keys.signal(key).get()), false);
        } else if (Keys.endsInput(key)) {
            require(command, process.closeStdin());
        } else {
            write(command, Keys.onPipe(key));
        }
    }

    private static void write(BackgroundCommand command, String text) {
        require(command, command.running().process().write(text.getBytes(StandardCharsets.UTF_8), Optional.empty()));
    }

    private static void require(BackgroundCommand command, WriteStatus status) {
        if (status != WriteStatus.ACCEPTED) {
            throw RpcException.invalidParams("command " + command.spec().id()
                    + (command.ended() ? " has ended" : " takes no more input: its input was ended"));
        }
    }
}
