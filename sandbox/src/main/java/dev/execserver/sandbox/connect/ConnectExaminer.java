package dev.execserver.sandbox.connect;

import dev.execserver.sandbox.connect.ConnectPolicy.Answer;
import dev.execserver.sandbox.intercept.CallExaminer;
import dev.execserver.sandbox.intercept.PendingCall;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.TaskSocketCalls;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads the connects of one command, has them decided and carries the decisions out. A connect that cannot leave the network of the
 * command is left to the kernel: its address may change meanwhile, but from that network nothing leads out.
 *
 * <p>That does not hold for Unix sockets with a path. A command that may make some has nothing left to the kernel: each connect is made
 * here, on the task's socket, with an address that was read once, because between a look and the kernel's own another thread could
 * exchange the address and the descriptor.
 *
 * <p>Workers examine and connect, a virtual thread of each connect asks the policy. No state.
 */
public final class ConnectExaminer implements CallExaminer {
    private static final System.Logger LOG = System.getLogger(ConnectExaminer.class.getName());

    private final Optional<ConnectPolicy> policy;
    private final Optional<AllowedSockets> sockets;

    public ConnectExaminer(ConnectPolicy policy) {
        this(Optional.of(policy), Optional.empty());
    }

    /**
     * @param policy decides about connections that leave the network of the command; empty if none can
     * @param sockets the Unix sockets that it may connect to; empty if it can make no Unix socket
     */
    public ConnectExaminer(Optional<ConnectPolicy> policy, Optional<AllowedSockets> sockets) {
        this.policy = policy;
        this.sockets = sockets;
    }

    @Override
    public void examine(PendingCall call, Workers workers, Runnable done) {
        boolean passedOn = false;
        try {
            Optional<ConnectRequest> request = policy.flatMap(rules -> read(call, rules));
            if (request.isPresent()) {
                passedOn = true;
                Thread decider = ConnectThreads.unstarted(
                        "connect-decision-" + call.tid(),
                        () -> decide(call, policy.get(), request.get(), workers, done));
                call.decidedBy(decider);
                decider.start();
            } else if (sockets.isPresent()) {
                int errno = perform(call, sockets.get());
                if (call.claim()) {
                    boolean _ = answer(call, errno);
                }
            } else if (call.claim()) {
                boolean _ = call.proceed(); // false: the task is gone
            }
        } catch (LinuxException e) {
            fail(call, e.errno() == Errno.ESRCH ? Errno.EACCES : e.errno());
        } finally {
            if (!passedOn) {
                fail(call, Errno.EACCES); // nothing else has answered
                done.run();
            }
        }
    }

    /** Returns the connection that must be decided; empty if the kernel may make the call. */
    private static Optional<ConnectRequest> read(PendingCall call, ConnectPolicy policy) {
        long[] arguments = call.notification().arguments();
        int length = (int) arguments[2];
        if (length < SocketAddress.SHORTEST || length > SocketAddress.LONGEST) {
            return Optional.empty(); // the kernel refuses it
        }
        Optional<InetSocketAddress> destination = SocketAddress.read(call.memory(arguments[1], length));
        if (destination.isEmpty()) {
            return Optional.empty();
        }
        int process = call.process();
        boolean nonBlocking;
        try (Fd socket = socket(process, (int) arguments[0])) {
            if (!TaskSocketCalls.isInternetStream(socket) || TaskSocketCalls.connected(socket)) {
                return Optional.empty();
            }
            nonBlocking = TaskSocketCalls.nonBlocking(socket);
        }
        if (destination.get().getAddress().isLoopbackAddress()) {
            int port = destination.get().getPort();
            if (!policy.leadsOut(port) || policy.inner().any(call.tid(), destination.get())) {
                return Optional.empty();
            }
        }
        if (!call.waiting()) {
            throw new LinuxException(
                    "read", "connect of task " + call.tid(), Errno.ESRCH); // another one with its number?
        }
        return Optional.of(new ConnectRequest(process, destination.get(), nonBlocking));
    }

