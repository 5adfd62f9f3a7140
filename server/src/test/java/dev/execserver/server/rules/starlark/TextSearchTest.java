package dev.execserver.server.rules.starlark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class TextSearchTest {
    @Test
    void placesAreThoseThatStringFinds() {
        Random random = new Random(1);
        for (int i = 0; i < 2_000; i++) {
            String text = random.ints(60, 'a', 'c')
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            int begin = random.nextInt(30);
            String part = text.substring(begin, begin + 17 + random.nextInt(13));
            String searched = i % 2 == 0 ? text : text + text;
            int from = random.nextInt(70);

            assertThat(TextSearch.indexOf(searched, part, from)).isEqualTo(searched.indexOf(part, from));
            assertThat(TextSearch.lastIndexOf(searched, part, from)).isEqualTo(searched.lastIndexOf(part, from));
            assertThat(TextSearch.contains(searched, part + "c")).isEqualTo(searched.contains(part + "c"));
        }
    }
}
