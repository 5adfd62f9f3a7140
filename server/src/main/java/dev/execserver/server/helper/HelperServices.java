package dev.execserver.server.helper;

import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.tree.ProcessTree;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.sandbox.Sandboxes;

/**
 * Parts of the server that file helpers need.
 *
 * @param sandboxes makes their sandboxes
 * @param files runs work that touches a file system
 * @param timers ends helpers that nobody uses
 * @param buffers lends native buffers
 * @param marks makes the mark of each helper, by which its processes are found
 * @param tree kills helpers
 * @param descriptors tells if enough file descriptors are left
 */
public record HelperServices(
        Sandboxes sandboxes,
        FileWorkers files,
        Timers timers,
        Buffers buffers,
        ProcessMarks marks,
        ProcessTree tree,
        DescriptorBudget descriptors) {}
