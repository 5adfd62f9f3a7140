package dev.execserver.server.transport.sandboxd;

import java.util.List;
import java.util.Locale;

/** Decides which variables of the server's environment {@code /v1/metadata} shows. Stateless. */
final class MetadataNames {

    /** Prefix of the variables that whoever starts a sandbox means for its clients. */
    static final String PREFIX = "SANDBOX_";

    /** Parts of the names of variables that may hold a secret. Such a variable does not belong there; this is for those who put it there. */
    private static final List<String> SECRETS =
            List.of("AUTH", "BEARER", "CERT", "CRED", "KEY", "PASSW", "PRIVATE", "SECRET", "TOKEN");

    private MetadataNames() {}

    static boolean shown(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return name.startsWith(PREFIX) && SECRETS.stream().noneMatch(upper::contains);
    }
}
