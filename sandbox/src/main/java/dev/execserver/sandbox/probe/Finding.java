package dev.execserver.sandbox.probe;

/**
 * The result of one check.
 *
 * @param layer short name, stable
 * @param result the observation
 * @param meaning the consequence for the operator
 * @param remedy what the operator can do; empty when nothing is wrong
 */
public record Finding(Layer layer, Status status, String result, String meaning, String remedy) {
    /** Severity of a finding. */
    public enum Status {
        OK,
        /** Something works less well than it could. */
        WARNING,
        /** Something does not work. */
        MISSING
    }

    /** A part of the machine that is checked. */
    public enum Layer {
        BUBBLEWRAP("bubblewrap"),
        USER_NAMESPACE("user namespace"),
        MOUNT_NAMESPACE("mount namespace"),
        PID_NAMESPACE("pid namespace"),
        NETWORK_NAMESPACE("network namespace"),
        NETWORK_BRIDGE("network bridge"),
        LINK_MOUNTS("link mounts"),
        PROC_MOUNT("proc mount"),
        SECCOMP("seccomp"),
        LANDLOCK("landlock"),
        PEERS("connections"),
        EXEC_INTERCEPTION("exec interception"),
        CGROUP("cgroup"),
        KERNEL("kernel"),
        WSL("wsl");

        private final String label;

        Layer(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    static Finding ok(Layer layer, String result, String meaning) {
        return new Finding(layer, Status.OK, result, meaning, "");
    }
}
