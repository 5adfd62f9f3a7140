package dev.execserver.server.process;

import dev.execserver.sandbox.io.PtyFactory;
import dev.execserver.sandbox.limits.ControlGroups;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.tree.ProcessTree;
import dev.execserver.server.rights.CommandBounds;

/**
 * Parts of the server that start programs and end them.
 *
 * @param spawner starts children
 * @param marks makes the marks by which descendants of a process are found
 * @param tree kills processes with their descendants
 * @param ptys makes terminals
 * @param groups makes control groups, which limit the resources of programs
 * @param bounds limits that the operator sets
 */
public record SpawnServices(
        Spawner spawner,
        ProcessMarks marks,
        ProcessTree tree,
        PtyFactory ptys,
        ControlGroups groups,
        CommandBounds bounds) {}
