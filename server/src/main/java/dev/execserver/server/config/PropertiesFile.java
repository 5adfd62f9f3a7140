package dev.execserver.server.config;

import static java.util.stream.Collectors.toMap;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.FileErrors;
import dev.execserver.server.config.Settings.Setting;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads the properties file: UTF-8, one {@code name=value} a line; lines that start with {@code #} or {@code !} are
 * comments. There are no escapes and no continuation lines, so that paths can be written as they are.
 * {@link java.util.Properties} would lose the line numbers, which the messages give.
 */
final class PropertiesFile {
    private static final Map<String, Option<?>> OPTIONS =
            Options.ALL.stream().collect(toMap(Option::propertyName, Function.identity()));

    private static final String LISTED =
            "`exec-server --help` lists the options, a property is named like its option without the dashes";

    private PropertiesFile() {}

    static Map<Option<?>, Setting> read(Path file) {
        Map<Option<?>, Setting> settings = new HashMap<>();
        List<String> lines = lines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && line.charAt(0) != '#' && line.charAt(0) != '!') {
                readLine(line, file + ":" + (i + 1), settings);
            }
        }
        return settings;
    }

    private static void readLine(String line, String origin, Map<Option<?>, Setting> settings) {
        int equals = line.indexOf('=');
        if (equals < 0) {
            throw ConfigException.usage("%s: expected `name=value`, found `%s`".formatted(origin, line));
        }
        String name = line.substring(0, equals).strip();
        String value = line.substring(equals + 1).strip();
        Option<?> option = OPTIONS.get(name);
        if (option == null) {
            throw ConfigException.usage("%s: unknown property `%s`; %s"
                    .formatted(
                            origin,
                            name,
                            SpellingHint.nearest(name, OPTIONS.keySet())
                                    .map("did you mean %s?"::formatted)
                                    .orElse(LISTED)));
        }
        if (option.equals(Options.CONFIG)) {
            throw ConfigException.usage("%s: `config` cannot be set in a properties file; use --config or %s"
                    .formatted(origin, Options.CONFIG.environmentName()));
        }
        if (value.endsWith("\\")) {
            throw ConfigException.usage(
                    "%s: the value of `%s` ends with a backslash; continuation lines do not exist, write the value on one line"
                            .formatted(origin, name));
        }
        Setting earlier = settings.putIfAbsent(option, new Setting(value, origin));
        if (earlier != null) {
            throw ConfigException.usage(
                    "%s: `%s` is already set at %s; remove one of the two".formatted(origin, name, earlier.origin()));
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (CharacterCodingException e) {
            throw ConfigException.failure("failed to read properties file %s: it is not UTF-8".formatted(file));
        } catch (IOException e) {
            throw ConfigException.failure("failed to read properties file %s: %s".formatted(file, FileErrors.text(e)));
        }
    }
}
