package dev.execserver.protocol.schema;

import java.util.List;

/** Texts of errors -32602 about params that the schema accepts, with the reasons. */
final class UnsayableErrors {

    private static final List<String> TEXTS = List.of(
            // It depends on the machine, on the connection or on earlier messages.
            "requires executor environment variable",
            "cannot use executor environment variable",
            "is already active",
            "exec-server is running without",
            // The dialect open accepts native paths, and the schema describes it.
            "relative URL without a base",
            "url is invalid",
            // One member permits or forbids another; null counts as absent, which would double every condition.
            "size requires tty",
            "cannot set both",
            "requires deltaBase64 or closeStdin",
            "at least one config or requirements path is required");

    private UnsayableErrors() {}

    static boolean isSayable(String error) {
        return TEXTS.stream().noneMatch(error::contains);
    }
}
