package dev.execserver.client.rpc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Set;

/**
 * Finds the path that a file request is about, for the message of its error, because servers do not repeat the path.
 * Stateless.
 */
final class RequestPaths {

    private static final JsonFactory JSON = new JsonFactory();
    private static final String FILES = "fs/";
    private static final Set<String> MEMBERS = Set.of("path", "sourcePath");

    private RequestPaths() {}

    /** Returns the first path in the params; empty if there is none. */
    static String of(String method, JsonWritable params) {
        if (!method.startsWith(FILES)) {
            return "";
        }
        try (JsonGenerator nowhere = JSON.createGenerator(OutputStream.nullOutputStream());
                Search search = new Search(nowhere)) {
            params.writeTo(search);
        } catch (Found found) {
            return found.getMessage();
        } catch (IOException notWritable) {
            return "";
        }
        return "";
    }

    /** Stops the writing: later members may contain a large file. */
    private static final class Found extends IOException {
        private static final long serialVersionUID = 1L;

        Found(String path) {
            super(path);
        }
    }

    private static final class Search extends JsonGeneratorDelegate {

        Search(JsonGenerator nowhere) {
            super(nowhere, false);
        }

        @Override
        public void writeStringField(String name, String value) throws IOException {
            if (MEMBERS.contains(name)) {
                throw new Found(nativeText(value));
            }
            delegate.writeStringField(name, value);
        }

        /** Does not close the generator below, whose object is incomplete. */
        @Override
        public void close() {
            // nothing was kept
        }

        private static String nativeText(String path) {
            try {
                return PathUri.parse(path, Dialect.OPEN).text().orElse(path);
            } catch (RpcException noPath) {
                return path;
            }
        }
    }
}
