package dev.execserver.sandbox.pin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ElfFileTest {
    private static ElfFile text(String text) {
        return ElfFile.of(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void programsNameTheirLoaders() throws IOException {
        ElfFile program = ElfFile.of(Files.readAllBytes(Path.of("/usr/bin/env").toRealPath()));
        assertThat(program).isInstanceOfSatisfying(ElfFile.Dynamic.class, dynamic -> {
            assertThat(dynamic.loader()).startsWith("/lib");
            assertThat(Path.of(dynamic.loader())).isExecutable();
        });
        Path loader = Path.of(((ElfFile.Dynamic) program).loader()).toRealPath();
        assertThat(ElfFile.of(Files.readAllBytes(loader))).isEqualTo(new ElfFile.Static());
    }

    @Test
    void scriptsNameTheirInterpretersAsTheKernelReadsThem() {
        assertThat(text("#!/bin/sh\nx")).isEqualTo(new ElfFile.Script("/bin/sh", Optional.empty()));
        assertThat(text("#! /usr/bin/env -S a b \nx"))
                .isEqualTo(new ElfFile.Script("/usr/bin/env", Optional.of("-S a b")));
        assertThat(text("#!bin/sh\n")).isEqualTo(new ElfFile.Unknown());
    }

    @Test
    void whateverElseThereIsIsUnknown() throws IOException {
        byte[] program = Files.readAllBytes(Path.of("/usr/bin/env").toRealPath());
        assertThat(ElfFile.of(new byte[0])).isEqualTo(new ElfFile.Unknown());
        assertThat(text("hello")).isEqualTo(new ElfFile.Unknown());
        assertThat(ElfFile.of(Arrays.copyOf(program, 80))).isEqualTo(new ElfFile.Unknown());
    }

    @Test
    void brokenHeadersAreNoReasonToFail() throws IOException {
        byte[] program =
                Arrays.copyOf(Files.readAllBytes(Path.of("/usr/bin/env").toRealPath()), 4096);
        Random random = new Random(7);
        for (int round = 0; round < 20_000; round++) {
            byte[] broken = program.clone();
            for (int i = 0; i < 8; i++) {
                broken[5 + random.nextInt(600)] = (byte) random.nextInt();
            }
            assertThat(ElfFile.of(broken)).isNotNull();
        }
    }
}
