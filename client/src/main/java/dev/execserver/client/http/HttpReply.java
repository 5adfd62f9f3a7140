package dev.execserver.client.http;

import dev.execserver.protocol.net.HttpHeader;
import java.util.List;
import java.util.Optional;

/**
 * A whole response.
 *
 * @param headers names in lower case
 */
@SuppressWarnings("ArrayRecordComponent") // up to 32 MiB, and nobody compares replies
public record HttpReply(int status, List<HttpHeader> headers, byte[] body) {

    /** The first value of a header; the name in lower case. */
    public Optional<String> header(String name) {
        return headers.stream()
                .filter(header -> header.name().equals(name))
                .map(HttpHeader::value)
                .findFirst();
    }
}
