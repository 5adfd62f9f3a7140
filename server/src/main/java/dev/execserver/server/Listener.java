package dev.execserver.server;

import dev.execserver.server.access.AccessLog;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.config.Console;
import dev.execserver.server.config.Listen;
import dev.execserver.server.config.ListenUrl;
import dev.execserver.server.config.ReverseProxy;
import dev.execserver.server.config.ServerConfig;
import dev.execserver.server.config.Timing;
import dev.execserver.server.credentials.Credentials;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.memory.ServerMemory;
import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.ConnectionHandler;
import dev.execserver.server.transport.StdioTransport;
import dev.execserver.server.transport.auth.Authenticator;
import dev.execserver.server.transport.auth.HostNames;
import dev.execserver.server.transport.auth.SlowedLogins;
import dev.execserver.server.transport.console.ConsoleAccess;
import dev.execserver.server.transport.console.ConsoleEndpoint;
import dev.execserver.server.transport.console.ConsoleOrigins;
import dev.execserver.server.transport.exec.CommandAccess;
import dev.execserver.server.transport.exec.ExecEndpoint;
import dev.execserver.server.transport.files.FileAccess;
import dev.execserver.server.transport.files.FileEndpoint;
import dev.execserver.server.transport.files.FileGuard;
import dev.execserver.server.transport.management.Page;
import dev.execserver.server.transport.management.PageEndpoint;
import dev.execserver.server.transport.mcp.McpClients;
import dev.execserver.server.transport.mcp.McpEndpoint;
import dev.execserver.server.transport.origin.BasePath;
import dev.execserver.server.transport.origin.Forwarding;
import dev.execserver.server.transport.sandboxd.RuntimeInterface;
import dev.execserver.server.transport.websocket.WebSocketOptions;
import dev.execserver.server.transport.websocket.WebSocketOptions.Access;
import dev.execserver.server.transport.websocket.WebSocketOptions.Http;
import dev.execserver.server.transport.websocket.WebSocketOptions.Place;
import dev.execserver.server.transport.websocket.WebSocketOptions.Room;
import dev.execserver.server.transport.websocket.WebSocketOptions.Times;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Source of client connections: a WebSocket listener, or standard input and output. */
interface Listener extends AutoCloseable {

    String url();

    /** Begins to serve; {@code ended} runs when no more clients can come. */
    void start(Runnable ended);

    /** Accepts no more connections. Open connections go on, and health checks are answered. */
    void stopAccepting();

    /** Closes every connection with the reason that the server is shutting down, and stops listening. */
    @Override
    void close();

    /** Makes the access checks of a listener. */
    static Access access(ServerConfig config, Credentials credentials) {
        Listen listen = config.listen();
        List<String> hosts = new ArrayList<>(config.http().allowedHosts());
        hosts.add(WebSocketOptions.LOCALHOST);
        Authenticator authenticator = credentials.authenticator() == Authenticator.NONE
                ? Authenticator.NONE
                : new SlowedLogins(credentials.authenticator());
        return new Access(authenticator, listen.originGuard(), credentials.tls(), HostNames.of(hosts));
    }

