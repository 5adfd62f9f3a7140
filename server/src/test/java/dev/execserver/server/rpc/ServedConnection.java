package dev.execserver.server.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.execserver.protocol.app.AppInitializeResult;
import dev.execserver.protocol.environment.Capabilities;
import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.environment.ShellInfo;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.memory.ServerMemory;
import dev.execserver.server.rpc.Dispatcher.RequestBounds;
import dev.execserver.server.schema.MembersCheck;
import dev.execserver.server.schema.MembersChecks;
import dev.execserver.server.session.SessionRegistry;
import dev.execserver.server.session.SessionRegistry.SessionBounds;
import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.InMemoryTransport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;

/** A served connection with methods of all kinds, as its client sees it. */
abstract class ServedConnection {

    static final ObjectMapper JSON = new ObjectMapper();
    private static final EnvironmentInfo INFO = new EnvironmentInfo(
            new ShellInfo("bash", "/bin/bash"),
            "1",
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Capabilities.NONE);

    private final Timers timers = new Timers();
    private final FileWorkers workers = new FileWorkers(2, timers);
    final CountDownLatch release = new CountDownLatch(1);
    final AtomicInteger running = new AtomicInteger();
    final ServerMemory memory = ServerMemory.of(8 << 20);
    InMemoryTransport client;
    /** The thread that serves the connection. */
    Thread served;

    @AfterEach
    void end() {
        release.countDown();
        if (client != null) {
            client.close(CloseReason.NORMAL);
        }
        timers.close();
        workers.close();
    }

    static Method<?> method(String name, boolean control, Method.Work work) {
        return new Method<JsonSlice>(
                name, MethodFamily.PROCESS, control, false, FloorRule.TELL, (p, _) -> p, (_, _) -> work, _ -> 0);
    }

    private Answer waitForRelease() throws InterruptedException {
        running.incrementAndGet();
        release.await();
        return Answer.empty();
    }

    void serve(Dialect dialect, int concurrent) {
        serve(dialect, concurrent, List.of(), InMemoryTransport.pair());
    }

    void serve(Dialect dialect, int concurrent, List<Method<?>> more, InMemoryTransport.Pair pair) {
        SessionRegistry sessions = new SessionRegistry(
                null,
                timers,
                new SessionBounds(10, 10, Duration.ofSeconds(80), Duration.ofSeconds(80), Duration.ofMinutes(10)),
                AccessLog.OFF);
        List<Method<?>> all = new ArrayList<>(more);
        all.addAll(List.of(
                method("slow", false, this::waitForRelease),
                method("quick", false, () -> Answer.of(g -> g.writeString("done"))),
                method("urgent", true, () -> Answer.of(g -> g.writeString("now"))),
                method("broken", false, () -> {
                    throw new IllegalStateException("a bug");
                }),
                method("refused", false, () -> {
                    throw RpcException.internal("no").withData("reason", "because");
                }),
                method("added", false, Answer::empty).asAdditive()));
        MethodTable methods = new MethodTable(all, dialect, MembersChecks.NONE);
        Handshake handshake = new Handshake(sessions, INFO, dialect, List.of("added"), MembersCheck.NONE);
        Dispatcher dispatcher = new Dispatcher(
                methods,
                handshake,
                new AppDialect(
                        new AppHandshake(
                                sessions, new AppInitializeResult("test", "/home", List.of()), MembersCheck.NONE),
                        MethodTable.ofApp(List.of(), dialect, MembersChecks.NONE)),
                new RequestBounds(concurrent, 1 << 20, memory, DescriptorBudget.ofThisProcess()),
                workers,
                timers,
                bytes -> {},
                AccessLog.OFF);
        client = pair.client();
        served = Threads.virtual("reader", () -> dispatcher.serve(pair.server()));
    }

    void serveReady() throws IOException {
        serve(Dialect.OPEN, 100);
        shakeHands();
    }

    void shakeHands() throws IOException {
        ask("{\"id\":0,\"method\":\"initialize\",\"params\":{\"clientName\":\"t\"}}");
        send("{\"method\":\"initialized\"}");
    }

    void send(String text) throws IOException {
        MessageBuffer out = new MessageBuffer();
        out.write(text.getBytes(StandardCharsets.UTF_8));
        client.write(out);
    }

    JsonNode receive() throws IOException {
        return JSON.readTree(client.read().orElseThrow().bytes());
    }

    JsonNode ask(String text) throws IOException {
        send(text);
        return receive();
    }
}
