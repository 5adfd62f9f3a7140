package dev.execserver.client.http;

import dev.execserver.protocol.net.HttpHeader;
import java.util.List;
import java.util.Optional;

/**
 * Whole response.
 *
 * @param headers names in lower case
 */
@SuppressWarnings("ArrayRecordComponent") // a body has up to 32 MiB, and no code compares replies
public record HttpReply(int status, List<HttpHeader> headers, byte[] body) {

    /** Returns the first value of a header; write the name in lower case. */
    public Optional<String> header(String name) {
        return headers.stream()
                .filter(header -> header.name().equals(name))
                .map(HttpHeader::value)
                .findFirst();
    }
}
