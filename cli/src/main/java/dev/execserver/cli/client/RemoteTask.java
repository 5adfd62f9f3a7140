package dev.execserver.cli.client;

import dev.execserver.client.process.ProcessEvent;
import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;
import java.util.Optional;

/** Process on the server, as the commands need it. Errors are those of the client module. */
interface RemoteTask {
    String id();

    /** Waits for the next event; empty after the last one. */
    Optional<ProcessEvent> nextEvent() throws InterruptedException;

    void write(byte[] bytes) throws InterruptedException;

    void closeStdin() throws InterruptedException;

    void resize(WindowSize size) throws InterruptedException;

    void signal(String name) throws InterruptedException;

    /** Kills the whole process tree at once. */
    void terminate() throws InterruptedException;

    /** Lets the process run and ends its events here. */
    void detach();
}
