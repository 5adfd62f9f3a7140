package dev.execserver.client.command;

import dev.execserver.client.files.TransferConnection;
import java.util.Optional;

/**
 * Runs commands to their end: over HTTP if the server offers that and the command can be said there, with
 * {@code process/start} otherwise. Thread-safe.
 */
public final class Commands {

    /** Name of the feature of servers that run commands over HTTP. */
    public static final String FEATURE = CommandByHttp.PATH;

    private final Optional<CommandByHttp> http;
    private final CommandByProcess processes;

    /** @param http connection of a server that offers {@link #FEATURE} */
    public Commands(Optional<TransferConnection> http, ProcessStarter starter) {
        this.http = http.map(CommandByHttp::new);
        this.processes = new CommandByProcess(starter);
    }

    public CommandResult run(CommandSpec command) throws InterruptedException {
        return http.isPresent() && CommandByHttp.suits(command) ? http.get().run(command) : processes.run(command);
    }
}
