package dev.execserver.server.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.intercept.ProgramFile;
import dev.execserver.sandbox.intercept.Trail;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.server.rules.RuleDecision;
import dev.execserver.server.rules.RuleFiles;
import dev.execserver.server.rules.RuleSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandRulesTest {
    @TempDir
    Path folder;

    private Path tool;

    @BeforeEach
    void makeTool() throws IOException {
        folder = folder.toRealPath();
        tool = Files.copy(Path.of("/bin/true"), folder.resolve("tool"));
    }

    private static RuleSet rules(String text) {
        return new RuleFiles().add("test.rules", text).rules();
    }

    private static CommandRules client(String text, RuleDecision fallback) {
        return new CommandRules(() -> RuleSet.EMPTY, rules(text), fallback, false, true, false);
    }

    /** A command that runs without a sandbox can write the folder of the test. */
    private static Judgement judge(CommandRules rules, AskedProgram program) {
        return rules.judge(program, new WritableFolders(ResolvedPolicy.UNSANDBOXED));
    }

    private AskedProgram called(String... argv) {
        return AskedProgram.own(
                tool.toString().getBytes(StandardCharsets.UTF_8), List.of(argv), List.of(), new byte[] {'/'});
    }

    private RuleDecision decision(String rules) {
        return judge(client(rules, RuleDecision.PROMPT), called("tool", "go")).decision();
    }

    private Judgement heuristic(String rules, RuleDecision fallback, String program, String... arguments) {
        AskedProgram asked = AskedProgram.own(
                program.getBytes(StandardCharsets.UTF_8),
                Stream.concat(Stream.of(program), Stream.of(arguments)).toList(),
                List.of(),
                new byte[] {'/'});
        CommandRules all = new CommandRules(() -> RuleSet.EMPTY, rules(rules), fallback, true, true, false);
        return judge(all, asked);
    }

    @Test
    void theCommandLineDecidesWhereNoRuleDoes() {
        Judgement dangerous = heuristic("", RuleDecision.ALLOW, "/bin/rm", "-rf", "x");

        assertThat(dangerous.decision()).isEqualTo(RuleDecision.PROMPT);
        assertThat(dangerous.by()).isEqualTo("heuristics");
        assertThat(dangerous.escalates()).isFalse();
        assertThat(heuristic("", RuleDecision.ALLOW, "/bin/rm", "x").by()).isEqualTo("fallback");
    }

    @Test
    void aRuleComesBeforeTheCommandLineAndAStricterFallbackToo() {
        Judgement ruled = heuristic("prefix_rule([\"/usr/bin/rm\"])", RuleDecision.PROMPT, "/bin/rm", "-rf", "x");

        assertThat(ruled.decision()).isEqualTo(RuleDecision.ALLOW);
        assertThat(ruled.by()).isEqualTo("rule");
        assertThat(heuristic("", RuleDecision.FORBIDDEN, "/bin/rm", "-rf", "x").decision())
                .isEqualTo(RuleDecision.FORBIDDEN);
    }

    @Test
    void aNameThatTheCommandCouldHaveGivenToItsFileIsNotTakenForAHarmlessProgram() throws IOException {
        Path forged = Files.copy(Path.of("/bin/true"), folder.resolve("ls"));

        assertThat(heuristic("", RuleDecision.PROMPT, forged.toString()).decision())
                .isEqualTo(RuleDecision.PROMPT);
    }

    @Test
    void aRuleForThePathDecides() {
        assertThat(decision("prefix_rule([\"" + tool + "\", \"go\"])")).isEqualTo(RuleDecision.ALLOW);
        assertThat(decision("prefix_rule([\"" + tool + "\", \"stop\"])")).isEqualTo(RuleDecision.PROMPT);
    }

    @Test
    void aBaseNameDoesNotAllowWhatTheCommandCouldHavePutThere() {
        assertThat(decision("prefix_rule([\"tool\"])")).isEqualTo(RuleDecision.PROMPT);
    }

    @Test
    void aBaseNameAllowsAListedPath() {
        String listed = "host_executable(\"tool\", [\"" + tool + "\"])\nprefix_rule([\"tool\"])";
        String other = "host_executable(\"tool\", [\"/opt/tool\"])\nprefix_rule([\"tool\"])";

        assertThat(decision(listed)).isEqualTo(RuleDecision.ALLOW);
        assertThat(decision(other)).isEqualTo(RuleDecision.PROMPT);
    }

    @Test
    void aBaseNameForbidsWhereverTheProgramLies() {
        String rules = "prefix_rule([\"tool\"], decision=\"forbidden\")\nprefix_rule([\"" + tool + "\"])";

        assertThat(decision(rules)).isEqualTo(RuleDecision.FORBIDDEN);
    }

    @Test
    void aFileThatTheServerDoesNotSeeIsNotAllowedByItsPath() {
        byte[] path = tool.toString().getBytes(StandardCharsets.UTF_8);
        AskedProgram hidden = new AskedProgram(
                OptionalLong.of(1),
                OptionalLong.of(1),
                new ProgramFile(
                        path,
                        FileCalls.status(path, true),
                        true,
                        false,
                        new ProgramFile.Kind.Binary(),
                        true,
                        Trail.STRAIGHT),
                List.of(),
                path,
                List.of(path),
                new byte[] {'/'});

        assertThat(judge(client("prefix_rule([\"" + tool + "\"])", RuleDecision.PROMPT), hidden)
                        .decision())
                .isEqualTo(RuleDecision.PROMPT);
        assertThat(judge(client("prefix_rule([\"tool\"], \"forbidden\")", RuleDecision.PROMPT), hidden)
                        .decision())
                .isEqualTo(RuleDecision.FORBIDDEN);
    }

    @Test
    void aLinkThatTheCommandCouldHaveMadeIsNoName() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("friendly"), tool);
        AskedProgram program = AskedProgram.own(
                link.toString().getBytes(StandardCharsets.UTF_8), List.of("friendly"), List.of(), new byte[] {'/'});

        assertThat(program.text()).isEqualTo(tool.toString());
        assertThat(judge(client("prefix_rule([\"" + link + "\"])", RuleDecision.PROMPT), program)
                        .decision())
                .isEqualTo(RuleDecision.PROMPT);
    }

    @Test
    void theDirectoryOfTheCommandIsMeantAndNotThatOfTheServer() {
        byte[] typed = "/proc/self/cwd/true".getBytes(StandardCharsets.UTF_8);

        AskedProgram program =
                AskedProgram.own(typed, List.of("true"), List.of(), "/usr/bin".getBytes(StandardCharsets.UTF_8));

        assertThat(program.text()).isEqualTo("/usr/bin/true");
    }

    @Test
    void withoutASandboxThereIsNothingToLeave() {
        assertThat(new WritableFolders(ResolvedPolicy.UNSANDBOXED).obstacle(called("tool")))
                .isEmpty();
    }

    @Test
    void aFolderOfTheKernelCountsAsWritable() {
        WritableFolders folders = new WritableFolders(ResolvedPolicy.UNSANDBOXED);

        assertThat(Stream.of("/proc/1", "/dev/shm", folder.toString()).map(LinuxPath::of))
                .allMatch(folders::writable);
    }

    @Test
    void theStricterOfOperatorAndClientDecides() {
        RuleSet allow = rules("prefix_rule([\"" + tool + "\"])");
        RuleSet forbid = rules("prefix_rule([\"tool\"], decision=\"forbidden\", justification=\"never\")");

        assertThat(judge(new CommandRules(() -> forbid, allow, RuleDecision.ALLOW, false, true, false), called("tool"))
                        .decision())
                .isEqualTo(RuleDecision.FORBIDDEN);
        assertThat(judge(new CommandRules(() -> allow, forbid, RuleDecision.ALLOW, false, true, false), called("tool"))
                        .decision())
                .isEqualTo(RuleDecision.FORBIDDEN);
        assertThat(judge(
                                new CommandRules(() -> allow, RuleSet.EMPTY, RuleDecision.PROMPT, false, true, false),
                                called("tool"))
                        .decision())
                .isEqualTo(RuleDecision.PROMPT);
    }

    @Test
    void onlyARuleOfTheClientLetsAProgramLeaveTheSandbox() {
        RuleSet allow = rules("prefix_rule([\"" + tool + "\"])");

        assertThat(judge(
                                new CommandRules(() -> RuleSet.EMPTY, allow, RuleDecision.ALLOW, false, true, false),
                                called("tool"))
                        .escalates())
                .isTrue();
        assertThat(judge(
                                new CommandRules(() -> RuleSet.EMPTY, allow, RuleDecision.ALLOW, false, false, false),
                                called("tool"))
                        .escalates())
                .isFalse();
        assertThat(judge(
                                new CommandRules(() -> allow, RuleSet.EMPTY, RuleDecision.ALLOW, false, true, false),
                                called("tool"))
                        .escalates())
                .isFalse();
    }

    @Test
    void wholePathsFindTheRulesOfTheClientAloneNotTheNames() {
        RuleSet name = rules("prefix_rule([\"tool\"], \"forbidden\")");
        RuleSet path = rules("prefix_rule([\"" + tool + "\"], \"forbidden\")");

        assertThat(judge(
                                new CommandRules(() -> RuleSet.EMPTY, name, RuleDecision.ALLOW, false, true, true),
                                called("tool"))
                        .decision())
                .isEqualTo(RuleDecision.ALLOW);
        assertThat(judge(
                                new CommandRules(() -> RuleSet.EMPTY, path, RuleDecision.ALLOW, false, true, true),
                                called("tool"))
                        .decision())
                .isEqualTo(RuleDecision.FORBIDDEN);
        assertThat(judge(
                                new CommandRules(() -> name, RuleSet.EMPTY, RuleDecision.ALLOW, false, true, true),
                                called("tool"))
                        .decision())
                .isEqualTo(RuleDecision.FORBIDDEN);
    }
}
