package dev.execserver.client.command;

import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;

/** Starts processes in the client's session. */
@FunctionalInterface
public interface ProcessStarter {
    RemoteProcess start(ProcessSpec spec) throws InterruptedException;
}
