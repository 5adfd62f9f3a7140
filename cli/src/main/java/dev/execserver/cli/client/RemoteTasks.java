package dev.execserver.cli.client;

import dev.execserver.client.process.ProcessEvent;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;
import java.util.Optional;

/** Process of a real server. */
record RemoteTasks(RemoteProcess process) implements RemoteTask {
    @Override
    public String id() {
        return process.id();
    }

    @Override
    public Optional<ProcessEvent> nextEvent() throws InterruptedException {
        return process.nextEvent();
    }

    @Override
    public void write(byte[] bytes) throws InterruptedException {
        process.write(bytes);
    }

    @Override
    public void closeStdin() throws InterruptedException {
        process.closeStdin();
    }

    @Override
    public void resize(WindowSize size) throws InterruptedException {
        process.resize(size.columns(), size.rows());
    }

    @Override
    public void signal(String name) throws InterruptedException {
        process.signal(name);
    }

    @Override
    public void terminate() throws InterruptedException {
        boolean _ = process.terminate();
    }

    @Override
    public void detach() {
        long _ = process.detach();
    }
}
