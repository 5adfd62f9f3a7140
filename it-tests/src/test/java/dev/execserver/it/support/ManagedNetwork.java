package dev.execserver.it.support;

import java.nio.file.Path;
import java.util.List;

/** Makes starts of processes whose only network is a proxy. */
public final class ManagedNetwork {
    private static final String PROFILE = """
            {"type":"managed","network":"restricted","file_system":{"type":"restricted","entries":[
            {"path":{"type":"special","value":{"kind":"root"}},"access":"read"},
            {"path":{"type":"special","value":{"kind":"project_roots"}},"access":"write"}]}}""";

    private ManagedNetwork() {}

    /** Returns the start with a writable workspace and only the network of the proxies in its variables. */
    public static Start confined(Start start, Path workspace) {
        String uri = "file://" + workspace;
        return start.with("cwd", uri)
                .with("enforceManagedNetwork", true)
                .with(
                        "sandbox",
                        Json.object(
                                "permissions",
                                Json.parse(PROFILE),
                                "cwd",
                                uri,
                                "workspaceRoots",
                                List.of(uri),
                                "windowsSandboxLevel",
                                "disabled"));
    }

    /** Returns the start of a shell script with the usual variables for one proxy. */
    public static Start shell(String script, Path workspace, String proxy) {
        return confined(Start.bash(script), workspace)
                .env("HOME", workspace.toString())
                .env("http_proxy", proxy)
                .env("https_proxy", proxy)
                .env("HTTP_PROXY", proxy)
                .env("ALL_PROXY", proxy)
                .env("LANG", "C");
    }
}
