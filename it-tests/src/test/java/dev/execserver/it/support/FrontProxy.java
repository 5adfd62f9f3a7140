package dev.execserver.it.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An nginx or HAProxy that runs a sample of docs/proxies.md, with ports, certificate and time-outs of a test. */
public final class FrontProxy implements AutoCloseable {
    private static final Path PAGE = Path.of("..", "docs", "proxies.md");
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Process process;
    private final int port;
    private final Path log;

    private FrontProxy(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /**
     * Starts the program with the sample that has its name.
     *
     * @param folder for its files; others may need to read it
     * @param timeout of idle connections, in seconds
     */
    public static FrontProxy start(String program, Path folder, int serverPort, SelfSigned pair, int timeout)
            throws Exception {
        int port = freePort();
        Path certificate = folder.resolve("proxy.pem");
        Path key = folder.resolve("proxy.key");
        pair.write(certificate, key);
        Path both =
                Files.writeString(folder.resolve("both.pem"), Files.readString(certificate) + Files.readString(key));
        String sample = replaced(sample(program), "127.0.0.1:4000", "127.0.0.1:" + serverPort);
        sample = replaced(sample, " 60s", " " + timeout + "s");
        Path configuration = folder.resolve(program + ".conf");
        List<String> command = new ArrayList<>(
                switch (program) {
                    case "nginx" -> {
                        sample = replaced(sample, "listen 443 ssl", "listen 127.0.0.1:" + port + " ssl");
                        sample = replaced(sample, "/etc/ssl/build.pem", certificate.toString());
                        sample = replaced(sample, "/etc/ssl/build.key", key.toString());
                        Files.writeString(configuration, nginx(folder, sample));
                        yield List.of("nginx", "-e", "stderr", "-c", configuration.toString());
                    }
                    case "haproxy" -> {
                        sample = replaced(sample, "bind :443", "bind 127.0.0.1:" + port);
                        sample = replaced(sample, "/etc/haproxy/build.pem", both.toString());
                        Files.writeString(configuration, sample);
                        yield List.of("haproxy", "-db", "-f", configuration.toString());
                    }
                    default -> throw new IllegalArgumentException(program);
                });
        Path log = folder.resolve(program + ".log");
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.command().set(0, located(program));
        Process process =
                builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        FrontProxy proxy = new FrontProxy(process, port, log);
        try {
            await(program + " listens")
                    .atMost(LIMIT)
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .untilAsserted(() -> {
                        assertThat(process.isAlive()).as(proxy.log()).isTrue();
                        new Socket("127.0.0.1", port).close();
                    });
        } catch (RuntimeException | Error e) {
            proxy.close();
            throw e;
        }
        return proxy;
    }

    public int port() {
        return port;
    }

    /** Returns the messages of the proxy. */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    /** Servers are in a folder that is not on the PATH of every user. */
    private static String located(String program) {
        Path usual = Path.of("/usr/sbin", program);
        return Files.isExecutable(usual) ? usual.toString() : program;
    }

    private static String nginx(Path folder, String sample) {
        return """
                daemon off;
                master_process off;
                pid %1$s/nginx.pid;
                events {}
                http {
                    access_log off;
                    client_body_temp_path %1$s/body;
                    proxy_temp_path %1$s/proxied;
                    fastcgi_temp_path %1$s/fastcgi;
                    uwsgi_temp_path %1$s/uwsgi;
                    scgi_temp_path %1$s/scgi;
                    %2$s
                }
                """.formatted(folder, sample);
    }

    private static String sample(String name) throws IOException {
        Matcher block = Pattern.compile("^```\\w+ sample=" + name + "\\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE)
                .matcher(Files.readString(PAGE));
        assertThat(block.find()).as("a sample of " + name).isTrue();
        return block.group(1);
    }

    private static String replaced(String text, String old, String replacement) {
        assertThat(text).contains(old);
        return text.replace(old, replacement);
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress("127.0.0.1", 0));
            return probe.getLocalPort();
        }
    }
}
