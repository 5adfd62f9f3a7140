package dev.execserver.server.transport.files;

import dev.execserver.helper.fs.EntityTags;
import dev.execserver.helper.fs.FileCondition;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Conditional headers of a request (RFC 9110 section 13), in their order of precedence. Immutable. */
record Conditions(ServerRequestHeaders headers) {

    /** Result of the conditions. */
    enum Verdict {
        GO_ON,
        NOT_MODIFIED,
        FAILED
    }

    /** Returns the result for a download. */
    Verdict verdict(String tag, Instant modified) {
        Instant seconds = modified.truncatedTo(ChronoUnit.SECONDS);
        if (headers.contains(HeaderNames.IF_MATCH)) {
            if (!lists(HeaderNames.IF_MATCH, tag, true)) {
                return Verdict.FAILED;
            }
        } else if (date(HeaderNames.IF_UNMODIFIED_SINCE)
                .filter(seconds::isAfter)
                .isPresent()) {
            return Verdict.FAILED;
        }
        if (headers.contains(HeaderNames.IF_NONE_MATCH)) {
            return lists(HeaderNames.IF_NONE_MATCH, tag, false) ? Verdict.NOT_MODIFIED : Verdict.GO_ON;
        }
        boolean old = date(HeaderNames.IF_MODIFIED_SINCE)
                .filter(since -> !seconds.isAfter(since))
                .isPresent();
        return old ? Verdict.NOT_MODIFIED : Verdict.GO_ON;
    }

    /**
     * Returns the condition for an upload. Dates are too coarse to protect a file, so {@link PutAnswer} refuses a date
     * that would have to.
     */
    FileCondition forUpload() {
        return new FileCondition(list(HeaderNames.IF_MATCH), list(HeaderNames.IF_NONE_MATCH));
    }

    /** Returns true if the range was asked of exactly this version of the file (If-Range). */
    boolean rangeIsMeant(String tag, Instant modified) {
        if (!headers.contains(HeaderNames.IF_RANGE)) {
            return true;
        }
        String value = headers.get(HeaderNames.IF_RANGE).get().strip();
        return value.equals(tag)
                || parse(value)
                        .filter(modified.truncatedTo(ChronoUnit.SECONDS)::equals)
                        .isPresent();
    }

    private boolean lists(HeaderName name, String tag, boolean strong) {
        return list(name).filter(list -> EntityTags.lists(list, tag, strong)).isPresent();
    }

    private Optional<String> list(HeaderName name) {
        return headers.contains(name)
                ? Optional.of(String.join(",", headers.get(name).allValues()))
                : Optional.empty();
    }

    private Optional<Instant> date(HeaderName name) {
        return headers.contains(name) ? parse(headers.get(name).get().strip()) : Optional.empty();
    }

    private static Optional<Instant> parse(String text) {
        try {
            return Optional.of(ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty(); // RFC 9110: a date that cannot be read is ignored
        }
    }
}
