package dev.execserver.server.process;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.io.PtyPair;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcFiles.Stat;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.plan.SandboxRun;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.sandbox.tree.ProcessTree;
import java.util.Optional;

/**
 * A started program: its process, its terminal if it has one, and the sandbox around it. Any thread; immutable.
 *
 * @param tree finds and signals its descendants
 */
record StartedProgram(Child child, Optional<PtyPair> terminal, Optional<SandboxRun> sandbox, ProcessTree tree) {

    /** Sends a signal to the process group. Does nothing if the program has ended. */
    void signal(int number) {
        if (!child.exited()) {
            boolean _ = sandbox.map(run -> run.signal(number)) // false: it ended at this moment
                    .orElseGet(() -> child.signalGroup(number));
        }
    }

    /**
     * Sends a signal to the foreground job of the terminal, as a key on the terminal does. Reaches only processes of
     * the program, never the bubblewrap around it.
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
     * Returns true if a signal has stopped the program. Reads /proc without waiting. In a sandbox the state of the
     * command counts, not that of bubblewrap.
     */
    boolean stopped() {
        if (child.exited()) {
            return false;
        }
        return commandPid().flatMap(ProcFiles::stat).filter(Stat::stopped).isPresent();
    }

    /** Returns the pid of the command, not that of a bubblewrap around it; empty if it has ended. */
    Optional<Integer> commandPid() {
        return child.exited()
                ? Optional.empty()
                : sandbox.map(SandboxRun::commandPid).orElseGet(() -> Optional.of(child.pid()));
    }

    /**
     * Sends SIGTERM to all processes of the program, then SIGCONT, because a stopped process acts on no signal before
     * it is continued, see signal(7).
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

    /** Returns true if the program or any of its descendants is alive. */
    boolean anyAlive() {
        return tree.anyAlive(child);
    }

    int exitCode(ExitStatus exit) {
        return sandbox.map(run -> run.exitCode(exit)).orElseGet(exit::code);
    }
}
