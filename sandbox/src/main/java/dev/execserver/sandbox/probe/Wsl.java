package dev.execserver.sandbox.probe;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Version of the Windows Subsystem for Linux, found by the text of /proc/version: uname(2) may show a real kernel. */
public enum Wsl {
    NONE,
    /** WSL 1 emulates Linux: it has no kernel of its own and no namespaces. */
    WSL1,
    /** WSL 2 runs a real kernel in a virtual machine. */
    WSL2;

    private static final Pattern NUMBERED = Pattern.compile("wsl(\\d+)");

    /** @param version content of /proc/version */
    public static Wsl of(String version) {
        String text = version.toLowerCase(Locale.ROOT);
        Matcher numbered = NUMBERED.matcher(text);
        if (numbered.find()) {
            return numbered.group(1).equals("1") ? WSL1 : WSL2;
        }
        if (text.contains("microsoft-standard")) {
            return WSL2;
        }
        return text.contains("microsoft") ? WSL1 : NONE;
    }
}
