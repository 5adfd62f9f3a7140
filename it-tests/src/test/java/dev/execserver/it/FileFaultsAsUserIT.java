package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.DistributionCopy;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RawHttpClient;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the kernel refuses to an ordinary user: root passes everywhere, so the server is nobody's here. Needs root to begin. */
@Timeout(120)
class FileFaultsAsUserIT {
    private static final int NOBODY = 65534;
    private static final String SHA256_OF_MINE = "3fd30542fe3f61b14bd4a4b2dc0b6fb30fa6f63ebce52dd1778aaa8c4dc02cff";
    private static final String SHA256_OF_ROOTS = "ffea4fac46ce44c82e8c2c9385ec901ed596dc80cf69cc1ee3a5e9ad4e26f5e8";
    private static final String DENIED = "Permission denied (os error 13)";

    private static DistributionCopy copy;
    private static ServerProcess server;

    private WireClient client;
    private Path scene;

    @BeforeAll
    static void start() throws IOException {
        copy = DistributionCopy.create("files-as-user-");
        Path token = Files.writeString(copy.folder().resolve("token"), "secret");
        server = copy.start(() -> ServerProcess.listening(
                List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--bounding-set=-all"),
                Map.of("HOME", "/"),
                "--ws-auth",
                "capability-token",
                "--ws-token-file",
                token.toString()));
    }

    @AfterAll
    static void stop() {
        server.close();
        copy.close();
    }

    /** {@code ours} belongs to the user of the server; what is named {@code locked} may not be used by him. */
    @BeforeEach
    void makeScene() throws IOException {
        client = WireClient.connect(server.port(), Map.of("Authorization", "Bearer secret"));
        client.handshake();
        scene = Files.createTempDirectory(copy.folder(), "scene");
        mode(scene, "rwxr-xr-x");
        Path ours = Files.createDirectory(scene.resolve("ours"));
        give(Files.writeString(ours.resolve("f"), "mine"));
        give(ours);
        mode(Files.writeString(scene.resolve("locked"), "root's"), "rw-------");
        mode(Files.writeString(scene.resolve("readable"), "read me"), "rw-r--r--");
        Path tree = Files.createDirectories(scene.resolve("ours/tree/a"));
        give(Files.writeString(tree.resolve("x"), "x"));
        mode(give(tree), "r-xr-xr-x");
        give(tree.getParent());
        Path inner = Files.createDirectory(scene.resolve("inner"));
        Files.writeString(inner.resolve("f"), "inside");
        mode(inner, "rwx------");
        Path sticky = Files.createDirectory(scene.resolve("sticky"));
        mode(Files.writeString(sticky.resolve("f"), "root's"), "rw-rw-rw-");
        mode(sticky, "rwxrwxrwx");
        Files.setAttribute(sticky, "unix:mode", 01777);
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private static Path give(Path path) throws IOException {
        Files.setAttribute(path, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
        return path;
    }

    private static void mode(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    /** Every name below the scene with the content of files. */
    private Set<String> state() throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(scene)) {
            for (Path file : files.toList()) {
                found.add(scene.relativize(file) + (Files.isRegularFile(file) ? "=" + Files.readString(file) : "/"));
            }
        }
        return found;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "fs/readFile        | {'path':'$/locked'}",
                "fs/readFile        | {'path':'$/inner/f'}",
                "fs/writeFile       | {'path':'$/readable','dataBase64':'eA=='}",
                "fs/writeFile       | {'path':'$/new','dataBase64':'eA=='}",
                "fs/writeFile       | {'path':'$/new','dataBase64':'eA==','atomic':true}",
                "fs/writeFile       | {'path':'$/readable','dataBase64':'eA==','atomic':true}",
                "fs/writeFile       | {'path':'$/new','dataBase64':'eA==','expect':{'absent':true}}",
                "fs/append          | {'path':'$/readable','dataBase64':'eA=='}",
                "fs/createDirectory | {'path':'$/new'}",
                "fs/createDirectory | {'path':'$/inner/new'}",
                "fs/getMetadata     | {'path':'$/inner/f'}",
                "fs/canonicalize    | {'path':'$/inner/f'}",
                "fs/readDirectory   | {'path':'$/inner'}",
                "fs/remove          | {'path':'$/readable'}",
                "fs/remove          | {'path':'$/inner'}",
                "fs/remove          | {'path':'$/ours/tree'}",
                "fs/copy            | {'sourcePath':'$/locked','destinationPath':'$/ours/n','recursive':false}",
                "fs/copy            | {'sourcePath':'$/ours/f','destinationPath':'$/n','recursive':false}",
                "fs/copy            | {'sourcePath':'$/inner','destinationPath':'$/n','recursive':true}",
                "fs/copy            | {'sourcePath':'$/inner','destinationPath':'$/ours/n','recursive':true}",
                "fs/rename          | {'sourcePath':'$/readable','destinationPath':'$/ours/n'}",
                "fs/rename          | {'sourcePath':'$/ours/f','destinationPath':'$/n'}",
                "fs/open            | {'handleId':'h','path':'$/locked'}",
                "fs/open            | {'handleId':'h','path':'$/readable','mode':'replace'}",
                "fs/watch           | {'watchId':1,'path':'$/inner'}"
            })
    void whoMayNotIsToldSoAndNothingHasHappened(String method, String params) throws IOException {
        Set<String> before = state();
        JsonNode sent = Json.parse(params.replace('\'', '"').replace("$", scene.toString()));
        Answer answer = client.send(method, sent).answer();
        assertThat(answer.failed()).isTrue();
        assertThat(answer.errorCode()).isEqualTo(-32600);
        assertThat(answer.errorMessage()).isEqualTo(DENIED);
        assertThat(answer.error().at("/data/path").asText()).as("the very file").startsWith(scene + "/");
        assertThat(state()).isEqualTo(before);
    }

