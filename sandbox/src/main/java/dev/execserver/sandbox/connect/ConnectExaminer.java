package dev.execserver.sandbox.connect;

import dev.execserver.sandbox.connect.ConnectPolicy.Answer;
import dev.execserver.sandbox.intercept.CallExaminer;
import dev.execserver.sandbox.intercept.PendingCall;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.TaskSocketCalls;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads the connects of one command, has them decided and carries the decisions out. A connect that cannot leave the network of the
 * command is left to the kernel: its address may change meanwhile, but from that network nothing leads out.
 *
 * <p>Workers examine and connect, a virtual thread of each connect asks the policy. No state.
 */
public final class ConnectExaminer implements CallExaminer {
    private static final System.Logger LOG = System.getLogger(ConnectExaminer.class.getName());

    private final ConnectPolicy policy;

    public ConnectExaminer(ConnectPolicy policy) {
        this.policy = policy;
    }

    @Override
    public void examine(PendingCall call, Workers workers, Runnable done) {
        boolean passedOn = false;
        try {
            Optional<ConnectRequest> request = read(call);
            if (request.isPresent()) {
                passedOn = true;
                Thread decider = ConnectThreads.unstarted(
                        "connect-decision-" + call.tid(), () -> decide(call, request.get(), workers, done));
                call.decidedBy(decider);
                decider.start();
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
    private Optional<ConnectRequest> read(PendingCall call) {
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
            if (!policy.leadsOut(port) || InnerListeners.any(call.tid(), port)) {
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

    private void decide(PendingCall call, ConnectRequest request, Workers workers, Runnable done) {
        Answer answer = new Answer.Refused(Errno.EACCES);
        try {
            answer = policy.decide(request);
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
            boolean _ = errno == 0 ? call.succeed() : call.fail(errno); // false: the task is gone
        }
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
