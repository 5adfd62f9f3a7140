package dev.execserver.server.process;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.sandbox.limits.ControlGroups;
import dev.execserver.sandbox.spawn.Buffers;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.ProcessTree;
import dev.execserver.sandbox.spawn.PtyFactory;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.memory.DescriptorRoom;
import dev.execserver.server.memory.MemoryShare;
import dev.execserver.server.proxy.NetworkProxies;
import dev.execserver.server.sandbox.Sandboxes;

/**
 * What the processes of a server share.
 *
 * @param spawner starts children
 * @param marks what descendants of a process bear
 * @param tree ends them, descendants included
 * @param ptys makes terminals
 * @param buffers lends native buffers
 * @param files runs what touches a file system
 * @param timers does things later
 * @param retention how much output is kept
 * @param sandboxes confines programs
 * @param proxies gives processes a network proxy
 * @param groups limits what programs take
 * @param stdinQueueBytes bytes of input queued per process
 * @param dialect whether exits are told with additions
 * @param input what queued input and remembered processes of the whole server may hold
 * @param descriptors whether some are left for what is started
 */
public record ProcessServices(
        Spawner spawner,
        ProcessMarks marks,
        ProcessTree tree,
        PtyFactory ptys,
        Buffers buffers,
        FileWorkers files,
        Timers timers,
        Retention retention,
        Sandboxes sandboxes,
        NetworkProxies proxies,
        ControlGroups groups,
        long stdinQueueBytes,
        Dialect dialect,
        MemoryShare input,
        DescriptorRoom descriptors) {}
