package dev.execserver.server.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.MemoryBudget;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandStreamTest {

    private static String kept(OptionalLong cap, String text) {
        CommandStream stream =
                new CommandStream(cap, new AnswerMemory(new MemoryBudget(1 << 20, Duration.ofSeconds(1))));
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        stream.keep(bytes, 0, bytes.length);
        return stream.text() + (stream.capReached() ? " (cut)" : "");
    }

    @ParameterizedTest
    @CsvSource({"4,caf (cut)", "5,café", "3,caf (cut)", "0,' (cut)'"})
    void theCapSplitsNoCharacter(int cap, String expected) {
        assertThat(kept(OptionalLong.of(cap), "café")).isEqualTo(expected);
    }

    @Test
    void aCharacterOfFourBytesIsWholeOrGone() {
        assertThat(kept(OptionalLong.of(4), "😀x")).isEqualTo("😀 (cut)");
        assertThat(kept(OptionalLong.of(3), "😀x")).isEqualTo(" (cut)");
    }

    @Test
    void withoutACapEverythingIsKept() {
        assertThat(kept(OptionalLong.empty(), "€uro")).isEqualTo("€uro");
    }
}
