package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;

/**
 * The one JSON factory. It is thread-safe.
 *
 * <p>Its buffers come from a shared pool: the usual thread-local one would build new buffers for every virtual thread,
 * and there is one of those per request.
 */
final class Json {

    /** Largest message of the protocol in bytes (64 MiB), hence also the largest string. */
    static final int MAX_MESSAGE_BYTES = 64 << 20;

    /** Longest number in characters; a u64 has 20. Converting a long one takes quadratic time. */
    static final int MAX_NUMBER_LENGTH = 1000;

    /** Longest member name in bytes. A variable of the environment cannot be longer than 128 KiB on Linux. */
    static final int MAX_NAME_LENGTH = 1 << 20;

    static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(MAX_MESSAGE_BYTES)
                    .maxNumberLength(MAX_NUMBER_LENGTH)
                    .maxNameLength(MAX_NAME_LENGTH)
                    .maxNestingDepth(EnvelopeDecoder.MAX_DEPTH + 1)
                    .build())
            // The reference escapes control characters with lower-case digits and sends everything else as UTF-8.
            .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .build();

    private Json() {}
}
