package dev.execserver.protocol.environment;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Result of {@code sandbox/status}: the sandbox features of the server's machine.
 *
 * @param bubblewrap true if sandboxes with namespaces can be built
 * @param landlock true if the fallback is available
 * @param warnings sentences for people
 * @param findings results of all checks
 * @param floor the operator's restriction of all requests; empty where no server runs
 */
public record SandboxStatus(
        boolean bubblewrap, boolean landlock, List<String> warnings, List<Finding> findings, Optional<Floor> floor)
        implements JsonWritable {
    public SandboxStatus {
        warnings = List.copyOf(warnings);
        findings = List.copyOf(findings);
    }

    /** Makes a status for a machine where no server runs. */
    public SandboxStatus(boolean bubblewrap, boolean landlock, List<String> warnings, List<Finding> findings) {
        this(bubblewrap, landlock, warnings, findings, Optional.empty());
    }

    /** Returns the same status with the floor of a server. */
    public SandboxStatus withFloor(Floor newFloor) {
        return new SandboxStatus(bubblewrap, landlock, warnings, findings, Optional.of(newFloor));
    }

    /**
     * The most permissions that a request can get.
     *
     * @param requireSandbox true if requests that are not confined are refused
     * @param file file from which the profile was read at the start of the server; empty without a profile
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
     * Result of one check.
     *
     * @param layer short name
     * @param status {@code ok}, {@code warning} or {@code missing}
     * @param result the observation
     * @param meaning the consequence for sandboxes
     * @param remedy the operator's remedy; empty when nothing is wrong
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
