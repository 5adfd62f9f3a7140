package dev.execserver.server.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateRegisterTest {
    @Test
    void aLinkThatGoesWithItsServerMeanwhileDisturbsNobody(@TempDir Path common) throws IOException {
        try (StateRegister register = StateRegister.in(common)) {
            Path links = common.resolve("state-dirs");
            List<Path> asked = new ArrayList<>();
            for (String name : List.of("a", "b", "c")) {
                Files.createSymbolicLink(links.resolve(name), common.resolve("state"));
            }
            register.tidy(own -> {
                asked.add(own);
                for (String name : List.of("a", "b", "c")) {
                    remove(links.resolve(name));
                }
                return false;
            });
            assertThat(asked).as("the others had gone").hasSize(1);
            assertThat(register.places()).isEmpty();
        }
    }

    private static void remove(Path link) {
        try {
            Files.delete(link);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
