package dev.execserver.helper.fs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parser of lists of entity tags, as in the conditional headers of HTTP (RFC 9110 section 13.1). Stateless. */
public final class EntityTags {

    private static final Pattern TAG = Pattern.compile("(W/)?(\"[!#-~]*\")");

    private EntityTags() {}

    /**
     * Returns true if the list is an asterisk or contains the tag. With {@code strong} a weak tag of the list never
     * matches.
     */
    public static boolean lists(String list, String tag, boolean strong) {
        if (list.strip().equals("*")) {
            return true;
        }
        Matcher matcher = TAG.matcher(list);
        while (matcher.find()) {
            boolean weak = matcher.group(1) != null;
            if (!(weak && strong) && matcher.group(2).equals(tag)) {
                return true;
            }
        }
        return false;
    }
}
