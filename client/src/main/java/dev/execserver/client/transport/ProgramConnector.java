package dev.execserver.client.transport;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Starts a server for this client, which speaks over its standard streams. Its stderr is that of this JVM. */
public final class ProgramConnector implements Connector {

    private final List<String> argv;

    public ProgramConnector(List<String> argv) {
        this.argv = List.copyOf(argv);
    }

    @Override
    public ClientTransport open(Duration limit) throws IOException {
        return new ProgramTransport(new ProcessBuilder(argv)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Returns false: a second program would be another server. */
    @Override
    public boolean reconnectable() {
        return false;
    }

    @Override
    public String toString() {
        return argv.getFirst();
    }
}
