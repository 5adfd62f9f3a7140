package dev.execserver.server.rules.starlark;

import java.util.Arrays;

/** Value of type {@code bytes}; immutable. */
final class BytesValue {
    private final byte[] octets;

    BytesValue(byte[] octets) {
        this.octets = octets.clone();
    }

    byte[] octets() {
        return octets.clone();
    }

    int size() {
        return octets.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BytesValue value && Arrays.equals(octets, value.octets);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(octets);
    }
}
