package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.BufferRecycler;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.core.util.RecyclerPool;

/** Configuration of Jackson for the protocol. Thread-safe. */
final class Json {

    /** Largest message of the protocol in bytes (64 MiB), and so also the largest string. */
    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    /**
     * Shared by all threads. The usual thread-local pool would build new buffers for every virtual thread, and so for
     * every request.
     */
    private static final RecyclerPool<BufferRecycler> POOL = JsonRecyclerPools.sharedConcurrentDequePool();

    /** Factory of generators only. Its parsers would all share one table of names, see {@link JsonScanner}. */
    static final JsonFactory GENERATORS = newFactory();

    private Json() {}

    static JsonFactory newFactory() {
        return JsonFactory.builder()
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .recyclerPool(POOL)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(MAX_MESSAGE_BYTES)
                        .maxNumberLength(JsonScanner.MAX_NUMBER_LENGTH)
                        .maxNestingDepth(EnvelopeDecoder.MAX_DEPTH)
                        .build())
                // The reference server escapes control characters with lower-case digits and sends everything else as
                // UTF-8.
                .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
                .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                .build();
    }
}
