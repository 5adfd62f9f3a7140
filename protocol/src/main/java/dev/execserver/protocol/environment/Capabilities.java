package dev.execserver.protocol.environment;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The {@code capabilities} object. It is written with every known capability, true or false. When it is read, absent
 * ones are false and unknown ones are ignored.
 */
public record Capabilities(Set<Capability> supported) implements JsonWritable {

    public static final Capabilities NONE = new Capabilities(Set.of());

    private static final Map<String, Capability> BY_NAME =
            Stream.of(Capability.values()).collect(Collectors.toUnmodifiableMap(Capability::wire, Function.identity()));

    public Capabilities {
        supported = Collections.unmodifiableSet(
                supported.isEmpty() ? EnumSet.noneOf(Capability.class) : EnumSet.copyOf(supported));
    }

    public boolean supports(Capability capability) {
        return supported.contains(capability);
    }

    static Capabilities read(ParamsReader in) {
        Set<Capability> supported = EnumSet.noneOf(Capability.class);
        while (in.next()) {
            Capability capability = BY_NAME.get(in.name());
            if (capability != null && in.bool()) {
                supported.add(capability);
            }
        }
        return new Capabilities(supported);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        for (Capability capability : Capability.values()) {
            g.writeBooleanField(capability.wire(), supports(capability));
        }
        g.writeEndObject();
    }
}
