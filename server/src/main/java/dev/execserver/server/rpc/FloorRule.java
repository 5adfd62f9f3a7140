package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.nio.charset.StandardCharsets;

/**
 * Says how the operator's floor ({@code --sandbox-floor}, {@code --require-sandbox}) decides about a method. Each row of the
 * method table names one; {@code MethodRowsTest} lists them all.
 */
public enum FloorRule {
    /** Starts a program: its sandbox is compared with the floor, and with {@code --require-sandbox} it must have one. */
    START(true),
    /** Touches files that the request names: under its sandbox, else under the floor. */
    FILES(true),
    /** Looks at files that the request names, outside of any sandbox: what the floor hides is refused. */
    WATCH(false),
    /** Uses the network of the server: refused when the floor has none. */
    NETWORK(false),
    /** Touches only what a request under another rule has begun on the same session or connection. */
    OWN(false),
    /** Tells about the server or the session and touches nothing. */
    TELL(false);

    private static final byte[] NAME = "\"sandbox\"".getBytes(StandardCharsets.US_ASCII);

    private final boolean takesSandbox;

    FloorRule(boolean takesSandbox) {
        this.takesSandbox = takesSandbox;
    }

    /** Returns true if requests have a member {@code sandbox} that is honoured. */
    public boolean takesSandbox() {
        return takesSandbox;
    }

    /**
     * Refuses a {@code sandbox} where nothing would come of it: whoever sends one believes to be bounded by it.
     *
     * @throws RpcException -32602 that says what to do
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
