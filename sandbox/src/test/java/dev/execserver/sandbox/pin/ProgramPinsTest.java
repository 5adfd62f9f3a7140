package dev.execserver.sandbox.pin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.pin.ProgramPins.Result;
import dev.execserver.sandbox.spawn.Launch;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.tree.BoundedRun;
import dev.execserver.sandbox.tree.ProcessTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A pinned program runs unchanged, even if its files change. */
@Timeout(60)
class ProgramPinsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Poller poller = new Poller();
    private final Spawner spawner = new Spawner(poller);
    private final ProcessTree tree = new ProcessTree();
    private final BoundedRun runs = new BoundedRun(spawner, ProcessMarks.create(), tree);
    private final ProgramPins pins = new ProgramPins(runs);

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        pins.close();
        spawner.close();
        tree.close();
        poller.close();
    }

    private Path program(String source) throws IOException {
        return Files.copy(
                Path.of(source).toRealPath(), directory.resolve("program"), StandardCopyOption.COPY_ATTRIBUTES);
    }

    private Path script(String name, String text) throws IOException {
        Path script = Files.writeString(directory.resolve(name), text);
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Result pin(Path program, Optional<String> calledName) {
        LinuxPath real = LinuxPath.of(EntryCalls.realPath(program.toString().getBytes(StandardCharsets.UTF_8)));
        return pins.pin(real, ProgramPins.read(real), calledName, TrustedPlaces.ANYWHERE);
    }

    private Launch pinned(Path program) {
        return ((Result.Pinned) pin(program, Optional.empty())).launch();
    }

    private String output(Launch launch, String... arguments) {
        BoundedRun.Result.Ended ended = (BoundedRun.Result.Ended) runs.run(LIMIT, launch, List.of(arguments));
        assertThat(ended.err()).isEmpty();
        return ended.out();
    }

    @Test
    void aProgramThatIsReplacedRunsAsItWas() throws IOException {
        Path program = program("/usr/bin/echo");
        Launch launch = pinned(program);
        Files.delete(program);
        script("program", "#!/bin/sh\necho planted\n");

        assertThat(launch.pinned()).isTrue();
        assertThat(output(launch, "hello")).isEqualTo("hello\n");
    }

    @Test
    void aProgramThatIsOverwrittenInPlaceRunsAsItWas() throws IOException {
        Path program = program("/usr/bin/echo");
        Launch launch = pinned(program);
        Files.writeString(program, "#!/bin/sh\necho planted\n", StandardOpenOption.TRUNCATE_EXISTING);

        assertThat(output(launch, "hello")).isEqualTo("hello\n");
    }

    @Test
    void loaderAndLibrariesComeFromMemoryToo() throws IOException {
        Launch launch = pinned(Path.of("/usr/bin/cat"));

        // Everything that is mapped and executable is a memory file, except the page of the kernel.
        assertThat(output(launch, "/proc/self/maps").lines())
                .filteredOn(line -> line.contains(" r-xp "))
                .allMatch(line -> line.contains("/memfd:") || line.endsWith("[vdso]"))
                .hasSizeGreaterThan(3);
    }

    @Test
    void nobodyCanWriteIntoACopy() {
        Launch launch = pinned(Path.of("/usr/bin/echo"));
        for (String copy : List.of(
                new String(launch.program(), StandardCharsets.UTF_8),
                launch.before().getLast())) {
            String script = "cp /bin/true %1$s; echo x >>%1$s; : >%1$s; truncate -s 0 %1$s".formatted(copy);
            BoundedRun.Result.Ended ended =
                    (BoundedRun.Result.Ended) runs.run(LIMIT, Launch.plain("/bin/sh"), List.of("-c", script));
            assertThat(ended.err()).contains("not permitted");
        }
        assertThat(output(launch, "hello")).isEqualTo("hello\n");
    }

    @Test
    void theLoaderOfACopyReadsNoListOfLibrariesFromEtc() {
        Launch launch = pinned(Path.of("/usr/bin/grep"));
        String loader = new String(launch.program(), StandardCharsets.UTF_8);

        assertThat(output(launch, "-c", "-a", "/proc/0/ld.preload", loader)).isEqualTo("1\n");
        BoundedRun.Result.Ended found =
                (BoundedRun.Result.Ended) runs.run(LIMIT, launch, List.of("-c", "-a", "/etc/ld.so.preload", loader));
        assertThat(found.out()).isEqualTo("0\n");
    }

    @Test
    void aScriptIsPinnedWithItsInterpreter() throws IOException {
        Path script = script("script", "#!/bin/sh\necho \"as it was: $1\"\n");
        Launch launch = pinned(script);
        Files.writeString(script, "#!/bin/sh\necho planted\n");

        assertThat(output(launch, "x")).isEqualTo("as it was: x\n");
    }

    @Test
    void aProgramSeesTheNameThatItIsCalledBy() {
        Result result = pin(Path.of("/bin/bash"), Optional.of("sh"));

        Launch launch = ((Result.Pinned) result).launch();
        assertThat(output(launch, "-c", "echo $0; shopt -qo posix && echo posix"))
                .isEqualTo("sh\nposix\n");
    }

    @Test
    void whatIsNoProgramIsNotPinned() throws IOException {
        for (String text : List.of("", "echo hello\n", "#!relative\n", "\u007fELF")) {
            assertThat(pin(script("text", text), Optional.empty())).isInstanceOf(Result.Impossible.class);
        }
    }

    @Test
    void aProgramWithALibraryFromAnUntrustedPlaceIsRefused() {
        LinuxPath real = LinuxPath.of("/usr/bin/echo");
        TrustedPlaces noLibraries =
                path -> path.toString().contains("libc.so") ? Optional.of(path + " is not trusted") : Optional.empty();

        assertThat(pins.pin(real, ProgramPins.read(real), Optional.empty(), noLibraries))
                .isInstanceOfSatisfying(
                        Result.Untrusted.class,
                        result -> assertThat(result.reason()).contains("libc.so.6 is not"));
    }

    @Test
    void copiesAreMadeOnce() throws IOException {
        Path program = program("/usr/bin/echo");
        Launch first = pinned(program);
        Files.copy(Path.of("/usr/bin/false").toRealPath(), program, StandardCopyOption.REPLACE_EXISTING);

        assertThat(pinned(program).before()).isEqualTo(first.before());
    }
}