    private static Fd socket(int process, int number) {
        try (Fd pidfd = ProcessCalls.pidfdOpen(process)) {
            return ProcessCalls.descriptorOf(pidfd, number)
                    .orElseThrow(() -> new LinuxException("connect", "descriptor " + number, Errno.EBADF));
        }
    }

    /** Makes the call on the task's own socket. Returns the errno, or 0. */
    private static int perform(PendingCall call, AllowedSockets sockets) {
        long[] arguments = call.notification().arguments();
        int length = (int) arguments[2];
        if (length < SocketAddress.SHORTEST || length > SocketAddress.LONGEST) {
            return Errno.EINVAL;
        }
        byte[] address = call.memory(arguments[1], length);
        try (Fd socket = socket(call.process(), (int) arguments[0])) {
            if (!call.waiting()) {
                return Errno.EACCES; // another task with its number?
            }
            if (!TaskSocketCalls.isUnix(socket)) {
                return TaskSocketCalls.connect(socket, address);
            }
            Optional<String> path = SocketAddress.path(address).map(name -> absolute(call, name));
            try (Fd file = sockets.find(path).orElse(null)) {
                return file == null ? Errno.EACCES : TaskSocketCalls.connectFile(socket, file);
            }
        }
    }

    private static String absolute(PendingCall call, String path) {
        if (path.startsWith("/")) {
            return path;
        }
        byte[] directory = FileCalls.readLink(("/proc/" + call.tid() + "/cwd").getBytes(StandardCharsets.US_ASCII));
        return new String(directory, StandardCharsets.UTF_8) + "/" + path;
    }

    private void decide(PendingCall call, ConnectPolicy rules, ConnectRequest request, Workers workers, Runnable done) {
        Answer answer = new Answer.Refused(Errno.EACCES);
        try {
            answer = rules.decide(request);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the task does not wait any more
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "no decision about " + request.destination() + ", denied", e);
        }
        switch (answer) {
            case Answer.Refused(int errno) -> {
                fail(call, errno);
                done.run();
            }
            case Answer.Led(Passage passage) -> lead(call, passage, workers, done);
        }
    }

    private static void lead(PendingCall call, Passage passage, Workers workers, Runnable done) {
        boolean accepted = call.waiting()
                && workers.run(() -> {
                    try {
                        lead(call, passage);
                    } finally {
                        done.run();
                    }
                });
        if (!accepted) {
            passage.cancel();
            fail(call, Errno.EAGAIN);
            done.run();
        }
    }

    /** Connects the socket. It was looked up again: a question may take long, and many would use up the descriptors. */
    private static void lead(PendingCall call, Passage passage) {
        if (!call.claim()) {
            passage.cancel(); // closed meanwhile
            return;
        }
        int errno = Errno.EACCES;
        try (Fd socket = socket(call.process(), (int) call.notification().arguments()[0])) {
            errno = connect(socket, passage);
        } catch (LinuxException e) {
            errno = e.errno() == Errno.ESRCH ? Errno.EACCES : e.errno();
        } finally {
            if (errno != 0 && errno != Errno.EINPROGRESS) {
                passage.cancel();
            }
            boolean _ = answer(call, errno);
        }
    }

    /** Returns false if the task is gone. */
    private static boolean answer(PendingCall call, int errno) {
        return errno == 0 ? call.succeed() : call.fail(errno);
    }

    private static int connect(Fd socket, Passage passage) {
        if (!TaskSocketCalls.isInternetStream(socket)) {
            return Errno.EINVAL; // exchanged meanwhile
        }
        OptionalInt source = TaskSocketCalls.bindLoopback(socket);
        if (source.isEmpty()) {
            return Errno.EADDRNOTAVAIL;
        }
        passage.expect(source.getAsInt());
        return TaskSocketCalls.connectLoopback(socket, passage.innerPort());
    }

    private static void fail(PendingCall call, int errno) {
        if (call.claim()) {
            boolean _ = call.fail(errno); // false: the task is gone
        }
    }
}
