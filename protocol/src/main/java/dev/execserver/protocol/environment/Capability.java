package dev.execserver.protocol.environment;

/**
 * Features that a client uses only if the server announces them. Announce only implemented ones; an absent capability
 * is always safe.
 */
public enum Capability {
    /** {@code process/start} accepts {@code networkProxy}. */
    NETWORK_PROXY_LAUNCH("networkProxyLaunch"),
    /** {@code networkProxy} accepts {@code reviewDomains}. */
    NETWORK_PROXY_REVIEW_DOMAINS("networkProxyReviewDomains"),
    /** {@code networkProxy} accepts {@code transparentTcp}. */
    NETWORK_PROXY_TRANSPARENT_TCP("networkProxyTransparentTcp"),
    /** {@code networkProxy} can mask credentials. */
    CREDENTIAL_MASKING("credentialMasking"),
    CREDENTIAL_MASKING_CUSTOM_PROVIDERS("credentialMaskingCustomProviders"),
    /** {@code capabilityRoots/discoverV1} accepts a sandbox. */
    CAPABILITY_DISCOVERY_SANDBOX("capabilityDiscoverySandbox"),
    /** {@code fs/watchMissing} exists. */
    FS_WATCH_MISSING("fsWatchMissing"),
    /** {@code capabilities/discoverV2} exists. */
    CAPABILITY_DISCOVERY_V2("capabilityDiscoveryV2"),
    /** {@code environmentConfig/read} exists. */
    ENVIRONMENT_CONFIG_READ("environmentConfigRead"),
    /** Headers of {@code http/request} accept {@code valueEnvVar}. */
    HTTP_HEADER_ENV_VARS("httpHeaderEnvVars"),
    /** {@code fs/open} accepts a sandbox. */
    SANDBOXED_FILE_STREAMING("sandboxedFileStreaming"),
    /** {@code fs/open} supports the mode {@code replace}, and {@code fs/writeBlock} exists. */
    FILE_WRITE_STREAMING("fileWriteStreaming"),
    /** {@code process/start} accepts {@code shellSnapshot}. */
    SHELL_SNAPSHOT_V2("shellSnapshotV2"),
    /** Windows only. */
    WINDOWS_MXC("windowsMxc"),
    /** Profiles can make {@code /} writable. */
    LINUX_ROOT_WRITE_PRESERVES_DEVICES("linuxRootWritePreservesDevices"),
    LINUX_APPROVED_ROOT_WRITE_PRESERVES_RESTRICTIONS("linuxApprovedRootWritePreservesRestrictions");

    private final String wire;

    Capability(String wire) {
        this.wire = wire;
    }

    /** Name of the member in the protocol. */
    public String wire() {
        return wire;
    }
}
