package dev.execserver.server.process;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Timers;

/**
 * Parts of the server that all processes share.
 *
 * @param spawning starts and ends their programs
 * @param streams memory of their input and output
 * @param limiting sandboxes, proxies and rules of their programs
 * @param files runs work that touches a file system
 * @param timers runs work later
 * @param dialect decides if exits are reported with additional members
 */
public record ProcessServices(
        SpawnServices spawning,
        StreamServices streams,
        SandboxServices limiting,
        FileWorkers files,
        Timers timers,
        Dialect dialect) {}
