package dev.execserver.server.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class MaskingTest {
    @Property(tries = 500)
    void agreesWithTheByteWiseDefinition(
            @ForAll @Size(max = 50) byte[] data,
            @ForAll int key,
            @ForAll @IntRange(max = 7) int phase,
            @ForAll @IntRange(max = 10) int offset) {
        int start = Math.min(offset, data.length);
        byte[] expected = data.clone();
        for (int i = start; i < data.length; i++) {
            expected[i] ^= (byte) (key >>> 8 * ((i - start + phase) % 4));
        }
        Masking.apply(data, start, data.length - start, key, phase);
        assertThat(data).isEqualTo(expected);
    }
}
