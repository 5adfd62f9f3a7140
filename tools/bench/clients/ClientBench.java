import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/** ClientBench.java pushed|asking|client read|starts URL COUNT: milliseconds for COUNT MiB of output, or COUNT starts of /bin/true. */
class ClientBench {
    /** Runs a program to its end and returns the bytes of its output. */
    interface Session extends AutoCloseable {
        long run(String... argv) throws Exception;
    }

    public static void main(String[] args) throws Exception {
        try (Session session = args[0].equals("client") ? new Client(args[2]) : new Bare(args[2], args[0].equals("asking"))) {
            work(session, args[1], 20); // warms up
            long begin = System.nanoTime();
            work(session, args[1], Integer.parseInt(args[3]));
            System.out.println((System.nanoTime() - begin) / 1e6);
        }
    }

    static void work(Session session, String task, int count) throws Exception {
        if (task.equals("read")) {
            long bytes = session.run("head", "-c", count + "M", "/dev/zero");
            if (bytes != (long) count << 20) {
                throw new IllegalStateException("bytes are missing: " + bytes);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            session.run("/bin/true");
        }
    }

    static class Client implements Session {
        private final ExecServerClient client;

        Client(String url) throws InterruptedException {
            client = ExecServerClient.connect(ClientOptions.url(url).build());
        }

        @Override
        public long run(String... argv) throws Exception {
            try (RemoteProcess process = client.start(ProcessSpec.of(argv).cwd("/"))) {
                InputStream out = process.stdout();
                byte[] buffer = new byte[1 << 16];
                long bytes = 0;
                for (int count = out.read(buffer); count >= 0; count = out.read(buffer)) {
                    bytes += count;
                }
                process.waitFor();
                return bytes;
            }
        }

        @Override
        public void close() throws Exception {
            client.end();
        }
    }

    /** Sends, receives, parses and decodes; nothing more. Asks for the output, as the client does, or has it pushed. */
    static class Bare implements Session, WebSocket.Listener {
        private static final JsonFactory JSON = new JsonFactory();
        private final BlockingQueue<String> messages = new ArrayBlockingQueue<>(16);
        private final StringBuilder part = new StringBuilder();
        private final WebSocket socket;
        private final boolean asking;
        private int id;

        Bare(String url, boolean asking) throws Exception {
            this.asking = asking;
            socket = HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(URI.create(url), this).get();
            send("{\"id\":0,\"method\":\"initialize\",\"params\":{\"clientName\":\"bench\"}}");
            messages.take();
            send("{\"method\":\"initialized\",\"params\":{}}");
        }

        private void send(String text) throws Exception {
            socket.sendText(text, true).get();
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                try {
                    messages.put(part.toString());
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                part.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public long run(String... argv) throws Exception {
            id++;
            String process = "p" + id;
            String words = Arrays.stream(argv).collect(Collectors.joining("\",\"", "[\"", "\"]"));
            send("{\"id\":%d,\"method\":\"process/start\",\"params\":{\"processId\":\"%s\",\"argv\":%s,\"cwd\":\"file:///\",\"env\":{},\"tty\":false,\"arg0\":null,\"push\":%s}}"
                    .formatted(id, process, words, !asking));
            long bytes = 0;
            long last = 0;
            while (true) {
                Message message = parse(messages.take());
                bytes += message.bytes;
                last = message.method == null ? Math.max(last, message.seq) : last;
                if (asking ? message.method == null && message.closed && message.bytes == 0 : "process/closed".equals(message.method)) {
                    return bytes;
                }
                if (asking && message.method == null) {
                    id++;
                    send("{\"id\":%d,\"method\":\"process/read\",\"params\":{\"processId\":\"%s\",\"afterSeq\":%d,\"maxBytes\":524288,\"waitMs\":20000}}"
                            .formatted(id, process, last));
                }
            }
        }

        private static class Message {
            String method;
            long bytes;
            long seq;
            boolean closed;
        }

        private static Message parse(String text) throws IOException {
            Message message = new Message();
            try (JsonParser in = JSON.createParser(text)) {
                for (JsonToken token = in.nextToken(); token != null; token = in.nextToken()) {
                    if (token != JsonToken.FIELD_NAME) {
                        continue;
                    }
                    switch (in.currentName()) {
                        case "method" -> message.method = in.nextTextValue();
                        case "chunk" -> message.bytes += Base64.getDecoder().decode(in.nextTextValue()).length;
                        case "seq" -> message.seq = in.nextLongValue(0);
                        case "closed" -> message.closed = Boolean.TRUE.equals(in.nextBooleanValue());
                        default -> in.nextToken();
                    }
                }
            }
            return message;
        }

        @Override
        public void close() {
            socket.abort();
        }
    }
}
