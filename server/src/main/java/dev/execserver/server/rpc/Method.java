package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.access.ArgumentStyle;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.rights.Caller;
import dev.execserver.server.schema.MembersCheck;
import dev.execserver.server.session.Session;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * One method of the protocol.
 *
 * @param name as on the wire
 * @param family for the errors of the handshake
 * @param control true if the call never queues behind ordinary calls
 * @param additive true if only the open dialect has the method
 * @param floor how the operator's floor applies to the method
 * @param decoder reads the params; runs on the reader thread
 * @param handler accepts the request; runs on the reader thread and must not wait
 * @param opens the largest number of descriptors that a call opens at once, if some of them stay open; 0 otherwise
 * @param audit the line of a call in the access log; empty if it gets none
 */
public record Method<P>(
        String name,
        MethodFamily family,
        boolean control,
        boolean additive,
        FloorRule floor,
        Decoder<P> decoder,
        Handler<P> handler,
        ToIntFunction<P> opens,
        Optional<Audit<P>> audit,
        MembersCheck members) {

    /** Makes a method whose calls are not in the access log. */
    public Method(
            String name,
            MethodFamily family,
            boolean control,
            boolean additive,
            FloorRule floor,
            Decoder<P> decoder,
            Handler<P> handler,
            ToIntFunction<P> opens) {
        this(name, family, control, additive, floor, decoder, handler, opens, Optional.empty(), MembersCheck.NONE);
    }

    /**
     * Line of a call in the access log.
     *
     * @param kind of the event
     * @param wanted returns false for calls that get no line
     * @param description adds the params to the event, without secrets
     */
    public record Audit<P>(AccessKind kind, Predicate<P> wanted, Description<P> description) {

        /** Adds params to an event. Runs on the reader thread and must be quick. */
        @FunctionalInterface
        public interface Description<P> {
            void describe(P params, AccessEvent event, ArgumentStyle arguments);
        }
    }

    /** Reads params. Throws an {@code RpcException} -32602 that says which of them is wrong. */
    @FunctionalInterface
    public interface Decoder<P> {
        P decode(JsonSlice params, Dialect dialect);
    }

    /**
     * Accepts a request in order of arrival. Steps that must keep that order (reserving a process id, queueing input)
     * happen here, everything else in the returned work.
     */
    @FunctionalInterface
    public interface Handler<P> {
        Work accept(Call call, P params);
    }

    /** The rest of a request. Runs on a virtual thread of its own and may wait. */
    @FunctionalInterface
    public interface Work {
        Answer run() throws InterruptedException;

        /** Returns true if {@link #runAtOnce} may have the answer. */
        default boolean mayBeAtHand() {
            return false;
        }

        /**
         * Returns the answer if it can be had without waiting. Runs on the connection's reader thread, which must read
         * on soon. Throws an {@code RpcException} if that is the answer. Changes nothing, because {@link #run} may
         * follow.
         */
        default Optional<Answer> runAtOnce() {
            return Optional.empty();
        }
    }

    /** Work that never waits and so needs no thread of its own. May run twice. */
    @FunctionalInterface
    public interface SmallWork extends Work {

        @Override
        Answer run();

        @Override
        default boolean mayBeAtHand() {
            return true;
        }

        @Override
        default Optional<Answer> runAtOnce() {
            return Optional.of(run());
        }
    }

    /**
     * Work that only touches files. The reader first asks the kernel for what it has in memory. If that fails, a file
     * worker does the work, because it may wait for a disk.
     */
    public interface FileWork extends Work {

        /** Runs on a file worker, which also encodes the answer. */
        @Override
        Answer run();

        /** Returns true if the work may keep a processor or a disk busy for long. */
        default boolean lengthy() {
            return false;
        }
    }

    /**
     * Work with files that finds out on the request's thread, where it may wait, how it is to be done.
     *
     * @param lengthy whether it may keep a processor or a disk busy for long
     */
    public record Deciding(boolean lengthy, Decision decision) implements Work {

        /** The first step: returns the work to do. */
        @FunctionalInterface
        public interface Decision {
            Work make() throws InterruptedException;
        }

        @Override
        public Answer run() throws InterruptedException {
            return decision.make().run();
        }
    }

    /**
     * The origin of a request.
     *
     * @param connection the connection that it arrived on
     * @param session the session that the connection is attached to
     * @param memory the memory of the answer; data loaded for the answer takes its bytes from here first if it may be
     * large
     * @param event the event of this call for the access log, to which the work may add what it finds out
     */
    public record Call(Connection connection, Session session, AnswerMemory memory, Optional<AccessEvent> event) {

        /** Returns true if the connection is closed or has lost its session, so that no client waits for the answer. */
        public boolean gone() {
            return connection.closed() || !session.attachedTo(connection);
        }
    }

    /** Makes an ordinary method of the protocol. */
    public static <P> Method<P> ordinary(
            String name, MethodFamily family, FloorRule floor, Decoder<P> decoder, Handler<P> handler) {
        return new Method<>(name, family, false, false, floor, decoder, handler, _ -> 0);
    }

    /** Makes a control method, whose calls never wait behind ordinary ones. */
    public static <P> Method<P> control(
            String name, MethodFamily family, FloorRule floor, Decoder<P> decoder, Handler<P> handler) {
        return new Method<>(name, family, true, false, floor, decoder, handler, _ -> 0);
    }

    /** Returns the same method, limited to the open dialect. */
    public Method<P> asAdditive() {
        return new Method<>(name, family, control, true, floor, decoder, handler, opens, audit, members);
    }

    /** Returns the same method; its calls are refused while few file descriptors are left. */
    public Method<P> opening(ToIntFunction<P> descriptors) {
        return new Method<>(name, family, control, additive, floor, decoder, handler, descriptors, audit, members);
    }

    /** Returns the same method; its calls get a line in the access log. */
    public Method<P> audited(AccessKind kind, Audit.Description<P> description) {
        return audited(new Audit<>(kind, _ -> true, description));
    }

    /** Returns the same method; those of its calls that are wanted get a line in the access log. */
    public Method<P> audited(Audit<P> lines) {
        return new Method<>(
                name, family, control, additive, floor, decoder, handler, opens, Optional.of(lines), members);
    }

    /** Returns the same method; the members of its params are checked before they are read. */
    Method<P> checking(MembersCheck check) {
        return new Method<>(name, family, control, additive, floor, decoder, handler, opens, audit, check);
    }

    /**
     * An accepted request.
     *
     * @param promise reserved descriptors; closed when the work is done, before its answer is sent
     * @param event for the access log, if the call gets a line
     * @param warnings about the params, for the answer
     */
    record Prepared(Work work, DescriptorBudget.Promise promise, Optional<AccessEvent> event, List<String> warnings) {}

    /**
     * Decodes the params and accepts the request. In the strict dialect it decodes before the handshake is checked, as the
     * reference server does. In the open one a client that has forgotten the handshake reads that first.
     */
    Prepared prepare(Connection connection, Request request, AnswerMemory memory, DescriptorBudget descriptors) {
        connection.rights().require(name);
        if (connection.dialect().open()) {
            Session _ = connection.readySession(family);
        }
        if (connection.dialect().open() && family != MethodFamily.COMMAND) {
            floor.refuseSandbox(name, request.params());
        }
        List<String> warnings = members.check(request.params());
        try {
            return prepare(connection, request, memory, descriptors, warnings);
        } catch (RpcException e) {
            throw Warnings.in(e, warnings);
        }
    }

    private Prepared prepare(
            Connection connection,
            Request request,
            AnswerMemory memory,
            DescriptorBudget descriptors,
            List<String> warnings) {
        P decoded = decoder.decode(request.params(), connection.dialect());
        Session session = connection.readySession(family);
        Optional<AccessEvent> event = event(connection, session, request, decoded);
        try {
            return Caller.call(
                    connection.rights(),
                    () -> prepare(new Call(connection, session, memory, event), decoded, descriptors, warnings));
        } catch (RpcException refused) {
            event.ifPresent(line -> connection.access().write(RequestEvents.failed(line, refused)));
            throw refused;
        }
    }

    private Prepared prepare(Call call, P decoded, DescriptorBudget descriptors, List<String> warnings) {
        DescriptorBudget.Promise promise = descriptors.admit(name, opens.applyAsInt(decoded));
        try {
            return new Prepared(handler.accept(call, decoded), promise, call.event(), warnings);
        } catch (RuntimeException e) {
            promise.close();
            throw e;
        }
    }

    private Optional<AccessEvent> event(Connection connection, Session session, Request request, P decoded) {
        if (audit.isEmpty()
                || !connection.access().on()
                || !audit.get().wanted().test(decoded)) {
            return Optional.empty();
        }
        AccessEvent event = RequestEvents.of(audit.get().kind(), connection, session, request);
        audit.get().description().describe(decoded, event, connection.access().arguments());
        return Optional.of(event);
    }
}
