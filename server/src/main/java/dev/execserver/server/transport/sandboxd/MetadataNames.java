package dev.execserver.server.transport.sandboxd;

import dev.execserver.server.environment.ChildEnvironment;
import java.util.List;
import java.util.Locale;

/** Decides which variables of the server's environment {@code /v1/metadata} shows. Stateless. */
final class MetadataNames {

    /** Prefix of the variables that whoever starts a sandbox means for its clients. */
    static final String PREFIX = "SANDBOX_";

    /**
     * Parts of names that stand for a log-in, besides those that {@link ChildEnvironment} takes for names of secrets. A secret does
     * not belong into such a variable; this is for those who put it there.
     */
    private static final List<String> LOG_INS = List.of("AUTH", "CREDENTIAL", "PASS");

    private MetadataNames() {}

    static boolean shown(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return name.startsWith(PREFIX)
                && !ChildEnvironment.secret(name)
                && LOG_INS.stream().noneMatch(upper::contains);
    }
}
