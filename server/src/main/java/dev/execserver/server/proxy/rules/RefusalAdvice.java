package dev.execserver.server.proxy.rules;

import dev.execserver.protocol.net.ProxyChange;
import dev.execserver.protocol.process.Denial;
import dev.execserver.server.rules.ConnectingProgram;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Explanation of a refused connection: the reason, and the smallest change that would allow it.
 *
 * @param rule the part of the policy that has decided, for people
 * @param change empty if no rule of a client can allow the connection
 * @param remedy another way to allow it, if there is no such change
 * @param hidden true if the change tells an address that the command does not know
 */
public record RefusalAdvice(
        ProxyDestination target, String rule, Optional<ProxyChange> change, Optional<String> remedy, boolean hidden) {

    static final String WHERE = "networkProxy.proxy";

    /** Returns the change, if the command may know it. */
    public Optional<ProxyChange> changeForCommand() {
        return change.filter(_ -> !hidden);
    }

    /** Returns one sentence for people who see the output of the command. */
    public String sentence() {
        String name = target.port() == 0 ? HostName.bracketed(target.host()) : target.authority();
        return name + " is refused: " + rule
                + changeForCommand()
                        .map(RefusalAdvice::suggestion)
                        .or(() -> remedy)
                        .map(way -> "; to allow it: " + way)
                        .orElse("");
    }

    private static String suggestion(ProxyChange change) {
        return change.json() + " in " + WHERE;
    }

    /** Returns the denial for the report of the command's exit. */
    public Denial denial() {
        return new Denial(
                Denial.NETWORK,
                Optional.empty(),
                Optional.of(target.host()),
                target.port() == 0 ? OptionalInt.empty() : OptionalInt.of(target.port()),
                target.program().map(ConnectingProgram::path),
                Optional.of(rule),
                change.map(RefusalAdvice::suggestion).or(() -> remedy),
                change);
    }
}
