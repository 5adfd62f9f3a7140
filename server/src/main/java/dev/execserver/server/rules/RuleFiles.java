package dev.execserver.server.rules;

import dev.execserver.cli.local.FileErrors;
import dev.execserver.cli.local.TextFile;
import dev.execserver.server.rules.RuleFunctions.Examples;
import dev.execserver.server.rules.starlark.Formatter;
import dev.execserver.server.rules.starlark.Program;
import dev.execserver.server.rules.starlark.StarlarkException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * Reads rules files, one after the other, into one set: rules add up, and of {@code host_executable} calls with the same name the
 * last one counts. The first fault ends the reading. Used by one thread.
 */
public final class RuleFiles {
    private static final String SUFFIX = ".rules";

    private final List<PrefixRule> rules = new ArrayList<>();
    private final Map<String, Set<String>> executables = new HashMap<>();
    private final List<NetworkRule> network = new ArrayList<>();

    /** @throws RuleFileException when the file cannot be read or is no rules file */
    public RuleFiles add(Path file) {
        return add(file.toString(), read(file));
    }

    /**
     * Adds rules that came as text.
     *
     * @param name as errors tell it
     * @throws RuleFileException when the text is no rules file
     */
    public RuleFiles add(String name, String text) {
        RuleFunctions functions = new RuleFunctions(name, rules, executables, network);
        try {
            Program.read(name, text, functions.all()).run();
        } catch (StarlarkException failure) {
            throw parse(name, "starlark error: " + failure.describe());
        }
        functions.examples().forEach(examples -> check(name, examples));
        return this;
    }

    /**
     * Returns the text of a rules file in the usual layout.
     *
     * @param name as errors tell it
     * @throws RuleFileException when the text is no rules file
     */
    public static String format(String name, String text) {
        try {
            return Formatter.format(name, text);
        } catch (StarlarkException failure) {
            throw parse(name, "starlark error: " + failure.describe());
        }
    }

    /**
     * Adds a rule that came as JSON.
     *
     * @param name as errors and reports tell it, with {@code line}
     * @param pattern one list of alternatives for each word
     * @throws RuleFileException when it is no rule
     */
    public RuleFiles addPrefix(
            String name,
            int line,
            List<List<String>> pattern,
            String decision,
            Optional<String> justification,
            boolean anyCase) {
        RuleDecision known = RuleDecision.of(decision).orElseThrow(() -> parse(name, "invalid decision: " + decision));
        if (pattern.isEmpty() || pattern.stream().anyMatch(List::isEmpty)) {
            throw parse(name, "invalid pattern element: pattern and its alternatives cannot be empty");
        }
        if (justification.filter(String::isBlank).isPresent()) {
            throw parse(name, "invalid rule: justification cannot be empty");
        }
        if (rules.size() + pattern.getFirst().size() > RuleFunctions.MAX_RULES) {
            throw parse(name, "there are more than %d rules".formatted(RuleFunctions.MAX_RULES));
        }
        List<TokenPattern> rest =
                pattern.stream().skip(1).map(TokenPattern::new).toList();
        for (String first : pattern.getFirst()) {
            rules.add(new PrefixRule(
                    first, rest, anyCase, known, justification, Optional.empty(), new PrefixRule.Origin(name, line)));
        }
        return this;
    }

    /**
     * Returns the rules files of a folder in the order of their names, or the file itself if it is none.
     *
     * @throws RuleFileException when the folder cannot be listed
     */
    public static List<Path> inFolder(Path given) {
        if (!Files.isDirectory(given)) {
            return List.of(given);
        }
        try (Stream<Path> files = Files.list(given)) {
            return files.filter(file -> file.toString().endsWith(SUFFIX) && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        } catch (IOException failure) {
            throw unreadable(given, String.valueOf(failure.getMessage()));
        }
    }

    /** Returns what was read so far. */
    public RuleSet rules() {
        return new RuleSet(rules, executables, network);
    }

    private void check(String name, Examples examples) {
        RuleSet own = new RuleSet(examples.rules(), executables, List.of());
        BiPredicate<String, String> standsFor = own::listedOrUnlisted;
        for (List<String> example : examples.notMatch()) {
            own.match(example, example.getFirst(), standsFor).stream()
                    .findFirst()
                    .ifPresent(match -> {
                        throw parse(
                                name,
                                "expected example to not match rule `%s`: %s"
                                        .formatted(match.debug(), ShellWords.joined(example)));
                    });
        }
        List<String> unmatched = examples.match().stream()
                .filter(example ->
                        own.match(example, example.getFirst(), standsFor).isEmpty())
                .map(ShellWords::joined)
                .toList();
        if (!unmatched.isEmpty()) {
            throw parse(
                    name,
                    "expected every example to match at least one rule. rules: %s; unmatched examples: %s"
                            .formatted(
                                    DebugText.list(examples.rules().stream()
                                            .map(PrefixRule::debug)
                                            .toList()),
                                    DebugText.list(unmatched)));
        }
    }

    private static RuleFileException parse(String name, String details) {
        return new RuleFileException("failed to parse policy at " + name, details);
    }

    /**
     * Returns the text of a file.
     *
     * @throws RuleFileException when it cannot be read
     */
    public static String read(Path file) {
        try {
            return TextFile.read(file, Program.MAX_LENGTH);
        } catch (CharacterCodingException failure) {
            throw unreadable(file, "stream did not contain valid UTF-8");
        } catch (IOException failure) {
            throw unreadable(file, FileErrors.text(failure));
        }
    }

    private static RuleFileException unreadable(Path file, String details) {
        return new RuleFileException("failed to read policy at " + file, details);
    }
}
