package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.nio.charset.StandardCharsets;

/**
 * Rule by which the operator's floor ({@code --sandbox-floor}, {@code --require-sandbox}) applies to a method. Each row
 * of the method table names one; {@code MethodRowsTest} lists them all.
 */
public enum FloorRule {
    /** Starts a program. Its sandbox is compared with the floor; {@code --require-sandbox} demands one. */
    START(true),
    /** Touches files that the request names, inside the request's sandbox or, without one, inside the floor. */
    FILES(true),
    /** Reads files that the request names outside of any sandbox. Files that the floor hides are refused. */
    WATCH(false),
    /** Uses the network of the server. Refused if the floor allows no network. */
    NETWORK(false),
    /** Touches only objects that an earlier request of the same session or connection created under its own rule. */
    OWN(false),
    /** Reports about the server or the session and touches nothing. */
    TELL(false);

    private static final byte[] NAME = "\"sandbox\"".getBytes(StandardCharsets.US_ASCII);

    private final boolean takesSandbox;

    FloorRule(boolean takesSandbox) {
        this.takesSandbox = takesSandbox;
    }

    /** Returns true if the method obeys the member {@code sandbox} of its params. */
    public boolean takesSandbox() {
        return takesSandbox;
    }

    /**
     * Refuses a {@code sandbox} that the method would ignore, because the client would believe that it is in force.
     *
     * @throws RpcException -32602 with a message that says what to do
     */
    void refuseSandbox(String method, JsonSlice params) {
        if (takesSandbox || !params.mentions(NAME) || !hasSandbox(params)) {
            return;
        }
        throw RpcException.invalidParams(
                        "`sandbox` has no effect on " + method + ": " + why() + "; leave it out, or set it to null")
                .withData("reason", "sandboxNotTaken");
    }

    private static boolean hasSandbox(JsonSlice params) {
        ParamsReader in = ParamsReader.of(params, "params");
        while (in.next()) {
            if (in.name().equals("sandbox") && in.sliceOrNull().isPresent()) {
                return true;
            }
        }
        return false;
    }

    private String why() {
        return switch (this) {
            case START, FILES -> throw new IllegalStateException(this + " takes a sandbox");
            case WATCH ->
                "it sees what the server sees, whatever the profile hides (the operator's --sandbox-floor bounds it)";
            case NETWORK -> "it is sent by the server itself (the operator's --sandbox-floor bounds it)";
            case OWN -> "it touches only what was begun before, under the sandbox of that request";
            case TELL -> "it touches nothing";
        };
    }
}
