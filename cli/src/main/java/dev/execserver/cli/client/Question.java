package dev.execserver.cli.client;

import dev.execserver.client.error.ExecServerException;

/** Question to a server that needs a connection and no session: the session that comes with the connection ends with the answer. */
final class Question {
    private Question() {}

    /** Gives the answer, as an exit status. */
    @FunctionalInterface
    interface Work {
        int run(RemoteHost host) throws InterruptedException;
    }

    static int ask(RemoteHost.Connector connector, ServerTarget target, Work work) throws InterruptedException {
        try (RemoteHost host = connector.connect(target)) {
            try {
                return work.run(host);
            } finally {
                end(host);
            }
        }
    }

    /** Ends the session; a server that cannot do that ends it after its time to live. */
    static void end(RemoteHost host) throws InterruptedException {
        try {
            host.end();
        } catch (ExecServerException e) {
            return; // the answer is there
        }
    }
}
