package dev.execserver.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Keys of this program at the terminal of a remote one, and the line that tells about them while the connection is lost. The thread that
 * reads the terminal acts; what may take time has a thread of its own.
 */
final class TerminalKeys {
    /** Time for what was typed before the key. */
    private static final Duration LAST_INPUT = Duration.ofSeconds(2);

    private final LocalTerminal local;
    private final OutputRelay relay;
    private final RemoteEnd end;
    private final Optional<Byte> prefix;
    private final boolean leavable;
    private final TypedInput typed;
    private final LostLine line;

    private TerminalKeys(
            LocalTerminal local,
            RemoteTask task,
            OutputRelay relay,
            Optional<Byte> prefix,
            boolean leavable,
            TypedInput typed) {
        this.local = local;
        this.relay = relay;
        this.end = new RemoteEnd(task, relay, "HUP");
        this.prefix = prefix;
        this.leavable = leavable;
        this.typed = typed;
        this.line = new LostLine(
                local,
                Optional.of(task),
                prefix.map(key -> "; %s d leaves".formatted(EscapeKeys.name(key)))
                        .orElse(""),
                typed::waitingBytes);
    }

    /**
     * Begins to read keys for the program.
     *
     * @param leavable false if the server would end with this program
     * @param forwardsEnd true to tell the program when the terminal was closed
     */
    static TerminalKeys start(
            RemoteHost host,
            RemoteTask task,
            OutputRelay relay,
            LocalTerminal local,
            Optional<Byte> prefix,
            boolean leavable,
            boolean forwardsEnd,
            Optional<ExecPrompt> prompt,
            Consumer<IOException> failure) {
        TypedInput typed = TypedInput.to(task);
        TerminalKeys keys = new TerminalKeys(local, task, relay, prefix, leavable, typed);
        host.connection(keys.line);
        StdinPump.forwardKeys(local, typed, new EscapeKeys(prefix, keys::act), forwardsEnd, prompt, failure);
        return keys;
    }

    /** Takes the line away; for the end. */
    void close() {
        boolean _ = line.over();
    }

    /** Returns true if this side wants no more input. */
    private boolean act(EscapeKeys.Wish wish) {
        if (wish == EscapeKeys.Wish.QUIT) {
            CliThreads.daemon("run-quit", this::quit);
        } else if (wish == EscapeKeys.Wish.DETACH && leavable) {
            CliThreads.daemon("run-detach", this::detach);
        } else {
            prefix.ifPresent(key -> write("\r\n"
                    + (wish == EscapeKeys.Wish.HELP
                            ? EscapeKeys.help(key)
                            : "the server was started for this command and ends with it")
                    + "\r\n"));
            return false;
        }
        return true;
    }

    private void detach() {
        try {
            if (!line.down()) {
                typed.awaitSent(LAST_INPUT);
            }
            relay.detach();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void quit() {
        try {
            if (line.down() || !end.run(true)) {
                relay.giveUp("the server does not answer, so the program could not be ended");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(String text) {
        try {
            local.errors().write(text.getBytes(UTF_8));
            local.errors().flush();
        } catch (IOException e) {
            return; // the terminal is gone, and its input ends too
        }
    }
}
