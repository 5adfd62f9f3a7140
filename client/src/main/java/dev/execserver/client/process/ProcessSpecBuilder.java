package dev.execserver.client.process;

import dev.execserver.protocol.net.NetworkProxyConfig;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.process.EnvPolicy;
import dev.execserver.protocol.process.ExecPolicyParams;
import dev.execserver.protocol.process.ResourceLimits;
import dev.execserver.protocol.process.StartMetadata;
import dev.execserver.protocol.rpc.JsonSlice;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Collects the settings of a {@link ProcessSpec}. Mutable and not thread-safe. */
public final class ProcessSpecBuilder {

    private ProcessSpec spec;

    ProcessSpecBuilder(ProcessSpec spec) {
        this.spec = spec;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder processId(String value) {
        spec = spec.processId(value);
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder cwd(String value) {
        spec = spec.cwd(value);
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder cwd(PathUri value) {
        spec = spec.cwd(value);
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder env(Map<String, String> value) {
        spec = spec.env(value);
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder env(String name, String value) {
        spec = spec.env(name, value);
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder redirectErrorStream() {
        spec = spec.redirectErrorStream();
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder inherit(Optional<EnvPolicy> value) {
        spec = spec.inherit(value);
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder tty() {
        spec = spec.tty();
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder tty(int cols, int rows) {
        spec = spec.tty(cols, rows);
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder stdin() {
        spec = spec.stdin();
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder arg0(String value) {
        spec = spec.arg0(value);
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder sandbox(JsonSlice value) {
        spec = spec.sandbox(value);
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder networkProxy(NetworkProxyConfig value) {
        spec = spec.networkProxy(value);
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder sandbox(SandboxContext value) {
        spec = spec.sandbox(value);
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder metadata(StartMetadata value) {
        spec = spec.metadata(value);
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder timeout(Duration value) {
        spec = spec.timeout(value);
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder idleTimeout(Duration value) {
        spec = spec.idleTimeout(value);
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder closeGrace(Duration value) {
        spec = spec.closeGrace(value);
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder limits(ResourceLimits value) {
        spec = spec.limits(value);
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder execPolicy(ExecPolicyParams value) {
        spec = spec.execPolicy(value);
        return this;
    }

    /** Does the same as the method of this name of {@link ProcessSpec}. */
    public ProcessSpecBuilder bufferBytes(int value) {
        spec = spec.bufferBytes(value);
        return this;
    }

    /** Returns the spec with all settings so far. */
    public ProcessSpec build() {
        return spec;
    }
}
