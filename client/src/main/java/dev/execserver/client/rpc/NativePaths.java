package dev.execserver.client.rpc;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonWritable;
import java.io.IOException;
import java.util.Set;

/** Rewrites params for a server that does not know URIs: paths in their own members are written natively. */
final class NativePaths {

    private static final Set<String> MEMBERS = Set.of("cwd", "path", "sourcePath", "destinationPath");

    private NativePaths() {}

    /** Rewrites the params. A path that is not UTF-8 cannot be written natively and stays a URI. */
    static JsonWritable in(JsonWritable params) {
        return g -> params.writeTo(new Rewriter(g));
    }

    private static final class Rewriter extends JsonGeneratorDelegate {

        Rewriter(JsonGenerator g) {
            super(g, false);
        }

        @Override
        public void writeStringField(String name, String value) throws IOException {
            // A variable of the environment may have any of these names, so only members of the params themselves
            // count.
            boolean own = getOutputContext().getParent() == null
                    || getOutputContext().getParent().inRoot();
            delegate.writeStringField(name, own && MEMBERS.contains(name) ? nativeText(value) : value);
        }

        private static String nativeText(String uri) {
            return PathUri.parse(uri, Dialect.OPEN).text().orElse(uri);
        }
    }
}
