package dev.execserver.server.methods;

import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.rpc.RpcException;
import java.util.Map;

/** Checks decoded params of {@code process/start}. Stateless. */
public final class StartParamsChecks {

    private StartParamsChecks() {}

    /** @throws RpcException -32602 that names the wrong member */
    public static void check(StartParams params) {
        if (params.argv().isEmpty()) {
            throw RpcException.invalidParams("argv must not be empty");
        }
        params.cwd().requireLinux("cwd");
        for (int i = 0; i < params.argv().size(); i++) {
            refuseNul(params.argv().get(i), "argv[" + i + "]");
        }
        params.arg0().ifPresent(arg0 -> refuseNul(arg0, "arg0"));
        checkVariables(params.env(), "env");
        params.envPolicy().ifPresent(policy -> checkVariables(policy.set(), "envPolicy.set"));
        if (params.enforceManagedNetwork() && params.sandbox().isEmpty()) {
            throw RpcException.invalidParams(
                    "`enforceManagedNetwork` needs a `sandbox`: without one nothing keeps the process from the network");
        }
    }

    private static void checkVariables(Map<String, String> variables, String member) {
        variables.forEach((name, value) -> {
            if (name.isEmpty() || name.indexOf('=') >= 0) {
                throw RpcException.invalidParams(
                        member + " has a variable whose name is empty or contains `=`: `" + name + "`");
            }
            refuseNul(name, "the name of a variable in " + member);
            refuseNul(value, member + "." + name);
        });
    }

    private static void refuseNul(String text, String what) {
        if (text.indexOf('\0') >= 0) {
            throw RpcException.invalidParams(what + " must not contain a NUL character");
        }
    }
}
