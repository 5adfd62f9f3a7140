package dev.execserver.server.environment;

import java.util.List;
import java.util.Map;

/** Placeholder until the one of the protocol module is merged. */
public record EnvPolicy(
        Inherit inherit,
        boolean ignoreDefaultExcludes,
        List<String> exclude,
        Map<String, String> set,
        List<String> includeOnly) {
    /** What the child gets of the server's own variables. */
    public enum Inherit {
        CORE,
        ALL,
        NONE
    }
}
