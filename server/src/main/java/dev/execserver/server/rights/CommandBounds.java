package dev.execserver.server.rights;

import dev.execserver.protocol.process.ResourceLimits;
import dev.execserver.protocol.process.StartOptions;
import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.limits.ControlGroups;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The limits that the operator sets for the commands of all clients, beside those of a named client. A command that asks for
 * more than a maximum is refused; one that asks for nothing gets the default, or else the maximum. Immutable.
 *
 * @param defaults of a command that asks for nothing
 * @param maxima of every command
 * @param ofSession of all commands of a session together
 * @param ofServer of all commands of the server together
 */
public record CommandBounds(LimitSet defaults, LimitSet maxima, LimitSet ofSession, LimitSet ofServer) {
    public static final CommandBounds NONE =
            new CommandBounds(LimitSet.NONE, LimitSet.NONE, LimitSet.NONE, LimitSet.NONE);

    private static final String MAX_OPTION = "--max-limits";
    private static final String MAX_MEMBER = "maxLimits in --clients-file";

    /**
     * Returns the control groups of a server with these bounds.
     *
     * @param name directory name of the server, unique among all servers
     */
    public ControlGroups groups(String name, Ledger ledger) {
        return new ControlGroups(name, ledger, ofServer.totals(), ofSession.totals());
    }

    /**
     * Returns the params with the limits that count.
     *
     * @throws RpcException -32602 with {@code data.reason = "limits"} if one is above a maximum
     */
    public StartParams applied(StartParams params, Rights rights) {
        LimitSet most = maxima.smaller(rights.maxLimits());
        LimitSet usual = rights.defaultLimits().orElse(defaults);
        boolean counted = !ofSession.none() || !ofServer.none();
        if (most.none() && usual.none() && !counted) {
            return params;
        }
        StartOptions options = params.options();
        Map<LimitName, Long> given = new EnumMap<>(LimitName.class);
        for (LimitName name : LimitName.values()) {
            OptionalLong value = chosen(name, name.asked(options), usual, most, rights);
            value.ifPresent(number -> given.put(name, number));
        }
        LimitSet chosen = new LimitSet(given);
        ResourceLimits resources = chosen.resources();
        boolean limited = counted || options.limits().isPresent() || !resources.equals(ResourceLimits.NONE);
        return params.withOptions(options.withTimeoutMs(chosen.get(LimitName.TIMEOUT_MS))
                .withLimits(limited ? Optional.of(resources) : Optional.empty()));
    }

    private OptionalLong chosen(LimitName name, OptionalLong asked, LimitSet usual, LimitSet most, Rights rights) {
        OptionalLong maximum = most.get(name);
        if (asked.isPresent()) {
            if (maximum.isPresent() && above(name, asked.getAsLong(), maximum.getAsLong())) {
                throw refused(name, asked.getAsLong(), maximum.getAsLong(), rights);
            }
            return asked;
        }
        OptionalLong value = usual.get(name);
        if (value.isPresent() && maximum.isPresent()) {
            return OptionalLong.of(Math.min(value.getAsLong(), maximum.getAsLong()));
        }
        return value.isPresent() ? value : maximum;
    }

    /** A time limit of 0 is none. Numbers are unsigned. */
    private static boolean above(LimitName name, long asked, long maximum) {
        return name == LimitName.TIMEOUT_MS && asked == 0 || Long.compareUnsigned(asked, maximum) > 0;
    }

    private RpcException refused(LimitName name, long asked, long maximum, Rights rights) {
        OptionalLong ofClient = rights.maxLimits().get(name);
        boolean own = ofClient.isPresent() && ofClient.getAsLong() == maximum;
        String wish = name == LimitName.TIMEOUT_MS && asked == 0
                ? "no time limit (timeoutMs 0)"
                : name.path() + " " + Long.toUnsignedString(asked);
        return RpcException.invalidParams(wish + " is more than the operator allows"
                        + (own ? " the client " + rights.client() : "") + ", " + maximum + " ("
                        + (own ? MAX_MEMBER : MAX_OPTION) + ")")
                .withData("reason", "limits")
                .withData("limit", maximum);
    }

    /**
     * Returns the time limit of a command whose method has one of its own when the client names none: the default of the
     * operator, or that of the method, and no more than the maximum.
     */
    public long usualTimeoutMs(long ofMethod, Rights rights) {
        long usual = rights.defaultLimits()
                .orElse(defaults)
                .get(LimitName.TIMEOUT_MS)
                .orElse(ofMethod);
        OptionalLong most = maxima.smaller(rights.maxLimits()).get(LimitName.TIMEOUT_MS);
        return most.isPresent() ? Math.min(usual, most.getAsLong()) : usual;
    }
}
