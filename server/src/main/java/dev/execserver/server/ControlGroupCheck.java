package dev.execserver.server;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.sandbox.limits.ControlGroups;
import dev.execserver.server.config.ServerConfig;
import dev.execserver.server.rights.CommandBounds;
import dev.execserver.server.rights.LimitSet;

/** Checks that this machine can enforce the limits that the operator sets for all commands. Stateless. */
final class ControlGroupCheck {
    private ControlGroupCheck() {}

    /** @throws ConfigException if one of them would make every command fail */
    static void check(ServerConfig config) {
        CommandBounds bounds = config.platform().bounds();
        require("--default-limits", bounds.defaults());
        require("--max-limits", bounds.maxima());
        require("--session-limits", bounds.ofSession());
        require("--server-limits", bounds.ofServer());
    }

    private static void require(String option, LimitSet limits) {
        if (!ControlGroups.canBound(limits.totals())) {
            throw ConfigException.failure(
                    "the limits pids and memoryBytes of " + option
                            + " need control groups, and this server may make none for them",
                    "Delegate a control group with the controllers memory and pids to the server (systemd: Delegate=yes), or leave"
                            + " these limits out; `exec-server doctor` says what is there.");
        }
    }
}
