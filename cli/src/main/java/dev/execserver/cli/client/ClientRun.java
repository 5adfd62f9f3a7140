package dev.execserver.cli.client;

import dev.execserver.cli.Console;
import dev.execserver.client.error.ConnectFailedException;
import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.ExecServerException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.protocol.text.VisibleText;
import java.net.ConnectException;

/** Runs a client command and turns errors into one line on stderr and an exit status. */
record ClientRun(RemoteHost.Connector connector, LocalTerminal local, Console console) {
    /** Text that servers send for an unknown session; there is no error code for it. */
    private static final String UNKNOWN_SESSION = "unknown session id";

    static Usage usage(String command) {
        return switch (command) {
            case ClientCommand.RUN -> RunCommand.USAGE;
            case ClientCommand.PS -> PsCommand.USAGE;
            case ClientCommand.KILL -> KillCommand.USAGE;
            case ClientCommand.ATTACH -> AttachCommand.USAGE;
            case ClientCommand.COPY -> CopyCommand.USAGE;
            case ClientCommand.LOGS -> LogsCommand.USAGE;
            case ClientCommand.WAIT -> WaitCommand.USAGE;
            default -> throw new IllegalArgumentException(command);
        };
    }

    /** @return the exit status */
    int run(String command, Arguments arguments) {
        ServerTarget.warnings(arguments, console.environment())
                .forEach(text -> console.err().println("Warning: " + VisibleText.of(text)));
        try {
            return dispatch(command, arguments);
        } catch (ConnectFailedException | ConnectionLostException e) {
            return fail(e.getMessage() + hint(e), ClientStatus.NO_CONNECTION);
        } catch (RequestFailedException e) {
            return fail(e.serverMessage(), ClientStatus.FAILURE);
        } catch (RpcException e) {
            return fail(e.message(), ClientStatus.FAILURE);
        } catch (ExecServerException e) {
            return fail(e.getMessage(), ClientStatus.FAILURE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ClientStatus.FAILURE;
        }
    }

    private int dispatch(String command, Arguments arguments) throws InterruptedException {
        return switch (command) {
            case ClientCommand.RUN -> RunCommand.run(arguments, connector, local, console);
            case ClientCommand.PS -> PsCommand.run(arguments, connector, console);
            case ClientCommand.KILL -> KillCommand.run(arguments, connector, console);
            case ClientCommand.ATTACH -> AttachCommand.run(arguments, connector, local, console);
            case ClientCommand.LOGS -> LogsCommand.run(arguments, connector, local, console);
            case ClientCommand.WAIT -> WaitCommand.run(arguments, connector, console);
            case ClientCommand.COPY -> CopyCommand.run(arguments, connector, local, console);
            default -> throw new IllegalArgumentException(command);
        };
    }

    private static String hint(ExecServerException failure) {
        return switch (failure.getCause()) {
            case RequestFailedException refused
            when refused.code() == ErrorCodes.ALREADY_ATTACHED -> "; --takeover takes the session and ends that client";
            case RequestFailedException refused
            when refused.serverMessage().startsWith(UNKNOWN_SESSION) ->
                "; it has ended: a session ends with its server, or its time to live after its last connection";
            case ConnectException _ ->
                "; does a server run there? It prints its URL when it starts: give that with --url or EXEC_SERVER_URL";
            case null, default -> "";
        };
    }

    private int fail(String message, int status) {
        console.error(message);
        return status;
    }
}
