package dev.execserver.sandbox.intercept;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reduces the environment of an escalated program to what is known to be harmless. The sandbox has written these variables, and the
 * program runs outside of it: a list of what programs obey (loader, shells, interpreters, tools that name programs and settings) would
 * never be complete. Immutable; any thread.
 */
public final class TrustedEnvironment {
    /** A value that leads to no file: no slash and no two dots. Libraries look for locales and the like by such values. */
    private static final Pattern PLAIN = Pattern.compile("(?!.*\\.\\.)[\\w.,:;@+=-]*");

    /** A name of the time zone database, or a rule like CET-1CEST. */
    private static final Pattern ZONE = Pattern.compile("\\w[\\w+-]*(/\\w[\\w+-]*)*");

    private static final String PATH = "PATH";
    private static final String HOME = "HOME";
    private static final String ZONE_NAME = "TZ";
    private static final String LOCALE = "LC_";

    /** Variables that are kept, with the reason why they cannot harm. */
    private static final Map<String, String> KEPT = Map.ofEntries(
            Map.entry(PATH, "programs are found by it; only directories of the system stay in it"),
            Map.entry(HOME, "is replaced by the home directory of the server"),
            Map.entry("USER", "a name that is shown"),
            Map.entry("LOGNAME", "a name that is shown"),
            Map.entry("LANG", "chooses a language and character set that the system has"),
            Map.entry("LANGUAGE", "chooses languages that the system has"),
            Map.entry(ZONE_NAME, "chooses a time zone that the system has"),
            Map.entry("TERM", "names a terminal whose description the system has"),
            Map.entry("COLORTERM", "says that the terminal has more colours"),
            Map.entry("COLUMNS", "a number"),
            Map.entry("LINES", "a number"),
            Map.entry("NO_COLOR", "switches colours off"),
            Map.entry("CLICOLOR", "switches colours"),
            Map.entry("CLICOLOR_FORCE", "switches colours on"),
            Map.entry("FORCE_COLOR", "switches colours on"));

    /** Directories where only the administrator puts programs. */
    private static final List<String> SYSTEM =
            List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin");

    private final Set<String> ofOperator;
    private final Optional<String> home;

    private TrustedEnvironment(Set<String> ofOperator, Optional<String> home) {
        this.ofOperator = Set.copyOf(ofOperator);
        this.home = home;
    }

    /**
     * Returns the list that is built in. Programs are searched in directories of the system only, because what is found there
     * runs outside too, and settings are read from the home directory of this server.
     */
    public static TrustedEnvironment standard() {
        return new TrustedEnvironment(Set.of(), Optional.ofNullable(System.getenv(HOME)));
    }

    /** Returns a list with another value for HOME; empty for none. */
    public TrustedEnvironment at(Optional<String> directory) {
        return new TrustedEnvironment(ofOperator, directory);
    }

    /** Returns a list that keeps more variables, with any value. */
    public TrustedEnvironment keeping(Collection<String> names) {
        Set<String> all = new HashSet<>(ofOperator);
        all.addAll(names);
        return new TrustedEnvironment(all, home);
    }

    /** Returns why a variable is kept; empty if it is removed. */
    public Optional<String> reason(String name) {
        if (ofOperator.contains(name)) {
            return Optional.of("the operator keeps it");
        }
        String similar = name.startsWith(LOCALE) ? "LANG" : name;
        return Optional.ofNullable(KEPT.get(similar));
    }

    /**
     * Returns the variables that a trusted program may see. A string that is not {@code NAME=value} is dropped, and of two
     * with the same name the first is kept, because programs differ in which one they read.
     */
    public List<byte[]> clean(List<byte[]> environment) {
        Map<String, byte[]> kept = new LinkedHashMap<>();
        for (byte[] variable : environment) {
            String text = new String(variable, StandardCharsets.ISO_8859_1);
            int equals = text.indexOf('=');
            if (equals > 0 && harmless(text.substring(0, equals), text.substring(equals + 1))) {
                kept.putIfAbsent(text.substring(0, equals), variable);
            }
        }
        kept.computeIfPresent(PATH, (name, variable) -> path(variable));
        kept.remove(HOME);
        home.ifPresent(directory -> kept.put(HOME, (HOME + "=" + directory).getBytes(StandardCharsets.UTF_8)));
        return new ArrayList<>(kept.values());
    }

    private boolean harmless(String name, String value) {
        // A function that Bash exports, which old versions did without a prefix, begins like this.
        if (reason(name).isEmpty() || value.startsWith("() {")) {
            return false;
        }
        if (name.equals(PATH) || ofOperator.contains(name)) {
            return true;
        }
        return (name.equals(ZONE_NAME) ? ZONE : PLAIN).matcher(value).matches();
    }

    private static byte[] path(byte[] variable) {
        String given = new String(variable, StandardCharsets.UTF_8).substring(PATH.length() + 1);
        String kept = Arrays.stream(given.split(":")).filter(SYSTEM::contains).collect(Collectors.joining(":"));
        return (PATH + "=" + kept).getBytes(StandardCharsets.UTF_8);
    }
}
