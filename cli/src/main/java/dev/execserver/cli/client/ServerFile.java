package dev.execserver.cli.client;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.FileErrors;
import dev.execserver.cli.local.ServersPlace;
import dev.execserver.cli.secret.SecretPermissions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * File of the user with named servers. It names commands that are executed, so one that others can change is refused. A line is
 * {@code [NAME]}, {@code KEY = VALUE} or a comment; {@code default = NAME} stands before the first name.
 */
final class ServerFile {
    private static final String DEFAULT = "default";
    private static final List<String> KEYS = List.of("url", "token-file", "token-command", "ca-file", "server-program");
    private static final long MAX_BYTES = 1 << 20;

    private final Path path;
    private final Map<String, Map<String, String>> servers = new LinkedHashMap<>();
    private Optional<String> standard = Optional.empty();

    private ServerFile(Path path) {
        this.path = path;
    }

    /** Reads the file; one that is not there is empty. */
    static ServerFile read(Map<String, String> environment) {
        Optional<Path> place = ServersPlace.of(environment).filter(Files::exists);
        ServerFile made = new ServerFile(place.orElse(Path.of("~/.config/exec-server/config")));
        if (place.isPresent()) {
            made.load(place.get(), environment.getOrDefault("HOME", ""));
        }
        return made;
    }

    /** Returns the settings of a server. */
    Map<String, String> server(String name) {
        return Optional.ofNullable(servers.get(name)).orElseThrow(() -> {
            throw ConfigException.usage("no server `%s` in %s; %s"
                    .formatted(
                            name,
                            path,
                            servers.isEmpty() ? "it names none" : "there are " + String.join(", ", servers.keySet())));
        });
    }

    /** Returns the settings of the server that is used when none is named. */
    Optional<Map<String, String>> standard() {
        return standard.map(this::server);
    }

    private void load(Path place, String home) {
        List<String> unsafe = SecretPermissions.warnings("the file", place, SecretPermissions.Content.COMMANDS);
        if (!unsafe.isEmpty()) {
            throw ConfigException.failure("refused: " + unsafe.getFirst());
        }
        try {
            if (Files.size(place) > MAX_BYTES) {
                throw ConfigException.failure("%s has more than %d bytes".formatted(place, MAX_BYTES));
            }
            List<String> lines = Files.readAllLines(place);
            Map<String, String> section = null;
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i).strip();
                if (line.startsWith("[") && line.endsWith("]")) {
                    section = servers.computeIfAbsent(
                            line.substring(1, line.length() - 1).strip(), _ -> new LinkedHashMap<>());
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                    enter(section, line, i + 1, home);
                }
            }
        } catch (IOException e) {
            throw ConfigException.failure("%s cannot be read: %s".formatted(place, FileErrors.text(e)));
        }
    }

    private void enter(Map<String, String> section, String line, int number, String home) {
        int equals = line.indexOf('=');
        String key = equals < 0 ? line : line.substring(0, equals).strip();
        String value = line.substring(equals + 1).strip();
        if (equals < 0 || value.isEmpty()) {
            throw ConfigException.failure("%s, line %d: not KEY = VALUE".formatted(path, number));
        }
        if (section == null && key.equals(DEFAULT)) {
            standard = Optional.of(value);
        } else if (section == null || !KEYS.contains(key)) {
            throw ConfigException.failure("%s, line %d: unknown key `%s`; %s"
                    .formatted(
                            path,
                            number,
                            key,
                            section == null
                                    ? "before the first [NAME] stands `default` only"
                                    : "there are " + String.join(", ", KEYS)));
        } else {
            section.put(key, key.endsWith("-file") && value.startsWith("~/") ? home + value.substring(1) : value);
        }
    }
}
