package dev.execserver.server.app;

import dev.execserver.protocol.app.CommandFamily;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RpcException;
import java.nio.charset.StandardCharsets;

/** Error texts of one family of commands, in the words of the reference server. */
enum CommandWords {
    COMMAND("command/exec", "command/exec process id", "active command/exec for process id", "command"),
    SPAWN("process", "process handle", "active process for process handle", "process");

    private final String subject;
    private final String idName;
    private final String active;
    private final String spawned;

    CommandWords(String subject, String idName, String active, String spawned) {
        this.subject = subject;
        this.idName = idName;
        this.active = active;
        this.spawned = spawned;
    }

    static CommandWords of(CommandFamily family) {
        return switch (family) {
            case COMMAND -> COMMAND;
            case SPAWN -> SPAWN;
        };
    }

    RpcException duplicate(String id) {
        return RpcException.invalidRequest("duplicate active " + idName + ": " + quoted(id));
    }

    RpcException unknown(String id) {
        return RpcException.invalidRequest("no " + active + " " + quoted(id));
    }

    RpcException noStdin() {
        return RpcException.invalidRequest("stdin streaming is not enabled for this " + subject);
    }

    RpcException stdinClosed() {
        return RpcException.invalidRequest("stdin is already closed");
    }

    RpcException stdinFull() {
        return RpcException.invalidRequest("stdin queue is full");
    }

    RpcException nothingToWrite() {
        String method = this == COMMAND ? "command/exec/write" : "process/writeStdin";
        return RpcException.invalidParams(method + " requires deltaBase64 or closeStdin");
    }

    RpcException noTerminal() {
        return RpcException.invalidRequest("failed to resize PTY: process is not attached to a PTY");
    }

    RpcException ended(String id) {
        return RpcException.invalidRequest(subject + " " + quoted(id) + " is no longer running");
    }

    RpcException emptySize() {
        return RpcException.invalidParams(subject + " size rows and cols must be greater than 0");
    }

    RpcException notStarted(String why) {
        return RpcException.internal("failed to spawn " + spawned + ": " + why);
    }

    /** Returns the id as a JSON string. */
    private static String quoted(String id) {
        MessageBuffer out = new MessageBuffer();
        out.string(id);
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }
}
