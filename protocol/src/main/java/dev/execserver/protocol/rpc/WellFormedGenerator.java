package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import java.io.IOException;

/**
 * Generator that never writes half of a surrogate pair. Jackson would write it as an escape, which is valid JSON but no
 * valid text: the reference server refuses the whole message.
 */
final class WellFormedGenerator extends JsonGeneratorDelegate {

    WellFormedGenerator(JsonGenerator target) {
        super(target, false);
    }

    @Override
    public void writeString(String text) throws IOException {
        super.writeString(text == null ? null : Text.wellFormed(text));
    }

    @Override
    public void writeFieldName(String name) throws IOException {
        super.writeFieldName(Text.wellFormed(name));
    }
}
