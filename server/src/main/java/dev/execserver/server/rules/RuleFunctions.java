package dev.execserver.server.rules;

import static dev.execserver.server.rules.starlark.Builtin.Parameter.optional;
import static dev.execserver.server.rules.starlark.Builtin.Parameter.required;

import dev.execserver.server.rules.PrefixRule.Origin;
import dev.execserver.server.rules.starlark.Builtin;
import dev.execserver.server.rules.starlark.Callable;
import dev.execserver.server.rules.starlark.Failure;
import dev.execserver.server.rules.starlark.Interpreter;
import dev.execserver.server.rules.starlark.ListValue;
import dev.execserver.server.rules.starlark.NoneValue;
import dev.execserver.server.rules.starlark.Values;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The functions that a rules file calls: prefix_rule, host_executable, network_rule. They collect what it says. */
final class RuleFunctions {
    /** Rules that one server or request has at most. */
    static final int MAX_RULES = 100_000;

    private static final Set<String> REVIEWERS = Set.of("user", "auto_review");

    private final String file;
    private final List<PrefixRule> rules;
    private final Map<String, Set<String>> executables;
    private final List<NetworkRule> network;
    private final List<Examples> examples = new ArrayList<>();

    /**
     * Self-test of one call.
     *
     * @param rules of that call
     */
    record Examples(List<PrefixRule> rules, List<List<String>> match, List<List<String>> notMatch) {}

    RuleFunctions(
            String file, List<PrefixRule> rules, Map<String, Set<String>> executables, List<NetworkRule> network) {
        this.file = file;
        this.rules = rules;
        this.executables = executables;
        this.network = network;
    }

    List<Examples> examples() {
        return examples;
    }

    List<Callable> all() {
        return List.of(
                new Builtin(
                        "prefix_rule",
                        List.of(
                                required("pattern", "list"),
                                optional("decision", "str"),
                                optional("match", "list"),
                                optional("not_match", "list"),
                                optional("justification", "str"),
                                optional("canonical_matching", "bool"),
                                optional("reviewer", "str")),
                        this::prefixRule),
                new Builtin(
                        "host_executable",
                        List.of(required("name", "str"), required("paths", "list")),
                        this::hostExecutable),
                new Builtin(
                        "network_rule",
                        List.of(
                                required("host", "str"),
                                required("protocol", "str"),
                                required("decision", "str"),
                                optional("justification", "str"),
                                optional("program", "str")),
                        this::networkRule));
    }

    private Object prefixRule(Interpreter interpreter, List<Optional<Object>> arguments) {
        RuleDecision decision = arguments
                .get(1)
                .map(word -> RuleDecision.of((String) word).orElseThrow(() -> new Failure("invalid decision: " + word)))
                .orElse(RuleDecision.ALLOW);
        Optional<String> justification = justification(arguments.get(4));
        List<TokenPattern> pattern = pattern((ListValue) arguments.get(0).orElseThrow());
        List<List<String>> match = examples(arguments.get(2));
        List<List<String>> notMatch = examples(arguments.get(3));
        boolean anyCase = arguments.get(5).map(Boolean.class::cast).orElse(false);
        Optional<String> reviewer = arguments.get(6).map(String.class::cast);
        reviewer.filter(name -> !REVIEWERS.contains(name)).ifPresent(name -> {
            throw new Failure("invalid reviewer: " + name);
        });
        Origin origin = new Origin(file, interpreter.line());
        List<PrefixRule> made = pattern.getFirst().alternatives().stream()
                .map(first -> new PrefixRule(
                        first, pattern.subList(1, pattern.size()), anyCase, decision, justification, reviewer, origin))
                .toList();
        if (rules.size() + made.size() > MAX_RULES) {
            throw new Failure("there are more than %d rules".formatted(MAX_RULES));
        }
        rules.addAll(made);
        examples.add(new Examples(made, match, notMatch));
        return NoneValue.NONE;
    }

    private static Optional<String> justification(Optional<Object> given) {
        Optional<String> text = given.map(String.class::cast);
        if (text.filter(String::isBlank).isPresent()) {
            throw new Failure("invalid rule: justification cannot be empty");
        }
        return text;
    }

    private static List<TokenPattern> pattern(ListValue given) {
        if (given.elements().isEmpty()) {
            throw new Failure("invalid pattern element: pattern cannot be empty");
        }
        return given.elements().stream().map(RuleFunctions::token).toList();
    }

