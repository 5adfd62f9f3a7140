package dev.execserver.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WriteIdsTest {

    @Test
    @DisplayName("B21: the last 4096 ids are known, however long they are, and older ones are not")
    void remembersTheLastIds() {
        WriteIds ids = new WriteIds();
        String stem = "x".repeat(10_000);
        for (int i = 0; i < WriteIds.MAX; i++) {
            assertThat(ids.full()).isFalse();
            ids.add(stem + i);
        }
        assertThat(ids.full()).isTrue();
        ids.add("one more");
        assertThat(ids.contains(stem + 0)).isFalse();
        for (int i = 1; i < WriteIds.MAX; i++) {
            assertThat(ids.contains(stem + i)).isTrue();
        }
        assertThat(ids.contains("one more")).isTrue();
        assertThat(ids.contains(stem)).isFalse();
    }
}
