package dev.execserver.client.transport;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Starts a server for this client, which speaks over its standard streams. Its stderr is that of this JVM. */
public final class ProgramConnector implements Connector {

    private final String name;
    private final List<String> argv;

    /** @param name for messages */
    public ProgramConnector(String name, List<String> argv) {
        this.name = name;
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
        return name;
    }
}
