package dev.execserver.cli.client;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.text.SurrogateEscapedText;
import java.io.ByteArrayOutputStream;
import java.util.Optional;

/** Resolves paths on the server. Stateless. */
final class RemotePaths {
    private static final String HOME = "~";

    private RemotePaths() {}

    /** @throws ConfigException for a relative path when the server does not tell its base */
    static PathUri path(String text, Optional<EnvironmentInfo> server) {
        if (text.startsWith("/")) {
            return PathUri.ofNative(SurrogateEscapedText.encode(text));
        }
        if (text.startsWith("file:")) {
            return PathUri.parse(text, Dialect.OPEN);
        }
        boolean belowHome = text.equals(HOME) || text.startsWith(HOME + "/");
        Optional<PathUri> base = server.flatMap(belowHome ? EnvironmentInfo::userHomeDir : EnvironmentInfo::cwd);
        String rest = belowHome ? text.substring(HOME.length()) : text;
        return below(
                base.orElseThrow(() -> ConfigException.failure(
                        "the server does not say where `%s` begins; give an absolute path".formatted(":" + text))),
                rest);
    }

    private static PathUri below(PathUri base, String rest) {
        ByteArrayOutputStream path = new ByteArrayOutputStream();
        path.writeBytes(base.bytes());
        if (!rest.startsWith("/")) {
            path.write('/');
        }
        path.writeBytes(SurrogateEscapedText.encode(rest));
        return PathUri.ofNative(path.toByteArray());
    }
}