    @Test
    void whatBelongsToOthersInAStickyDirectoryStays() throws IOException {
        Set<String> before = state();
        Path file = scene.resolve("sticky/f");
        for (Answer answer : List.of(
                client.call("fs/remove", "path", file.toString()),
                client.call(
                        "fs/rename",
                        "sourcePath",
                        file.toString(),
                        "destinationPath",
                        scene.resolve("ours/n").toString()),
                client.call("fs/setMode", "path", file.toString(), "mode", 0600),
                client.call("fs/writeFile", "path", file.toString(), "dataBase64", "eA==", "mode", 0600),
                client.call(
                        "fs/writeFile",
                        "path",
                        file.toString(),
                        "dataBase64",
                        "eA==",
                        "mode",
                        0600,
                        "expect",
                        Json.object("sha256", SHA256_OF_ROOTS)),
                client.call("fs/writeFile", "path", file.toString(), "dataBase64", "eA==", "atomic", true),
                client.call(
                        "fs/copy",
                        "sourcePath",
                        scene.resolve("ours/f").toString(),
                        "destinationPath",
                        file.toString(),
                        "recursive",
                        false))) {
            assertThat(answer.errorCode()).isEqualTo(-32600);
            assertThat(answer.errorMessage()).isEqualTo("Operation not permitted (os error 1)");
            assertThat(answer.error().at("/data/path").asText()).isEqualTo(file.toString());
        }
        assertThat(state()).isEqualTo(before);
    }

