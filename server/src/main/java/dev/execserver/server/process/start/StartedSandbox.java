package dev.execserver.server.process.start;

import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.sandbox.plan.Backend;

/**
 * Sandbox that a start has asked for.
 *
 * @param context as it was read at the start
 * @param backend confines the program now; {@link Backend#NONE} if its rules have let it out
 */
public record StartedSandbox(SandboxContext context, Backend backend) {}
