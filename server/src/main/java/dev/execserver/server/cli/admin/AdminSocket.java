package dev.execserver.server.cli.admin;

import dev.execserver.cli.local.ConfigException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** HTTP requests to the management socket of a server, each on a connection of its own. Stateless. */
record AdminSocket(Path path) {
    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final int STATUS_BEGIN = 9;
    private static final int STATUS_END = 12;

    /** Answer of the server. */
    record Reply(int status, String body) {
        boolean good() {
            return status < 300;
        }
    }

    /**
     * Sends a request without a body.
     *
     * @param target path and query
     * @throws ConfigException if nobody answers
     */
    Reply send(String method, String target) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(path));
            OutputStream out = Channels.newOutputStream(channel);
            out.write("%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0%s"
                    .formatted(method, target, END_OF_HEAD)
                    .getBytes(StandardCharsets.US_ASCII));
            return parse(all(Channels.newInputStream(channel)));
        } catch (IOException e) {
            throw ConfigException.failure(
                    "unix:%s: %s".formatted(path, e.getMessage()),
                    "A server has this socket if it was started with --management-listen unix:PATH.");
        }
    }

    private static String all(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        long _ = in.transferTo(bytes);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static Reply parse(String answer) throws IOException {
        int head = answer.indexOf(END_OF_HEAD);
        if (head < 0 || !answer.matches("(?s)HTTP/1\\.1 [1-5][0-9][0-9] .*")) {
            throw new IOException("the server does not answer in HTTP");
        }
        return new Reply(
                Integer.parseInt(answer.substring(STATUS_BEGIN, STATUS_END)),
                answer.substring(head + END_OF_HEAD.length()));
    }
}
