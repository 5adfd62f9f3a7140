package dev.execserver.server.process.denial;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.process.Denial;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Derives from a program's error message which access the sandbox has denied. A path in the message counts only if the
 * policy really forbids the access. Pure.
 *
 * @param policy the policy of the command
 * @param directory its working directory, canonical
 * @param landlock true if a denied write fails with EACCES instead of EROFS
 */
public record DenialEvidence(ResolvedPolicy policy, LinuxPath directory, boolean landlock) {
    private static final String READ_ONLY = "read-only file system";
    private static final String NO_PERMISSION = "permission denied";
    private static final String NOT_PERMITTED = "operation not permitted";

    private static final Pattern QUOTED = Pattern.compile("['\"\u2018`]([^'\"\u2019`]+)['\"\u2019`]");
    private static final Pattern ABSOLUTE = Pattern.compile("(?<![^\\s:=(\\[])(/[^\\s:'\",;)\\]]+)");
    /**
     * The program's name in a message such as {@code /bin/sh: 1: cannot create x: ...}. A path directly before the
     * phrase is the object instead.
     */
    private static final Pattern SPEAKER = Pattern.compile("^\\s*/[^\\s:]+:\\s");

    private static final Pattern LAST_WORD = Pattern.compile("([^\\s:]+)\\s*:\\s*$");
    private static final Pattern NETWORK =
            Pattern.compile("socket|connect|network|resolve|bind|listen|ping|dial", Pattern.CASE_INSENSITIVE);
    private static final Pattern HOST =
            Pattern.compile("\\b((?:[a-z0-9-]+\\.)+[a-z]{2,}|\\d{1,3}(?:\\.\\d{1,3}){3})\\b", Pattern.CASE_INSENSITIVE);

    /** Returns the denied access that the line reports, if it can be told. */
    Optional<Denial> of(String line) {
        String lower = line.toLowerCase(Locale.ROOT);
        int readOnly = lower.indexOf(READ_ONLY);
        if (readOnly >= 0) {
            return place(line, readOnly, Access.READ).map(this::write);
        }
        int noPermission = lower.indexOf(NO_PERMISSION);
        if (noPermission >= 0) {
            return place(line, noPermission, Access.DENY)
                    .map(this::read)
                    .or(() -> landlock ? place(line, noPermission, Access.READ).map(this::write) : Optional.empty());
        }
        boolean network = lower.contains(NOT_PERMITTED)
                && !policy.network().enabled()
                && NETWORK.matcher(line).find();
        return network ? Optional.of(network(line)) : Optional.empty();
    }

    /** Returns the denial for a command that a filter ended with SIGSYS. */
    static Denial systemCall() {
        return new Denial(
                Denial.SYSTEM_CALL,
                Optional.empty(),
                Optional.empty(),
                Optional.of("the system call filter"),
                Optional.of("run it without the sandbox"));
    }

    private Optional<LinuxPath> place(String line, int phrase, Access access) {
        return candidates(line, phrase).stream()
                .filter(path -> policy.access(path) == access)
                .findFirst();
    }

    /** Collects quoted words, absolute paths, and the word before the phrase, where perror(3) puts the path. */
    private List<LinuxPath> candidates(String line, int phrase) {
        List<String> words = new ArrayList<>();
        collect(QUOTED.matcher(line), words);
        Matcher speaker = SPEAKER.matcher(line);
        boolean spoken = speaker.find() && speaker.end() < phrase;
        collect(ABSOLUTE.matcher(spoken ? line.substring(speaker.end()) : line), words);
        collect(LAST_WORD.matcher(line.substring(0, phrase)), words);
        return words.stream()
                .filter(word -> word.indexOf('\0') < 0)
                .map(directory::resolve)
                .toList();
    }

    private static void collect(Matcher matcher, List<String> words) {
        while (matcher.find()) {
            words.add(matcher.group(1));
        }
    }

    private Denial write(LinuxPath path) {
        return denial(Denial.FILE_WRITE, path, "may only be read", "write");
    }

    private Denial read(LinuxPath path) {
        return denial(Denial.FILE_READ, path, "is hidden", "read");
    }

    private Denial denial(String kind, LinuxPath path, String how, String entry) {
        Optional<Rule> rule = policy.governing(path);
        return new Denial(
                kind,
                Optional.of(path.toString()),
                Optional.empty(),
                Optional.of(rule.map(known -> known.path() + " " + how + " (" + reason(known.origin()) + ")")
                        .orElse("nothing in the profile names it")),
                Optional.of("an entry `" + entry + "` for " + path + ", or run it without the sandbox"));
    }

    private static String reason(Rule.Origin origin) {
        return switch (origin) {
            case ENTRY, PINNED -> "an entry of the profile";
            case PLATFORM_DEFAULT -> "a directory of the platform";
            case PROTECTED_NAME -> "a protected name";
            case GIT_DIRECTORY -> "a git directory";
            case GLOB -> "a match of an unreadable glob";
            case INSTALLATION -> "what the server runs from";
            case SERVER_SETTINGS -> "a file that says what the server allows";
            case SERVER -> "a file of the server";
        };
    }

    private Denial network(String line) {
        Matcher host = HOST.matcher(line);
        return new Denial(
                Denial.NETWORK,
                Optional.empty(),
                host.find() ? Optional.of(host.group(1)) : Optional.empty(),
                Optional.of("the network is restricted"),
                Optional.of("a profile with the network enabled, or run it without the sandbox"));
    }
}
