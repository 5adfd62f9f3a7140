package dev.execserver.protocol.net;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import java.util.ArrayList;
import java.util.List;

/** Reads member {@code unixSockets} of {@link NetworkProxySettings}: rules by path, with the words of {@link DomainRule}. */
final class UnixSocketRules {

    private UnixSocketRules() {}

    static List<String> allowed(JsonSlice rules) {
        ParamsReader in = ParamsReader.of(rules, "a map");
        List<String> allowed = new ArrayList<>();
        while (in.next()) {
            String path = in.name();
            if (DomainRule.parse(in.string()) == DomainRule.ALLOW) {
                allowed.add(path);
            }
        }
        return allowed;
    }
}
