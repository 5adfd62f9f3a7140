package dev.execserver.cli.client;

import dev.execserver.cli.Console;
import dev.execserver.client.error.ExecServerException;
import java.util.Optional;

/** Program that {@code run} has started, from its first output until it ends or is left. The main thread uses it. */
record ForegroundRun(
        RemoteHost host,
        RemoteTask task,
        RunRequest request,
        ServerTarget target,
        LocalTerminal local,
        Console console,
        boolean verbose) {

    /** @return the exit status */
    int relay(ExecPrompt prompt, Optional<Byte> prefix, RemoteHost.Connector connector) throws InterruptedException {
        OutputRelay relay = OutputRelay.of(task, local, console);
        // With a terminal, send HUP, as a terminal does when it goes away. Without one the signal was most likely
        // Ctrl-C.
        try (SignalRelay _ = SignalRelay.arm(task, relay, local, request.tty() ? "HUP" : "interrupt")) {
            return run(relay, prompt, prefix);
        } finally {
            local.restoreTerminal();
            if (relay.left() && request.tty()) {
                console.err().println(); // the line of the program is not ended
            }
            relay.sayLastWords();
            host.sessionId().ifPresent(session -> sayHowToGoOn(relay, session));
            if (relay.detached()) {
                keepRunning(connector);
            } else if (!relay.lostConnection()) {
                end(host, verbose, console);
            }
        }
    }

    private int run(OutputRelay relay, ExecPrompt prompt, Optional<Byte> prefix) throws InterruptedException {
        Optional<TerminalKeys> keys = Optional.empty();
        if (request.tty()) {
            local.enterRawMode();
            TerminalWatch.start(local, task);
        } else {
            host.connection(new LostLine(local, Optional.empty(), "", () -> 0));
        }
        if (request.input()) {
            prompt.forwarded();
            if (request.tty() && local.inputIsTerminal()) {
                keys = Optional.of(TerminalKeys.start(
                        host,
                        task,
                        relay,
                        local,
                        prefix,
                        !target.endsWithCommand(),
                        true,
                        Optional.of(prompt),
                        relay::inputFailed));
            } else {
                StdinPump.forwardAll(local, task, prompt, relay::inputFailed);
            }
        }
        int status = relay.run();
        keys.ifPresent(TerminalKeys::close);
        return status;
    }

    private void sayHowToGoOn(OutputRelay relay, String session) {
        String way = target.name().orElse(session);
        if (relay.mayGoOn() && !target.endsWithCommand()) {
            console.note("Should the program still run: exec-server attach " + way);
        } else if (relay.detached()) {
            console.note("left running; `exec-server attach %s` goes on with it, `exec-server kill %s` ends it"
                    .formatted(way, way));
        }
    }

    /** Lets the session live as long as the server allows, as if the program had been started without a client. */
    private void keepRunning(RemoteHost.Connector connector) throws InterruptedException {
        host.close();
        ServerTarget again = target.with(host.sessionId()).withTakeover().withLongSession();
        try (RemoteHost other = connector.connect(again)) {
            if (verbose) {
                console.note("session %s goes on".formatted(other.sessionId().orElse("none")));
            }
        } catch (ExecServerException e) {
            console.note(
                    "it goes on for the time that the server lets a session live without a client: " + e.getMessage());
        }
    }

    /**
     * Ends the session, because no client will come back for it. If the request fails, the session ends with its time
     * to live.
     */
    static void end(RemoteHost host, boolean verbose, Console console) throws InterruptedException {
        try {
            host.end();
        } catch (ExecServerException e) {
            if (verbose) {
                console.note("the session was not ended: " + e.getMessage());
            }
        }
    }
}
