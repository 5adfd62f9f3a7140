package dev.execserver.server.process;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcFiles.Stat;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.plan.SandboxRun;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ClosedException;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.sandbox.spawn.ProcessTree;
import dev.execserver.sandbox.spawn.PtyPair;
import java.util.Optional;

/**
 * A program that was started: its process, its terminal if it has one, and the sandbox around it. Any thread; immutable.
 *
 * @param tree finds and signals its descendants
 */
record StartedProgram(Child child, Optional<PtyPair> terminal, Optional<SandboxRun> sandbox, ProcessTree tree) {

    /** Sends a signal to the process group; nothing happens when the program has ended. */
    void signal(int number) {
        if (!child.exited()) {
            boolean _ = sandbox.map(run -> run.signal(number)) // false: it ended in this moment
                    .orElseGet(() -> child.signalGroup(number));
        }
    }

    /**
     * Sends a signal to the job in the foreground of the terminal, as the key of a terminal does. Only what belongs to the
     * program is reached, never bubblewrap around it.
     *
     * @throws RpcException -32600 without a terminal
     */
    void signalForeground(int number, String processId) {
        PtyPair pty = terminal.orElseThrow(() -> RpcException.invalidRequest(
                "process " + processId + " has no terminal, and so no job in its foreground"));
        int group;
        try {
            group = pty.foregroundGroup();
        } catch (ClosedException e) {
            return; // it has ended
        }
        if (group == 0 || group == child.pid()) {
            signal(number);
        } else {
            tree.signal(child, number, (pid, stat) -> stat.group() == group && belongs(pid));
        }
    }

    private boolean belongs(int pid) {
        return sandbox.map(run -> !run.isBubblewrap(pid)).orElse(true);
    }

    /**
     * Returns true if the program is stopped by a signal. What /proc tells is read without waiting; in a sandbox the command's
     * own state counts, not that of bubblewrap.
     */
    boolean stopped() {
        if (child.exited()) {
            return false;
        }
        Optional<Integer> pid = sandbox.map(SandboxRun::commandPid).orElseGet(() -> Optional.of(child.pid()));
        return pid.flatMap(ProcFiles::stat).filter(Stat::stopped).isPresent();
    }

    /**
     * Sends SIGTERM to everything that belongs to the program, then SIGCONT: a stopped process acts on no signal before it is
     * continued, see signal(7).
     */
    void askToEnd() {
        signal(ProcessCalls.SIGTERM);
        tree.signal(
                child,
                ProcessCalls.SIGTERM,
                (pid, stat) ->
                        sandbox.map(run -> run.unreached(pid, stat)).orElseGet(() -> stat.group() != child.pid()));
        tree.signal(child, ProcessCalls.SIGCONT, (_, _) -> true);
    }

    /** Returns true if the program or anything that it has started lives. */
    boolean anyAlive() {
        return tree.anyAlive(child);
    }

    int exitCode(ExitStatus exit) {
        return sandbox.map(run -> run.exitCode(exit)).orElseGet(exit::code);
    }
}
