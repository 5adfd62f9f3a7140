package dev.execserver.it.container;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import java.util.ArrayList;
import java.util.List;

/** Profiles that allow everything but what a scenario takes away: kernels that lack something, engines that deny it. */
final class SeccompProfiles {
    static final int EPERM = 1;
    static final int EINVAL = 22;
    static final int ENOSYS = 38;

    private static final int CLONE_NEWUSER = 0x10000000;
    private static final int PR_SET_SECCOMP = 22;

    private final List<JsonNode> rules = new ArrayList<>();

    /** No user namespace for anybody; clone3(2) is unknown, so that the C library takes clone(2), whose flags can be seen. */
    SeccompProfiles namespacesFailWith(int errno) {
        for (String call : List.of("clone", "unshare")) {
            rules.add(Json.object(
                    "names",
                    List.of(call),
                    "action",
                    "SCMP_ACT_ERRNO",
                    "errnoRet",
                    errno,
                    "args",
                    List.of(Json.object(
                            "index",
                            0,
                            "value",
                            CLONE_NEWUSER,
                            "valueTwo",
                            CLONE_NEWUSER,
                            "op",
                            "SCMP_CMP_MASKED_EQ"))));
        }
        return missing("clone3");
    }

    SeccompProfiles landlockMissing() {
        return missing("landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self");
    }

    /** A kernel without filters knows neither way to install one. */
    SeccompProfiles seccompMissing() {
        rules.add(Json.object(
                "names",
                List.of("prctl"),
                "action",
                "SCMP_ACT_ERRNO",
                "errnoRet",
                EINVAL,
                "args",
                List.of(Json.object("index", 0, "value", PR_SET_SECCOMP, "op", "SCMP_CMP_EQ"))));
        return missing("seccomp");
    }

    private SeccompProfiles missing(String... calls) {
        rules.add(Json.object("names", List.of(calls), "action", "SCMP_ACT_ERRNO", "errnoRet", ENOSYS));
        return this;
    }

    String json() {
        return Json.object("defaultAction", "SCMP_ACT_ALLOW", "syscalls", rules).toString();
    }
}
