package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.SocketPeers;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.spawn.ExitStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;

/**
 * A process of a command that asks over a socket about a program which it wants to become: a wrapper. Who it is, where it is and
 * what it has open is read from the kernel; of what it says only the program, the arguments and the variables count, and they
 * are those that run. One thread at a time.
 */
public final class WrapperTask implements AutoCloseable {
    private final int pid;
    private final Fd pidfd;
    private Optional<Fd> directory = Optional.empty();

    WrapperTask(int pid, Fd pidfd) {
        this.pid = pid;
        this.pidfd = pidfd;
    }

    /**
     * Finds the process that has made a connection.
     *
     * @param connection one socket of the pair that it has made
     * @param sender the process that has sent the socket
     * @throws LinuxException ESRCH if it is gone, EPERM if another process has made the pair
     */
    public static WrapperTask of(Fd connection, int sender) {
        int maker = SocketPeers.maker(connection.number());
        if (maker <= 0 || maker != sender) {
            throw new LinuxException("accept", "wrapper " + sender, Errno.EPERM);
        }
        Fd pidfd = SocketPeers.makersDescriptor(connection.number(), maker)
                .orElseThrow(() -> new LinuxException("accept", "wrapper " + sender, Errno.ESRCH));
        WrapperTask task = new WrapperTask(maker, pidfd);
        if (!task.alive()) {
            task.close();
            throw new LinuxException("accept", "wrapper " + sender, Errno.ESRCH);
        }
        return task;
    }

    public int pid() {
        return pid;
    }

    /** Returns true until the process has ended, whether its parent has reaped it or not. */
    public boolean alive() {
        // kill(2): a signal still reaches a zombie. The pidfd is asked last, when the number may have gone to another
        // process.
        boolean runs = ProcFiles.stat(pid).filter(stat -> !stat.dead()).isPresent();
        return runs && ProcessCalls.pidfdSendSignal(pidfd, 0);
    }

    /**
     * Looks for the program as the kernel would for this process.
     *
     * @param environment as {@code NAME=value}
     * @throws LinuxException with the errno that execve(2) would have
     */
    public ExecRequest request(byte[] file, List<byte[]> argv, List<byte[]> environment) {
        TaskStatus task = TaskStatus.of(pid);
        ProgramFile program = ProgramWalk.find(pid, task, FileCalls.AT_FDCWD, file, false, true);
        ExecRequest request = new ExecRequest(
                pid,
                task.parent(),
                program,
                InvolvedPrograms.of(
                        program,
                        ExecExpectation.name(file, FileCalls.AT_FDCWD),
                        argv,
                        () -> environment,
                        ProgramWalk.finder(pid, task)),
                file,
                argv,
                EntryCalls.nameOf(directory()),
                task.threads(),
                () -> environment);
        requireAlive();
        return request;
    }

    /** Opens its working directory, so that what is asked about is what is used. */
    private Fd directory() {
        directory.ifPresent(Fd::close);
        Fd opened = FileCalls.open(("/proc/" + pid + "/cwd").getBytes(StandardCharsets.US_ASCII), FileCalls.O_PATH, 0);
        directory = Optional.of(opened);
        return opened;
    }

    /** Checks after a read that it was not of a process which has got the number. */
    private void requireAlive() {
        if (!alive()) {
            throw new LinuxException("read", "wrapper " + pid, Errno.ESRCH);
        }
    }

    /**
     * Starts the program outside of the sandbox.
     *
     * @param given descriptors under the numbers that the program shall see; the caller closes them
     * @param sockets inodes of the sockets that belong to the wrapper
     * @throws LinuxException if it could not be started
     * @throws EscalationRefusedException if it must not be started
     */
    public EscalatedRun start(
            ExecRequest request, ExecDecision.Escalate how, SortedMap<Integer, Fd> given, Set<Long> sockets) {
        Machine machine = Machine.current().orElseThrow(() -> new EscalationRefusedException("unknown machine"));
        try (TaskCopy copy = TaskCopy.ofWrapper(pid, given, sockets)) {
            var environment = how.environment().clean(request.environment().get());
            var stage = copy.request(machine, request.program().path(), request.argv(), environment);
            if (!copy.in(directory.orElseThrow())) {
                throw new EscalationRefusedException("its directory has changed after the decision");
            }
            requireAlive();
            how.lastLook().run();
            return Escalations.start(how.start(), stage, copy.directory());
        }
    }

    /** Writes a line to the standard error of the wrapper. */
    public void complain(String line) {
        ErrorLine.write(pid, line);
    }

    /** Waits for the end of the program. When the wrapper waits no more, or has ended, the program must end too. */
    public ExitStatus await(EscalatedRun run, BooleanSupplier waiting) {
        return Escalations.await(() -> waiting.getAsBoolean() && alive(), pid, pid, run);
    }

    /** Ends the wrapper by the signal that has ended its program. Returns false if it must be told an exit code instead. */
    public boolean endLike(ExitStatus status) {
        try {
            return status.signaled()
                    && TaskStatus.of(pid).endsBy(status.signal())
                    && ProcessCalls.pidfdSendSignal(pidfd, status.signal());
        } catch (LinuxException e) {
            return e.errno() == Errno.ESRCH; // it has ended
        }
    }

    /** Returns the inode of a socket. */
    public static Optional<Long> inode(Fd socket) {
        var status = FileCalls.status(socket);
        return status.socket() ? Optional.of(status.inode()) : Optional.empty();
    }

    @Override
    public void close() {
        pidfd.close();
        directory.ifPresent(Fd::close);
    }
}
