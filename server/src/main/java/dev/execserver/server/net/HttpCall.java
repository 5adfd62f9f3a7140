package dev.execserver.server.net;

import dev.execserver.protocol.rpc.RpcException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * One HTTP request: the first one, or the next one after a redirect.
 *
 * @param body must not be modified; empty for no body
 */
@SuppressWarnings("ArrayRecordComponent") // sent unchanged, and calls are never compared
public record HttpCall(String method, RequestUrl url, HeaderFields headers, byte[] body) {

    /** A token, see RFC 9110 section 9.1. */
    private static final Pattern METHOD = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private static final byte[] NO_BODY = {};

    /** @throws RpcException -32602 for an invalid method name, and for CONNECT, which opens a tunnel */
    public static String checkedMethod(String method) {
        if (!METHOD.matcher(method).matches()) {
            throw RpcException.invalidParams("http/request method is invalid: invalid HTTP method");
        }
        if (method.equals("CONNECT")) {
            throw RpcException.invalidParams("http/request method is invalid: CONNECT makes a tunnel, not a request");
        }
        return method;
    }

    /** Returns the request with the credentials from its URL, unless a header has some. */
    HttpCall withUserInfo() {
        HeaderFields more = url.userInfo()
                .map(text -> headers.orElse("authorization", basic(text)))
                .orElse(headers);
        return new HttpCall(method, url, more, body);
    }

    static String basic(String userInfo) {
        return "Basic " + Base64.getEncoder().encodeToString(userInfo.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the next request after a redirect (RFC 9110 section 15.4).
     *
     * @param status a status for which {@link #redirects} is true
     */
    HttpCall redirected(int status, RequestUrl target) {
        boolean toGet = switch (status) {
            case 301, 302 -> method.equals("POST");
            case 303 -> !method.equals("HEAD") && !method.equals("GET");
            default -> false;
        };
        HeaderFields fields = toGet ? headers.withoutBody() : headers;
        fields = url.sameOrigin(target) ? fields : fields.forOtherOrigin();
        fields = fields.without("referer");
        if (!url.secure() || target.secure()) {
            fields = fields.plus("referer", url.sameOrigin(target) ? url.toString() : url.origin());
        }
        return new HttpCall(toGet ? "GET" : method, target, fields, toGet ? NO_BODY : body);
    }

    static boolean redirects(int status) {
        return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
    }
}
