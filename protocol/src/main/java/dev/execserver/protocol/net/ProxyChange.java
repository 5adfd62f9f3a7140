package dev.execserver.protocol.net;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Smallest change of {@link NetworkProxySettings} that would allow a refused connection. Its members replace those of the same names
 * there, {@code domains} and {@code programDomains} pattern by pattern.
 */
public record ProxyChange(
        Map<String, DomainRule> domains, Map<String, Map<String, DomainRule>> programDomains, Optional<ProxyMode> mode)
        implements JsonWritable {

    public ProxyChange {
        domains = Collections.unmodifiableMap(new LinkedHashMap<>(domains));
        programDomains = Collections.unmodifiableMap(new LinkedHashMap<>(programDomains));
    }

    /** Makes a change for all programs. */
    public ProxyChange(Map<String, DomainRule> domains, Optional<ProxyMode> mode) {
        this(domains, Map.of(), mode);
    }

    static ProxyChange read(ParamsReader in) {
        Map<String, DomainRule> domains = Map.of();
        Map<String, Map<String, DomainRule>> programDomains = Map.of();
        Optional<ProxyMode> mode = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "domains" ->
                    domains = in.structOrNull("a map", DomainRules::read).orElse(Map.of());
                case "programDomains" ->
                    programDomains =
                            in.structOrNull("a map", DomainRules::readByProgram).orElse(Map.of());
                case "mode" -> mode = in.stringOrNull().map(ProxyMode::parse);
                default -> {}
            }
        }
        return new ProxyChange(domains, programDomains, mode);
    }

    /** Reads an object by itself. @throws dev.execserver.protocol.rpc.RpcException -32602 for anything else */
    public static ProxyChange read(JsonSlice value) {
        return read(ParamsReader.of(value, "ProxyChange"));
    }

    /** Reads the current member. */
    public static Optional<ProxyChange> readMember(ParamsReader in) {
        return in.structOrNull("ProxyChange", ProxyChange::read);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        if (!domains.isEmpty()) {
            DomainRules.write(g, "domains", domains);
        }
        if (!programDomains.isEmpty()) {
            DomainRules.writeByProgram(g, "programDomains", programDomains);
        }
        if (mode.isPresent()) {
            g.writeStringField("mode", mode.get().wire());
        }
        g.writeEndObject();
    }

    /** Returns the JSON text. */
    public String json() {
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.value(out, this);
        byte[] bytes = Arrays.copyOfRange(out.array(), out.offset(), out.offset() + out.length());
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