    @Test
    void walksAndSearchesGoAroundWhatTheyMayNotRead() {
        ObjectNode options =
                Json.object("maxDepth", 9, "maxDirectories", 99, "maxEntries", 99, "followDirectorySymlinks", false);
        JsonNode walk = client.call("fs/walk", "path", scene.toString(), "options", options)
                .result();
        assertThat(walk.get("errors")).hasSize(1);
        assertThat(walk.at("/errors/0").toString()).contains("inner", DENIED);
        assertThat(walk.get("entries").toString()).contains("readable", "tree/a/x");
        JsonNode search = client.call("fs/search", "path", scene.toString(), "pattern", "m")
                .result();
        assertThat(search.toString()).contains("readable", "ours/f").doesNotContain("locked\"");
        assertThat(search.get("skipped").asInt()).as("locked, inner").isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{'atomic':true}", "{'expect':{'sha256':'%s'}}"})
    void setIdBitsThatAreAskedForAreThereAfterTheContentToo(String members) throws IOException {
        Path file = scene.resolve("ours/f");
        Files.setAttribute(file, "unix:gid", NOBODY);
        ObjectNode params = (ObjectNode) Json.parse(members.replace('\'', '"').formatted(SHA256_OF_MINE));
        params.put("path", file.toString()).put("dataBase64", "eA==").put("mode", 04755);
        assertThat(client.send("fs/writeFile", params).answer().result()).isEmpty();
        assertThat((int) Files.getAttribute(file, "unix:mode") & 07777).isEqualTo(04755);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"locked | 403", "inner/f | 403", "new | 404", "readable | 200"})
    void transfersAreRefusedTheSameWay(String name, int status) throws IOException {
        Set<String> before = state();
        String line = " /files?path=" + scene.resolve(name) + " HTTP/1.1|Host: 127.0.0.1|Authorization: Bearer secret";
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            assertThat(http.head("GET" + line).response().status()).isEqualTo(status);
        }
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            RawHttpClient.Response put = http.head("PUT" + line + "|Content-Length: 1")
                    .bytes(new byte[1])
                    .response();
            assertThat(put.status()).isEqualTo(403);
            assertThat(put.text()).contains(DENIED, scene.resolve(name).toString());
        }
        assertThat(state()).isEqualTo(before);
    }

    /** The owner of a file is kept as far as may be, and that is no reason to fail. */
    @Test
    void aFileOfSomebodyElseInOurDirectoryIsReplacedByOneOfOurs() throws IOException {
        Path file = Files.writeString(scene.resolve("ours/theirs"), "old");
        mode(file, "rw-r-----");
        String line = "PUT /files?path=" + file + " HTTP/1.1|Host: 127.0.0.1|Authorization: Bearer secret";
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            http.head(line + "|Content-Length: 3").bytes("new".getBytes(UTF_8));
            assertThat(http.response().status()).isEqualTo(204);
        }
        assertThat(file).hasContent("new");
        assertThat((int) Files.getAttribute(file, "unix:uid")).isEqualTo(NOBODY);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
    }

    /** Of a full disk, a read-only one and a mount point: the same as for root, where the user may write. */
    @Test
    void fullAndReadOnlyFileSystemsAndMountPointsAreReportedAsSuch() throws Exception {
        Path small = give(Files.createDirectory(scene.resolve("ours/small")));
        run("mount", "-t", "tmpfs", "-o", "size=1m,uid=" + NOBODY, "none", small.toString());
        try {
            give(Files.writeString(small.resolve("f"), "old"));
            String much = Json.base64(new byte[3_000_000]);
            Answer atomic = client.call(
                    "fs/writeFile", "path", small.resolve("f").toString(), "dataBase64", much, "atomic", true);
            assertThat(atomic.errorCode()).isEqualTo(-32603);
            assertThat(atomic.errorMessage()).isEqualTo("No space left on device (os error 28)");
            assertThat(small.resolve("f")).hasContent("old");
            assertThat(small.toFile().list()).containsExactly("f");
            Answer plain =
                    client.call("fs/writeFile", "path", small.resolve("f").toString(), "dataBase64", much);
            assertThat(plain.errorMessage()).isEqualTo("No space left on device (os error 28)");
            assertThat(client.call("fs/remove", "path", small.toString()).errorMessage())
                    .contains("refusing to remove", "a file system is mounted there");
            assertThat(client.call("fs/remove", "path", small.getParent().toString())
                            .errorMessage())
                    .contains("a file system is mounted there");
            assertThat(small.resolve("f")).exists();
            run("mount", "-o", "remount,ro", small.toString());
            Answer fixed = client.call("fs/writeFile", "path", small + "/n", "dataBase64", "eA==");
            assertThat(fixed.errorCode()).isEqualTo(-32603);
            assertThat(fixed.errorMessage()).isEqualTo("Read-only file system (os error 30)");
        } finally {
            run("umount", small.toString());
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                .as(String.join(" ", command))
                .isZero();
    }
}
