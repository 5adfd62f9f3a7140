package dev.execserver.it.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.time.Duration;

/** One client and what nearly every scenario asks of a server: that it runs programs, serves files and keeps sandboxes. */
record Session(WireClient client) implements AutoCloseable {
    /** Containers start on a machine that is busy with others. */
    static final Duration LIMIT = Duration.ofSeconds(30);

    static Session with(ServerContainer server) {
        return new Session(server.client());
    }

    /** What a program printed, and how it ended. */
    record Ran(int status, String text, String backend) {}

    Ran run(Start start) {
        RemoteProcess process = client.sendStart(start);
        JsonNode result = process.started().result();
        int status = process.exited(LIMIT).exitCode();
        process.closed(LIMIT);
        return new Ran(status, process.text(), result.path("sandboxBackend").asText("none"));
    }

    Ran run(String script) {
        return run(Policies.inWorkspace(script));
    }

    Ran confined(ObjectNode sandbox, String script) {
        return run(Policies.confined(sandbox, script));
    }

    /** The error of a start that must not succeed. */
    String refused(ObjectNode sandbox, String script) {
        Answer answer = client.sendStart(Policies.confined(sandbox, script)).started();
        assertThat(answer.failed()).as("%s", answer).isTrue();
        return answer.errorMessage();
    }

    Answer write(String path, String text) {
        return call("fs/writeFile", Json.object("path", "file://" + path, "dataBase64", Json.base64(text)));
    }

    Answer write(ObjectNode sandbox, String path, String text) {
        return call(
                "fs/writeFile",
                Json.object("path", "file://" + path, "dataBase64", Json.base64(text), "sandbox", sandbox));
    }

    String read(String path) {
        return text(call("fs/readFile", Json.object("path", "file://" + path)));
    }

    String read(ObjectNode sandbox, String path) {
        return text(call("fs/readFile", Json.object("path", "file://" + path, "sandbox", sandbox)));
    }

    Answer call(String method, ObjectNode params) {
        return client.send(method, params).answer(LIMIT);
    }

    private static String text(Answer answer) {
        return new String(Json.bytes(answer.result().get("dataBase64")), UTF_8);
    }

    /** Programs and files without a sandbox. */
    void provesPlainWork() {
        assertThat(run("echo out; echo err >&2; exit 7")).satisfies(ran -> {
            assertThat(ran.status()).isEqualTo(7);
            assertThat(ran.text()).contains("out").contains("err");
        });
        assertThat(write("/workspace/plain", "text").failed()).isFalse();
        assertThat(read("/workspace/plain")).isEqualTo("text");
    }

    /** The same, and the whole policy of the workspace, in bubblewrap. */
    void provesBubblewrap() {
        Ran ran = confined(
                Policies.workspaceWrite(),
                "exec 2>&1; echo x > made; cat made; mkdir .git; echo no > /etc/no; wc -l < /proc/net/dev; ls -d /proc/1");
        assertThat(ran.backend()).isEqualTo("bubblewrap");
        assertThat(ran.text())
                .contains("x\n")
                .contains("cannot create directory")
                .contains("cannot create /etc/no: Read-only file system")
                .contains("\n3\n/proc/1\n");
        provesFilesInBubblewrap();
    }

    void provesFilesInBubblewrap() {
        Answer written = write(Policies.workspaceWrite(), "/workspace/helped", "by a helper");
        assertThat(written.failed()).as("%s", written).isFalse();
        assertThat(read(Policies.workspaceWrite(), "/workspace/helped")).isEqualTo("by a helper");
        assertThat(write(Policies.workspaceWrite(), "/home/exec-server/no", "x").failed())
                .isTrue();
    }

    /** What only reads is confined without namespaces, and the answer says by what. */
    void provesLandlock() {
        Ran ran = confined(
                Policies.readOnly(),
                "exec 2>&1; cat /etc/debian_version; echo x > /workspace/weak;"
                        + " perl -MSocket -e 'socket(my $s,AF_INET,SOCK_STREAM,0) or print \"no network\\n\"'");
        assertThat(ran.backend()).isEqualTo("landlock");
        assertThat(ran.text())
                .matches("(?s)\\d+.*")
                .contains("cannot create /workspace/weak: Permission denied")
                .contains("no network");
        assertThat(write(Policies.readOnly(), "/workspace/weak", "x").failed()).isTrue();
        assertThat(run("ls /workspace").text()).doesNotContain("weak");
    }

    /** What needs mounts is refused in these words, as a program and as a file call, and leaves no trace. */
    void provesRefusal(String words) {
        assertThat(refused(Policies.workspaceWrite(), "touch /workspace/ran")).contains(words);
        Answer file = write(Policies.workspaceWrite(), "/workspace/ran", "x");
        assertThat(file.failed()).as("%s", file).isTrue();
        assertThat(file.errorMessage()).contains(words);
        assertThat(run("ls /workspace").text()).doesNotContain("ran");
    }

    /** What the doctor says about one layer of this machine. */
    record Finding(String status, String result, String meaning, String remedy) {}

    Finding finding(String layer) {
        for (JsonNode finding : call("sandbox/status", Json.object()).result().get("findings")) {
            if (finding.path("layer").asText().equals(layer)) {
                return new Finding(
                        finding.get("status").asText(),
                        finding.get("result").asText(),
                        finding.get("meaning").asText(),
                        finding.get("remedy").asText());
            }
        }
        throw new AssertionError("nothing is said about " + layer);
    }

    @Override
    public void close() {
        client.close();
    }
}
