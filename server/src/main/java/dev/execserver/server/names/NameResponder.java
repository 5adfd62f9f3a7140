package dev.execserver.server.names;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.linux.UdpCalls;
import dev.execserver.sandbox.linux.UdpCalls.Datagram;
import dev.execserver.server.concurrent.Threads;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.Function;

/**
 * Answers the name queries that one command sends to its name servers. Lives until the socket is closed, which it owns. One virtual
 * thread; no state.
 */
public final class NameResponder implements AutoCloseable {
    private final AsyncFd socket;
    private final Function<String, Answer> names;

    /** The answer about a name. */
    public sealed interface Answer {
        /** The name has this address and no other. */
        record Found(InetAddress address) implements Answer {}

        /** There is no such name. */
        record Unknown() implements Answer {}

        /** There may be one, but not now. */
        record Failure() implements Answer {}
    }

    private NameResponder(AsyncFd socket, Function<String, Answer> names) {
        this.socket = socket;
        this.names = names;
    }

    /** Takes over the socket and begins to answer. @param names does not wait */
    public static NameResponder open(AsyncFd socket, Function<String, Answer> names) {
        NameResponder responder = new NameResponder(socket, names);
        Threads.virtual("name-responder", responder::serve);
        return responder;
    }

    private void serve() {
        try {
            boolean _ = socket.use(fd -> {
                UdpCalls.askForDestinations(fd);
                return true;
            });
            while (true) {
                Optional<Datagram> asked = socket.use(UdpCalls::receive);
                if (asked.isEmpty()) {
                    socket.awaitReadable();
                } else {
                    answer(asked.get());
                    Thread.yield(); // a command that asks without a pause must not keep a carrier thread
                }
            }
        } catch (ClosedException e) {
            // the command has ended
        }
    }

    private void answer(Datagram asked) {
        reply(asked.data(), names)
                .ifPresent(data ->
                        socket.use(fd -> UdpCalls.send(fd, asked.reply(data)))); // false: lost, as a datagram may be
    }

    /** Returns the reply to a query; empty for what is none. */
    static Optional<byte[]> reply(byte[] data, Function<String, Answer> names) {
        return NameQuery.read(data).map(query -> reply(query, names));
    }

    private static byte[] reply(NameQuery query, Function<String, Answer> names) {
        if (!query.ordinary() || query.kind() != NameQuery.CLASS_INTERNET) {
            return query.empty(NameQuery.NOT_IMPLEMENTED);
        }
        return switch (names.apply(query.name())) {
            case Answer.Found(InetAddress address) ->
                query.type() == NameQuery.TYPE_A ? query.address(address) : query.empty(NameQuery.NO_ERROR);
            case Answer.Unknown() -> query.empty(NameQuery.NO_SUCH_NAME);
            case Answer.Failure() -> query.empty(NameQuery.SERVER_FAILURE);
        };
    }

    @Override
    public void close() {
        socket.close();
    }
}
