package dev.execserver.protocol.process;

import dev.execserver.protocol.rpc.ParamsReader;

/** Confinement of a process, as in the answer to {@code process/start}. */
public enum SandboxType {
    NONE("none"),
    LINUX_SECCOMP("linuxSeccomp"),
    MACOS_SEATBELT("macosSeatbelt"),
    WINDOWS_RESTRICTED_TOKEN("windowsRestrictedToken"),
    WINDOWS_MXC("windowsMxc");

    private final String wire;

    SandboxType(String wire) {
        this.wire = wire;
    }

    public String wire() {
        return wire;
    }

    static SandboxType parse(String text) {
        for (SandboxType type : values()) {
            if (type.wire.equals(text)) {
                return type;
            }
        }
        throw ParamsReader.unknownVariant(
                text, "one of `none`, `macosSeatbelt`, `linuxSeccomp`, `windowsRestrictedToken`, `windowsMxc`");
    }
}
