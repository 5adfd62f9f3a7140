package dev.execserver.server.mcp;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.outbound.BufferPool;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.transport.ConnectionHandler;
import dev.execserver.server.transport.MessageTooLargeException;
import dev.execserver.server.transport.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the client on a pair of streams: one JSON-RPC message a line. The end of its input ends everything that it has started.
 * The reader thread of the transport enters.
 */
public final class McpServer implements ConnectionHandler {
    /** Time for the answers of calls that were ended, when the input has ended. */
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(McpServer.class);

    private final BiFunction<ClientTraits, ClientAccess, Toolbox> tools;

    /** @param tools makes the tools of a client */
    public McpServer(BiFunction<ClientTraits, ClientAccess, Toolbox> tools) {
        this.tools = tools;
    }

    @Override
    public void serve(Transport transport) {
        Outbound outbound = new Outbound(transport, new BufferPool());
        Threads.virtual("mcp-writer", outbound::runWriter);
        Peer peer = message -> outbound.send(message, AnswerMemory.none());
        McpConnection connection = new McpConnection(tools, peer, transport.subject());
        try {
            boolean more = true;
            while (more) {
                more = take(transport, connection, peer);
            }
        } catch (IOException e) {
            LOG.warn("the client is lost: {}", e.getMessage());
        } finally {
            connection.close();
            awaitIdle(connection);
            boolean _ = outbound.awaitDrained(LAST_ANSWERS);
            outbound.close();
        }
    }

    /** Takes the next line. Returns false at the end of the input. */
    private static boolean take(Transport transport, McpConnection connection, Peer peer) throws IOException {
        try {
            var line = transport.read();
            if (line.isEmpty()) {
                return false;
            }
            byte[] text = line.get().bytes();
            Incoming.read(text).forEach(message -> connection.receive(message, peer));
        } catch (MessageTooLargeException e) {
            peer.send(error(RpcException.invalidRequest(e.getMessage())));
        } catch (RpcException e) {
            peer.send(error(e));
        }
        return true;
    }

    private static MessageBuffer error(RpcException e) {
        return Messages.error(Optional.empty(), e);
    }

    private static void awaitIdle(McpConnection connection) {
        long deadline = System.nanoTime() + LAST_ANSWERS.toNanos();
        try {
            while (!connection.idle() && System.nanoTime() - deadline < 0) {
                Thread.sleep(Duration.ofMillis(5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
