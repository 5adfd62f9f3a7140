package dev.execserver.helper.fs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lists of entity tags, as the conditional headers of HTTP have them (RFC 9110 section 13.1). Stateless. */
public final class EntityTags {

    private static final Pattern TAG = Pattern.compile("(W/)?(\"[!#-~]*\")");

    private EntityTags() {}

    /** Whether the list is an asterisk or names the tag. A weak tag never matches where a strong one is asked for. */
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