    /** Makes the listener that the configuration asks for. */
    static Listener of(
            ServerConfig config,
            Access access,
            AccessLog accessLog,
            ServerMemory memory,
            DescriptorBudget descriptors,
            FileWorkers workers,
            FileAccess fileAccess,
            Optional<McpClients> mcp,
            Optional<? extends Page> pages,
            CommandAccess commands,
            Function<Access, Optional<RuntimeInterface>> sandboxd,
            ConnectionHandler handler,
            BooleanSupplier ready) {
        if (config.listen().url() instanceof ListenUrl.Stdio) {
            return new Stdio(handler, memory.received());
        }
        Room room = new Room(config.limits().maxConnections(), memory.received(), descriptors);
        BiFunction<Access, Place, WebSocketOptions> options = (admitting, place) -> {
            HostNames hosts = HostNames.of(config.http().allowedHosts());
            FileEndpoint files = new FileEndpoint(workers, admitting.authenticator(), hosts, fileAccess, accessLog);
            ExecEndpoint exec =
                    new ExecEndpoint(commands, new FileGuard(admitting.authenticator(), hosts, "commands run"));
            return new WebSocketOptions(
                    admitting,
                    times(config.timing()),
                    room,
                    new Http(
                            Optional.of(files),
                            mcp.map(clients -> mcp(clients, admitting, memory)),
                            Optional.of(exec),
                            ready,
                            place,
                            pages.map(known ->
                                    new PageEndpoint(List.of(known), admitting.authenticator(), admitting.hosts())),
                            console(config.http().console(), admitting, files),
                            Optional.empty()),
                    accessLog);
        };
        return SocketListener.open(
                config.listen(),
                options.apply(access, place(config.http().proxy())),
                options.apply(access.ofLocalUsers(), Place.DIRECT),
                sandboxd.apply(access).map(made -> sandboxd(config, access, accessLog, room, made, ready)),
                handler);
    }

    private static Optional<ConsoleEndpoint> console(Console console, Access access, FileEndpoint files) {
        if (console.mode() == Console.Mode.OFF) {
            return Optional.empty();
        }
        ConsoleOrigins origins = new ConsoleOrigins(
                console.origins(), access.hosts(), access.tls().isPresent());
        return Optional.of(new ConsoleEndpoint(
                new ConsoleAccess(access.authenticator(), origins, console.mode() == Console.Mode.WRITE), files));
    }

    /** Returns the settings of the addresses of the runtime interface, which have nothing else but health checks. */
    private static WebSocketOptions sandboxd(
            ServerConfig config,
            Access access,
            AccessLog accessLog,
            Room room,
            RuntimeInterface runtime,
            BooleanSupplier ready) {
        return new WebSocketOptions(
                access,
                times(config.timing()),
                room,
                new Http(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        ready,
                        Place.DIRECT,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(runtime)),
                accessLog);
    }

    private static McpEndpoint mcp(McpClients clients, Access access, ServerMemory memory) {
        return new McpEndpoint(
                clients,
                access.authenticator(),
                access.hosts(),
                access.refuseOrigin(),
                () -> new AnswerMemory(memory.answers()));
    }

    private static Place place(ReverseProxy proxy) {
        return new Place(
                new BasePath(proxy.basePath()),
                new Forwarding(
                        proxy.header() == ReverseProxy.Header.FORWARDED,
                        address -> proxy.trusted().stream().anyMatch(range -> range.contains(address))));
    }

    private static Times times(Timing timing) {
        return WebSocketOptions.DEFAULT
                .times()
                .withKeepAlive(orNever(timing.pingInterval()), orNever(timing.peerTimeout()))
                .withRequest(timing.requestTimeout());
    }

    /** Returns a time that never ends if the limit is zero, which switches it off. */
    private static Duration orNever(Duration time) {
        return time.isZero() ? Duration.ofDays(36_500) : time;
    }

    /** Listener for one client: the program that started this one. */
    final class Stdio implements Listener {
        private final ConnectionHandler handler;
        private final MemoryBudget received;
        private StdioTransport transport;

        private Stdio(ConnectionHandler handler, MemoryBudget received) {
            this.handler = handler;
            this.received = received;
        }

        @Override
        public String url() {
            return "stdio";
        }

        @Override
        public void start(Runnable ended) {
            transport = StdioTransport.start(
                    new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out), received);
            Threads.virtual("stdio", () -> {
                try {
                    handler.serve(transport);
                } finally {
                    ended.run();
                }
            });
        }

        @Override
        public void stopAccepting() {
            // it has one peer, which is connected or gone
        }

        @Override
        public void close() {
            if (transport != null) {
                transport.close(CloseReason.GOING_AWAY);
            }
        }
    }
}
