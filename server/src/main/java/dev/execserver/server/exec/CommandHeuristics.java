package dev.execserver.server.exec;

import dev.execserver.server.rules.RuleDecision;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Judges a command line by common knowledge about programs, where no rule does. Programs are known by name, so this saves
 * questions and asks about accidents; it protects from nobody who means harm. Every program of a script is seen by itself, so the
 * text of a script is not read. Stateless.
 */
final class CommandHeuristics {
    /** Programs that only read what they are told to, or nothing, and print. */
    private static final Set<String> READERS = Set.of(
            "arch",
            "basename",
            "cat",
            "cksum",
            "cmp",
            "comm",
            "cut",
            "df",
            "diff",
            "dir",
            "dirname",
            "du",
            "echo",
            "egrep",
            "expand",
            "expr",
            "false",
            "fgrep",
            "fmt",
            "fold",
            "grep",
            "groups",
            "head",
            "id",
            "join",
            "locale",
            "logname",
            "ls",
            "md5sum",
            "nl",
            "nproc",
            "numfmt",
            "od",
            "paste",
            "pathchk",
            "pr",
            "printenv",
            "printf",
            "ps",
            "ptx",
            "pwd",
            "readlink",
            "realpath",
            "rev",
            "seq",
            "sha1sum",
            "sha256sum",
            "sha512sum",
            "sleep",
            "stat",
            "strings",
            "sum",
            "tac",
            "tail",
            "test",
            "tr",
            "true",
            "tsort",
            "tty",
            "uname",
            "unexpand",
            "uptime",
            "users",
            "vdir",
            "wc",
            "which",
            "who",
            "whoami",
            "[");

    /** Actions of find(1) that write or run something. */
    private static final Set<String> FIND_ACTIONS =
            Set.of("-exec", "-execdir", "-ok", "-okdir", "-delete", "-fls", "-fprint", "-fprint0", "-fprintf");

    /** Options of git(1) that have a value of their own word. */
    private static final Set<String> GIT_VALUES = Set.of("-C", "-c", "--git-dir", "--work-tree", "--namespace");

    /** Options of sudo(8) and doas(1) that have a value of their own word. */
    private static final Set<String> SUDO_VALUES =
            Set.of("-u", "-g", "-h", "-p", "-C", "-r", "-t", "-T", "-U", "-D", "-R", "--user", "--group", "--chdir");

    private CommandHeuristics() {}

    /**
     * Returns ALLOW for a command that only reads, PROMPT for one that destroys what cannot be brought back; empty for all
     * others.
     *
     * @param name base name of the program
     * @param arguments behind the name
     */
    static Optional<RuleDecision> judge(String name, List<String> arguments) {
        if (dangerous(name, arguments)) {
            return Optional.of(RuleDecision.PROMPT);
        }
        return harmless(name, arguments) ? Optional.of(RuleDecision.ALLOW) : Optional.empty();
    }

    private static boolean dangerous(String name, List<String> arguments) {
        return switch (name) {
            case "rm" -> forced(arguments);
            case "git" -> dangerousGit(arguments);
            case "sudo", "doas" -> {
                List<String> command = behindOptions(arguments, SUDO_VALUES);
                yield !command.isEmpty()
                        && dangerous(AskedProgram.baseName(command.getFirst()), command.subList(1, command.size()));
            }
            default -> false;
        };
    }

    /** Returns true if an option before {@code --} is {@code --force} or has the letter f. */
    private static boolean forced(List<String> arguments) {
        return arguments.stream()
                .takeWhile(Predicate.not("--"::equals))
                .anyMatch(word -> "--force".startsWith(word) && word.startsWith("--f")
                        || word.startsWith("-") && !word.startsWith("--") && word.contains("f"));
    }

    private static boolean dangerousGit(List<String> arguments) {
        List<String> command = behindOptions(arguments, GIT_VALUES);
        if (command.isEmpty()) {
            return false;
        }
        return switch (command.getFirst()) {
            case "reset", "rm" -> true;
            case "clean" -> forced(command.subList(1, command.size()));
            default -> false;
        };
    }

    /** Returns what comes behind the leading options. */
    private static List<String> behindOptions(List<String> arguments, Set<String> withValue) {
        int at = 0;
        while (at < arguments.size() && arguments.get(at).startsWith("-")) {
            at += withValue.contains(arguments.get(at)) ? 2 : 1;
        }
        return arguments.subList(Math.min(at, arguments.size()), arguments.size());
    }

    private static boolean harmless(String name, List<String> arguments) {
        return READERS.contains(name)
                || name.equals("find") && arguments.stream().noneMatch(FIND_ACTIONS::contains);
    }
}
