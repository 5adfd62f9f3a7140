package dev.execserver.server.app;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.process.start.ProcessStarter;
import dev.execserver.server.sandbox.NamedProfiles;
import java.util.Map;

/**
 * Parts of the server that commands need.
 *
 * @param environment variables of the server, which commands inherit
 * @param answers memory share of answers and of output on its way
 */
public record CommandHost(
        ProcessStarter starter,
        NamedProfiles profiles,
        FileWorkers files,
        DescriptorBudget descriptors,
        Map<String, String> environment,
        WorkingDirectories directories,
        MemoryBudget answers,
        Dialect dialect) {}
