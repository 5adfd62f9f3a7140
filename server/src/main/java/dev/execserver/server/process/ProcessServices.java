package dev.execserver.server.process;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.io.PtyFactory;
import dev.execserver.sandbox.limits.ControlGroups;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.tree.ProcessTree;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.exec.ExecInterceptions;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.process.output.OutputBounds;
import dev.execserver.server.proxy.NetworkProxies;
import dev.execserver.server.sandbox.Sandboxes;

/**
 * Services and limits that all processes of a server share.
 *
 * @param spawner starts children
 * @param marks makes the marks by which descendants of a process are found
 * @param tree kills processes with their descendants
 * @param ptys makes terminals
 * @param buffers lends native buffers
 * @param files runs work that touches a file system
 * @param timers runs work later
 * @param retention limits of the output that is kept
 * @param sandboxes makes sandboxes for programs
 * @param proxies makes network proxies for processes
 * @param execs intercepts the programs of commands that have rules
 * @param groups makes control groups, which limit the resources of programs
 * @param stdinQueueBytes largest number of queued input bytes for each process
 * @param dialect decides if exits are reported with additional members
 * @param input memory share for queued input and records of processes, for the whole server
 * @param descriptors tells if enough file descriptors are left
 */
public record ProcessServices(
        Spawner spawner,
        ProcessMarks marks,
        ProcessTree tree,
        PtyFactory ptys,
        Buffers buffers,
        FileWorkers files,
        Timers timers,
        OutputBounds retention,
        Sandboxes sandboxes,
        NetworkProxies proxies,
        ExecInterceptions execs,
        ControlGroups groups,
        long stdinQueueBytes,
        Dialect dialect,
        MemoryBudget input,
        DescriptorBudget descriptors) {}
