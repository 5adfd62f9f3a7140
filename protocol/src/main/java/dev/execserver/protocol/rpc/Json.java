package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.BufferRecycler;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.core.util.RecyclerPool;

/** Jackson, set up for the protocol. Thread-safe. */
final class Json {

    /** Largest message of the protocol in bytes (64 MiB), hence also the largest string. */
    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    /** Shared: the usual thread-local pool builds new buffers for every virtual thread, hence for every request. */
    private static final RecyclerPool<BufferRecycler> POOL = JsonRecyclerPools.sharedConcurrentDequePool();

    /** For generators. A parser made by it would share its names with all others, see {@link JsonScanner}. */
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
                // The reference escapes control characters with lower-case digits and sends everything else as UTF-8.
                .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
                .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                .build();
    }
}