    private static TokenPattern token(Object element) {
        return switch (element) {
            case String word -> new TokenPattern(List.of(word));
            case ListValue choices -> {
                if (choices.elements().isEmpty()) {
                    throw new Failure("invalid pattern element: pattern alternatives cannot be empty");
                }
                yield new TokenPattern(choices.elements().stream()
                        .map(RuleFunctions::alternative)
                        .toList());
            }
            default ->
                throw new Failure(
                        "invalid pattern element: pattern element must be a string or list of strings (got %s)"
                                .formatted(Values.type(element)));
        };
    }

    private static String alternative(Object choice) {
        if (!(choice instanceof String word)) {
            throw new Failure("invalid pattern element: pattern alternative must be a string (got %s)"
                    .formatted(Values.type(choice)));
        }
        return word;
    }

    private static List<List<String>> examples(Optional<Object> given) {
        return given.map(list -> ((ListValue) list)
                        .elements().stream().map(RuleFunctions::example).toList())
                .orElse(List.of());
    }

    private static List<String> example(Object example) {
        switch (example) {
            case String line -> {
                List<String> words = ShellWords.split(line)
                        .orElseThrow(() -> new Failure("invalid example: example string has invalid shell syntax"));
                if (words.isEmpty()) {
                    throw new Failure("invalid example: example cannot be an empty string");
                }
                return words;
            }
            case ListValue list -> {
                if (list.elements().isEmpty()) {
                    throw new Failure("invalid example: example cannot be an empty list");
                }
                return list.elements().stream().map(RuleFunctions::exampleWord).toList();
            }
            default ->
                throw new Failure("invalid example: example must be a string or list of strings (got %s)"
                        .formatted(Values.type(example)));
        }
    }

    private static String exampleWord(Object word) {
        if (!(word instanceof String text)) {
            throw new Failure("invalid example: example tokens must be strings (got %s)".formatted(Values.type(word)));
        }
        return text;
    }

    private Object hostExecutable(Interpreter interpreter, List<Optional<Object>> arguments) {
        String name = (String) arguments.get(0).orElseThrow();
        if (name.isEmpty()) {
            throw new Failure("invalid rule: host_executable name cannot be empty");
        }
        if (name.contains("/") || name.equals(".") || name.equals("..")) {
            throw new Failure(
                    "invalid rule: host_executable name must be a bare executable name (got %s)".formatted(name));
        }
        Set<String> paths = new LinkedHashSet<>();
        for (Object path : ((ListValue) arguments.get(1).orElseThrow()).elements()) {
            paths.add(path(name, path));
        }
        executables.put(name, paths);
        return NoneValue.NONE;
    }

    private static String path(String name, Object given) {
        if (!(given instanceof String text)) {
            throw new Failure(
                    "invalid rule: host_executable paths must be strings (got %s)".formatted(Values.type(given)));
        }
        if (!text.startsWith("/") && !text.startsWith("~/")) {
            throw new Failure("invalid rule: host_executable paths must be absolute (got %s)".formatted(text));
        }
        String path = ProgramPaths.normal(ProgramPaths.withHome(text));
        if (!path.substring(path.lastIndexOf('/') + 1).equals(name)) {
            throw new Failure("invalid rule: host_executable path `%s` must have basename `%s`".formatted(text, name));
        }
        return path;
    }

    private Object networkRule(Interpreter interpreter, List<Optional<Object>> arguments) {
        String protocol = (String) arguments.get(1).orElseThrow();
        NetworkRule.Protocol known = NetworkRule.Protocol.of(protocol)
                .orElseThrow(() -> new Failure(
                        "invalid rule: network_rule protocol must be one of http, https, socks5_tcp, socks5_udp (got %s)"
                                .formatted(protocol)));
        String host = NetworkHost.read((String) arguments.get(0).orElseThrow());
        String word = (String) arguments.get(2).orElseThrow();
        RuleDecision decision = RuleDecision.of(word.equals("deny") ? "forbidden" : word)
                .orElseThrow(() -> new Failure("invalid decision: " + word));
        if (network.size() == MAX_RULES) {
            throw new Failure("there are more than %d network rules".formatted(MAX_RULES));
        }
        Optional<String> program = arguments.get(4).map(String.class::cast);
        program.ifPresent(path -> requireKnown(path, known));
        network.add(new NetworkRule(host, known, decision, justification(arguments.get(3)), program));
        return NoneValue.NONE;
    }

    /** Checks the program of a network rule. Only connections that come by no HTTP proxy tell theirs. */
    private static void requireKnown(String program, NetworkRule.Protocol protocol) {
        RuledProgram.flaw(program).ifPresent(flaw -> {
            throw new Failure("invalid rule: network_rule " + flaw);
        });
        if (protocol != NetworkRule.Protocol.SOCKS5_TCP) {
            throw new Failure("invalid rule: network_rule with a program can never match but with protocol socks5_tcp");
        }
    }
}
