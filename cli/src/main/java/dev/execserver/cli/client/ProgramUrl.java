package dev.execserver.cli.client;

import dev.execserver.cli.local.ConfigException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * URL of a server that is started for one command, on another machine by ssh or in a container by docker, and that ends with it:
 * {@code ssh:USER@HOST}, {@code ssh://USER@HOST:PORT}, {@code docker:NAME}. It speaks over standard streams. All words are arguments; the only
 * shell that reads one is that behind ssh, which gets nothing but the checked path of the program. Stateless.
 *
 * <p>Ctrl-C of a terminal goes to its whole foreground group, and must not end the way to the server: this program passes it on there.
 * So ssh is started with the signals of the terminal ignored, and can still ask for a password. docker would catch them all the same, and
 * gets a session of its own.
 */
final class ProgramUrl {
    private static final String SSH = "ssh:";
    private static final String DOCKER = "docker:";
    private static final String PROGRAM = "exec-server";

    /** Shell that hands its arguments on as they are. */
    private static final List<String> DEAF = List.of("sh", "-c", "trap '' HUP INT QUIT; exec \"$@\"", "sh");

    private static final List<String> APART = List.of("setsid");

    /** Begins with no minus, so that it is no option, and has nothing that a shell would understand. */
    private static final Pattern DESTINATION = Pattern.compile("(ssh://)?[A-Za-z0-9_][A-Za-z0-9_.@:+%\\[\\]-]*");

    private static final Pattern CONTAINER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]*");
    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9_/~.][A-Za-z0-9_/.+-]*");

    private ProgramUrl() {}

    static boolean is(String url) {
        return url.startsWith(SSH) || url.startsWith(DOCKER);
    }

    /** Returns the name of the program that finds the server. */
    static String program(String url) {
        return url.startsWith(DOCKER) ? "docker" : "ssh";
    }

    /**
     * Returns the program to start.
     *
     * @param program path of exec-server there; if empty, it is looked up in the PATH there
     * @throws ConfigException if the URL or the path is none
     */
    static List<String> argv(String url, Optional<String> program) {
        String server = checked(program.orElse(PROGRAM), PATH, "a path of exec-server without blanks");
        if (url.startsWith(DOCKER)) {
            String name = checked(url.substring(DOCKER.length()), CONTAINER, "docker:NAME");
            return joined(APART, List.of(program(url), "exec", "-i", name, server, "--listen", "stdio"));
        }
        String rest = url.startsWith(SSH + "//") ? url : url.substring(SSH.length());
        String destination = checked(rest, DESTINATION, "ssh:USER@HOST");
        return joined(DEAF, List.of(program(url), "-T", "--", destination, server, "--listen", "stdio"));
    }

    private static List<String> joined(List<String> before, List<String> argv) {
        return Stream.concat(before.stream(), argv.stream()).toList();
    }

    private static String checked(String text, Pattern pattern, String expected) {
        if (!pattern.matcher(text).matches()) {
            throw ConfigException.usage("invalid value `%s`; give %s".formatted(text, expected));
        }
        return text;
    }
}
