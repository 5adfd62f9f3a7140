package dev.execserver.server.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import dev.execserver.protocol.rpc.JsonSlice;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Reads the generated descriptions of the protocol, which the build copies beside this class from {@code docs/schema}. They
 * are read for each request: few ask for them. Stateless.
 */
public final class SchemaDocuments {

    private SchemaDocuments() {}

    /** Returns the document as it is in the repository. */
    public static byte[] read(SchemaDialect dialect, SchemaFormat format) {
        String file = format.file(dialect);
        try (InputStream in = SchemaDocuments.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new FileNotFoundException("the build has not added " + file);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a document in JSON on one line, as messages are. */
    public static JsonSlice onOneLine(SchemaDialect dialect, SchemaFormat format) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        JsonFactory factory = new JsonFactory();
        try (JsonParser in = factory.createParser(read(dialect, format));
                JsonGenerator generator = factory.createGenerator(out)) {
            in.nextToken();
            generator.copyCurrentStructure(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return JsonSlice.of(out.toByteArray(), 0, out.size());
    }
}
