package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.McpStdio;
import dev.execserver.it.support.VarTmp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Everyday programs run through the tool {@code shell} as without it, with rules that are about something else. */
@Timeout(180)
class ShellMcpProgramsIT {
    private static final String WRITES_GIT = """
            {"type":"managed","network":"restricted","file_system":{"type":"restricted","entries":[
            {"path":{"type":"special","value":{"kind":"root"}},"access":"read"},
            {"path":{"type":"special","value":{"kind":"slash_tmp"}},"access":"write"},
            {"path":{"type":"special","value":{"kind":"project_roots"}},"access":"write"},
            {"path":{"type":"special","value":{"kind":"project_roots","subpath":".git"}},"access":"write"}]}}""";

    @TempDir(factory = VarTmp.class)
    private static Path home;

    private static McpStdio mcp;

    @BeforeAll
    static void connect() throws Exception {
        Path rules =
                Files.writeString(home.resolve("my.rules"), "prefix_rule([\"shutdown\"], decision=\"forbidden\")\n");
        mcp = McpStdio.start(
                        Map.of("HOME", home.toString(), "CODEX_HOME", "", "GIT_CONFIG_NOSYSTEM", "1"),
                        "--rules",
                        rules.toString(),
                        "--profile",
                        WRITES_GIT)
                .initialized();
    }

    @AfterAll
    static void close() {
        mcp.close();
    }

    private static String run(String name, String command) throws Exception {
        Path folder = Files.createDirectories(home.resolve(name));
        JsonNode result = mcp.shell(command, folder.toString());
        assertThat(result.get("exit_code").intValue()).as(result.toString()).isZero();
        return result.get("stdout").textValue();
    }

    @Test
    void make() throws Exception {
        assertThat(run("make", "printf 'all: a b\\n\\t@cat a b\\na b:\\n\\t@echo $@ > $@\\n' > Makefile; make -s -j2"))
                .isEqualTo("a\nb\n");
    }

    @Test
    void python() throws Exception {
        assertThat(run(
                        "python",
                        "python3 -c 'import subprocess,os; print(subprocess.check_output([\"echo\",\"x\"]).decode(),end=\"\");"
                                + " os.execvp(\"echo\",[\"echo\",\"y\"])'"))
                .isEqualTo("x\ny\n");
    }

    @Test
    void gitWithHooks() throws Exception {
        String commit = "git init -q . && git config user.email a@b && git config user.name a"
                + " && printf '#!/bin/sh\\necho hook\\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit"
                + " && echo x > f && git add f && git commit -qm first 2>&1 && git log --oneline | wc -l";

        assertThat(run("git", commit)).isEqualTo("hook\n1\n");
    }

    @Test
    void npmTest() throws Exception {
        String test = "export npm_config_cache=$PWD/cache npm_config_update_notifier=false"
                + " && echo '{\"name\":\"a\",\"scripts\":{\"test\":\"node test.js && sh -c \\\"echo shell\\\"\"}}' > package.json"
                + " && echo 'console.log(require(\"child_process\").execFileSync(\"echo\", [\"child\"]).toString())' > test.js"
                + " && npm test --silent | grep .";

        assertThat(run("npm", test)).isEqualTo("child\nshell\n");
    }

    @Test
    void xargsAndFind() throws Exception {
        assertThat(
                        run(
                                "find",
                                "touch a b c; ls | xargs -n1 -P3 echo | sort; find . -type f -exec sh -c 'echo $0' {} \\; | wc -l"))
                .isEqualTo("a\nb\nc\n3\n");
    }

    @Test
    void aHereDocumentAndAPipeline() throws Exception {
        assertThat(run("here", "cat <<'END' | tr a-z A-Z | sort -r\none\ntwo\nEND\n"))
                .isEqualTo("TWO\nONE\n");
    }

    @Test
    void aScriptOfThreeHundredLines() throws Exception {
        String script = IntStream.range(0, 300)
                .mapToObj(_ -> "x=$(expr $x + 1 2>/dev/null || echo 1)")
                .collect(Collectors.joining("\n"));

        assertThat(run("script", "x=0\n" + script + "\necho $x\n")).isEqualTo("300\n");
    }
}
