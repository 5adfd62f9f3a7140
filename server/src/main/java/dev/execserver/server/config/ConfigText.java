package dev.execserver.server.config;

import dev.execserver.protocol.text.VisibleText;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Writes the settings in force as a properties file: the origin of each value in a comment before it, defaults as comments.
 * Secrets are left out. Stateless.
 */
final class ConfigText {
    /** Options whose values help to find a secret. Files with secrets are named by path, which is no secret. */
    static final Set<Option<?>> SECRETS = Set.of(Options.WS_TOKEN_SHA256);

    private static final String HIDDEN = "(hidden)";

    private ConfigText() {}

    static List<String> lines(Settings settings) {
        return Options.ALL.stream().flatMap(option -> lines(option, settings)).toList();
    }

    private static Stream<String> lines(Option<?> option, Settings settings) {
        return settings.setting(option)
                .map(setting ->
                        Stream.of("# from " + VisibleText.oneLine(setting.origin()), line(option, setting.value())))
                .orElseGet(
                        () -> Stream.of("# %s (default: %s)".formatted(option.propertyName(), option.defaultText())));
    }

    private static String line(Option<?> option, String value) {
        if (SECRETS.contains(option)) {
            return "# %s=%s".formatted(option.propertyName(), HIDDEN);
        }
        // The file that was read cannot name itself.
        String prefix = option.equals(Options.CONFIG) ? "# " : "";
        return prefix + option.propertyName() + "=" + VisibleText.oneLine(value);
    }
}
