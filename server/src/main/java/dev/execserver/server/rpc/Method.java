package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.DescriptorRoom;
import dev.execserver.server.session.Session;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * One method of the protocol.
 *
 * @param name as on the wire
 * @param family for the errors of the handshake
 * @param control true for the calls that must get through however busy the connection is
 * @param additive true for methods that only the open dialect knows
 * @param floor how the operator's floor decides about it
 * @param decoder reads the params; runs on the reader thread
 * @param handler takes the request; runs on the reader thread and must not wait
 * @param opens how many descriptors it has open at once at most, when some of them stay
 */
public record Method<P>(
        String name,
        Family family,
        boolean control,
        boolean additive,
        FloorRule floor,
        Decoder<P> decoder,
        Handler<P> handler,
        ToIntFunction<P> opens) {

    /** Reads params; throws an {@code RpcException} -32602 that says what is wrong with them. */
    @FunctionalInterface
    public interface Decoder<P> {
        P decode(JsonSlice params, Dialect dialect);
    }

    /**
     * Takes a request in the order of arrival: what must keep that order (reserving a process id, queueing input) happens
     * here, everything else in the work that is returned.
     */
    @FunctionalInterface
    public interface Handler<P> {
        Work accept(Call call, P params);
    }

    /** The rest of a request; runs on a virtual thread of its own and may wait. */
    @FunctionalInterface
    public interface Work {
        Answer run() throws InterruptedException;

        /** Whether {@link #runAtOnce} is worth to be tried. */
        default boolean mayBeAtHand() {
            return false;
        }

        /**
         * The answer if it can be had without waiting; for the connection's reader, which is wanted elsewhere. Throws an
         * {@code RpcException} when that is the answer. Changes nothing: {@link #run} may follow.
         */
        default Optional<Answer> runAtOnce() {
            return Optional.empty();
        }
    }

    /** Work that is not worth a thread of its own: it never waits. May be done twice. */
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
     * Work that does nothing but touch files. Before a file worker does the work, since it may have to wait, the kernel is
     * asked for what it has in memory.
     */
    public interface FileWork extends Work {

        /** Runs on a file worker, which then encodes the answer too. */
        @Override
        Answer run();

        /** Returns true if it may keep a processor or a disk busy for long. */
        default boolean lengthy() {
            return false;
        }
    }

    /** Work that finds out on the request's thread, where it may wait, how it is to be done. */
    public record Deciding(Decision decision) implements Work {

        /** How the request is to be done. */
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
     * Where a request came from.
     *
     * @param connection the connection that it arrived on
     * @param session the session that the connection is attached to
     * @param memory what is loaded for the answer is taken from here first, when it may be much
     */
    public record Call(Connection connection, Session session, AnswerMemory memory) {

        /** True when the connection is closed or has lost its session: nobody waits for the answer any more. */
        public boolean gone() {
            return connection.closed() || !session.attachedTo(connection);
        }
    }

    /** An ordinary method of the protocol. */
    public static <P> Method<P> ordinary(
            String name, Family family, FloorRule floor, Decoder<P> decoder, Handler<P> handler) {
        return new Method<>(name, family, false, false, floor, decoder, handler, _ -> 0);
    }

    /** A control method: never waits behind ordinary ones. */
    public static <P> Method<P> control(
            String name, Family family, FloorRule floor, Decoder<P> decoder, Handler<P> handler) {
        return new Method<>(name, family, true, false, floor, decoder, handler, _ -> 0);
    }

    /** The same method, known to the open dialect only. */
    public Method<P> asAdditive() {
        return new Method<>(name, family, control, true, floor, decoder, handler, opens);
    }

    /** The same method; refused while hardly a descriptor is left. */
    public Method<P> opening(ToIntFunction<P> descriptors) {
        return new Method<>(name, family, control, additive, floor, decoder, handler, descriptors);
    }

    /**
     * A request that was taken.
     *
     * @param promise to be closed when the work is done, before its answer is sent
     */
    record Prepared(Work work, DescriptorRoom.Promise promise) {}

    /** Decodes before the handshake is checked, as the reference does. */
    Prepared prepare(Connection connection, JsonSlice params, AnswerMemory memory, DescriptorRoom descriptors) {
        if (connection.dialect().open()) {
            floor.refuseSandbox(name, params);
        }
        P decoded = decoder.decode(params, connection.dialect());
        Call call = new Call(connection, connection.readySession(family), memory);
        DescriptorRoom.Promise promise = descriptors.admit(name, opens.applyAsInt(decoded));
        try {
            return new Prepared(handler.accept(call, decoded), promise);
        } catch (RuntimeException e) {
            promise.close();
            throw e;
        }
    }
}
