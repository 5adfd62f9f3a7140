package dev.execserver.server.exec;

import dev.execserver.protocol.process.ExecPolicyParams;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.server.rules.NetworkRules;
import dev.execserver.server.rules.RuleDecision;
import dev.execserver.server.rules.RuleMatch;
import dev.execserver.server.rules.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * All rules of one command: the operator's, which hold for everyone, and the client's, which can only be stricter. Immutable;
 * {@link #judge} touches files.
 *
 * <p>A rule is found by the path of the file that will run, or by a base name. A base name allows a program only if
 * {@code host_executable} lists its path, or if the command cannot write the folder that it lies in. It forbids always: a
 * program that is called like a forbidden one does not run because it lies elsewhere. A link is a name of the program that forbids,
 * and that allows if the command could not have made it. An allowed script must be called by a path that leads nowhere else later. The
 * interpreters of a script are programs too, with the arguments that the kernel gives them.
 *
 * @param operator rules of the operator
 * @param client rules of the client
 * @param fallback decision about a program that no rule of the client matches
 * @param heuristics true if such a program is judged by its command line first
 * @param escalates true if programs that a rule of the client allows leave the sandbox
 * @param wholePaths true if the client's rules are found by paths alone
 */
record CommandRules(
        Supplier<RuleSet> operator,
        RuleSet client,
        RuleDecision fallback,
        boolean heuristics,
        boolean escalates,
        boolean wholePaths) {

    /** The rules of the operator alone. */
    static CommandRules ofOperator(Supplier<RuleSet> operator) {
        return new CommandRules(operator, RuleSet.EMPTY, RuleDecision.ALLOW, false, false, false);
    }

    CommandRules withoutHeuristics() {
        return new CommandRules(operator, client, fallback, false, escalates, wholePaths);
    }

    static RuleDecision decision(ExecPolicyParams.Fallback fallback) {
        return switch (fallback) {
            case ALLOW -> RuleDecision.ALLOW;
            case PROMPT -> RuleDecision.PROMPT;
            case FORBID -> RuleDecision.FORBIDDEN;
        };
    }

    NetworkRules network() {
        return new NetworkRules(operator, client.network());
    }

    Judgement judge(AskedProgram program, WritableFolders folders) {
        List<Name> names = names(program, folders);
        List<RuleMatch> ours = matches(operator.get(), names, program.rest(), true);
        List<RuleMatch> theirs = matches(client, names, program.rest(), !wholePaths);
        Optional<RuleDecision> byLine = theirs.isEmpty() ? byLine(names, program.rest()) : Optional.empty();
        List<RuleMatch> brought = program.involved().stream()
                .flatMap(other -> brought(other, folders))
                .toList();
        Optional<RuleDecision> broughtByLine = program.involved().stream()
                .flatMap(other -> byLine(calledNames(other), other.rest()).stream())
                .filter(found -> found != RuleDecision.ALLOW)
                .max(RuleDecision::compareTo);
        RuleDecision decision = Stream.of(
                        RuleSet.strictest(ours).orElse(RuleDecision.ALLOW),
                        RuleSet.strictest(theirs).or(() -> byLine).orElse(fallback),
                        RuleSet.strictest(brought).orElse(RuleDecision.ALLOW),
                        broughtByLine.orElse(RuleDecision.ALLOW))
                .max(RuleDecision::compareTo)
                .orElseThrow();
        List<RuleMatch> all = Stream.of(ours, theirs, brought)
                .flatMap(List::stream)
                .distinct()
                .toList();
        return new Judgement(
                decision,
                all.stream()
                        .filter(match -> match.rule().decision() == decision)
                        .findFirst(),
                escalates
                        && RuleSet.strictest(theirs)
                                .filter(RuleDecision.ALLOW::equals)
                                .isPresent(),
                Stream.concat(byLine.stream(), broughtByLine.stream()).anyMatch(decision::equals),
                all);
    }

    /** Returns the rules that forbid or ask about what a program brings with it; the program itself must be allowed by its own name. */
    private Stream<RuleMatch> brought(AskedProgram other, WritableFolders folders) {
        List<Name> names = names(other, folders);
        return Stream.of(
                        matches(operator.get(), names, other.rest(), true),
                        matches(client, names, other.rest(), !wholePaths))
                .flatMap(matches -> kept(matches, false).stream());
    }

    /** Returns the decision about a command line by what is known about programs. A name allows only as a rule for it would. */
    private Optional<RuleDecision> byLine(List<Name> names, List<String> rest) {
        if (!heuristics) {
            return Optional.empty();
        }
        return names.stream()
                .flatMap(name -> CommandHeuristics.judge(name.base(), rest)
                        .filter(decision ->
                                decision == RuleDecision.ALLOW ? name.baseAllows() : decision.compareTo(fallback) > 0)
                        .stream())
                .max(RuleDecision::compareTo);
    }

    /**
     * A path by which rules know a program.
     *
     * @param allows true if a rule for this path may allow it
     * @param baseAllows true if a rule for the base name may, unless {@code host_executable} has a list
     */
    private record Name(String path, boolean allows, boolean baseAllows) {
        String base() {
            return AskedProgram.baseName(path);
        }
    }

    private static List<Name> names(AskedProgram program, WritableFolders folders) {
        List<Name> names = new ArrayList<>();
        String real = program.text();
        // What an interpreter opens later must be what was allowed.
        boolean leads = !program.script() || folders.leadsToScript(program);
        boolean seen = program.onHost() && real.startsWith("/") && leads;
        names.add(new Name(
                real,
                seen,
                seen && !folders.writable(LinuxPath.of(program.path()).parent())));
        program.calledBy().filter(name -> !name.equals(real)).forEach(name -> {
            // A program with several functions takes the one that its first argument names.
            boolean allows = leads
                    && AskedProgram.baseName(name).equals(program.calledAs())
                    && folders.trustedLink(program, name);
            names.add(new Name(name, allows, allows));
        });
        return names;
    }

    /** Returns the names of a program, none of which allows it. */
    private static List<Name> calledNames(AskedProgram program) {
        return Stream.concat(Stream.of(program.text()), program.calledBy())
                .distinct()
                .map(name -> new Name(name, false, false))
                .toList();
    }

    /** @param byBase true if a base name finds rules too */
    private static List<RuleMatch> matches(RuleSet rules, List<Name> names, List<String> rest, boolean byBase) {
        List<RuleMatch> matches = new ArrayList<>();
        for (Name name : names) {
            matches.addAll(kept(rules.match(command(name.path(), rest)), name.allows()));
            Optional<Boolean> listed = rules.executables(name.base()).map(paths -> paths.contains(name.path()));
            if (byBase && !name.base().isEmpty() && listed.orElse(true)) {
                boolean allows = listed.map(_ -> name.allows()).orElse(name.baseAllows());
                matches.addAll(kept(rules.match(command(name.base(), rest)), allows));
            }
        }
        return matches.stream().distinct().toList();
    }

    private static List<RuleMatch> kept(List<RuleMatch> matches, boolean allows) {
        return matches.stream()
                .filter(match -> allows || match.rule().decision() != RuleDecision.ALLOW)
                .toList();
    }

    private static List<String> command(String program, List<String> rest) {
        List<String> command = new ArrayList<>(rest.size() + 1);
        command.add(program);
        command.addAll(rest);
        return command;
    }
}
