package dev.execserver.protocol.environment;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Result of {@code sandbox/status}: what the server's machine has for sandboxes.
 *
 * @param bubblewrap whether sandboxes with namespaces can be built
 * @param landlock whether the fallback is there
 * @param warnings sentences for people
 * @param findings everything that was tried
 * @param floor what the operator has set for all requests; empty where no server runs
 */
public record SandboxStatus(
        boolean bubblewrap, boolean landlock, List<String> warnings, List<Finding> findings, Optional<Floor> floor)
        implements JsonWritable {
    public SandboxStatus {
        warnings = List.copyOf(warnings);
        findings = List.copyOf(findings);
    }

    /** Where no server runs. */
    public SandboxStatus(boolean bubblewrap, boolean landlock, List<String> warnings, List<Finding> findings) {
        this(bubblewrap, landlock, warnings, findings, Optional.empty());
    }

    /** The same of a server with this floor. */
    public SandboxStatus withFloor(Floor newFloor) {
        return new SandboxStatus(bubblewrap, landlock, warnings, findings, Optional.of(newFloor));
    }

    /**
     * The most that a request can get.
     *
     * @param requireSandbox whether what is not confined is refused
     * @param file which the profile was read from, at the start of the server; empty without a profile
     * @param permissions the profile
     */
    public record Floor(boolean requireSandbox, Optional<String> file, Optional<PermissionProfile> permissions)
            implements JsonWritable {
        @Override
        public void writeTo(JsonGenerator g) throws IOException {
            g.writeStartObject();
            g.writeBooleanField("requireSandbox", requireSandbox);
            JsonFields.orNull(g, "file", file);
            g.writeFieldName("permissions");
            if (permissions.isPresent()) {
                permissions.get().writeTo(g);
            } else {
                g.writeNull();
            }
            g.writeEndObject();
        }
    }

    /**
     * One thing that was tried.
     *
     * @param layer short name
     * @param status {@code ok}, {@code warning} or {@code missing}
     * @param result what was seen
     * @param meaning what follows from it
     * @param remedy what the operator can do; empty when nothing is wrong
     */
    public record Finding(String layer, String status, String result, String meaning, String remedy) {}

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeBooleanField("bubblewrap", bubblewrap);
        g.writeBooleanField("landlock", landlock);
        JsonFields.strings(g, "warnings", warnings);
        g.writeArrayFieldStart("findings");
        for (Finding finding : findings) {
            g.writeStartObject();
            g.writeStringField("layer", finding.layer());
            g.writeStringField("status", finding.status());
            g.writeStringField("result", finding.result());
            g.writeStringField("meaning", finding.meaning());
            g.writeStringField("remedy", finding.remedy());
            g.writeEndObject();
        }
        g.writeEndArray();
        if (floor.isPresent()) {
            g.writeFieldName("floor");
            floor.get().writeTo(g);
        }
        g.writeEndObject();
    }
}
