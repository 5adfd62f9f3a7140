package dev.execserver.cli.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * State of the local terminal that a remote program has changed by its output: reads the output along, and makes what puts it back. What was
 * not changed is not reset, because resets have effects of their own: one that leaves the alternate screen moves the cursor where there was
 * none. Monitor; one thread reports the output, any thread asks.
 *
 * @see <a href="https://invisible-island.net/xterm/ctlseqs/ctlseqs.html">XTerm Control Sequences</a>
 */
final class TerminalModes {
    private static final int ESCAPE = 0x1b;
    private static final int BELL = 7;
    private static final int CANCEL = 0x18;
    private static final int SUBSTITUTE = 0x1a;
    private static final int SHIFT_OUT = 0x0e;
    private static final int SHIFT_IN = 0x0f;

    /** Longest begin of a sequence that is looked at. */
    private static final int MAX_SEQUENCE = 256;

    /** Private modes that are off in a new terminal: keys, reverse video, origin, mouse, focus, paste, updates. */
    private static final Set<String> OFF = Set.of(
            "1", "5", "6", "9", "66", "69", "1000", "1001", "1002", "1003", "1004", "1005", "1006", "1015", "1016",
            "2004", "2026", "2031", "2048");

    /** Private modes that are on: wrapping of lines, the cursor. */
    private static final Set<String> ON = Set.of("7", "25");

    private static final Set<String> SCREENS = Set.of("47", "1047", "1049");

    private enum Place {
        TEXT,
        ESCAPED,
        CHARSET,
        CONTROL,
        STRING,
        STRING_ESCAPED
    }

    private final Map<String, String> resets = new TreeMap<>();
    private final StringBuilder sequence = new StringBuilder();
    private String screen = "";
    private int keyboards;
    private Place place = Place.TEXT;

    /** Reads output along. */
    synchronized void seen(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            byte octet = bytes[i];
            if (place != Place.TEXT || octet == ESCAPE || octet == SHIFT_OUT || octet == SHIFT_IN) {
                next(octet & 0xff);
            }
        }
    }

    /** Returns true if the output does not end inside of a control sequence. */
    synchronized boolean atRest() {
        return place == Place.TEXT;
    }

    synchronized boolean alternateScreen() {
        return !screen.isEmpty();
    }

    /** Returns what puts the terminal back; empty if nothing was changed. A second call returns nothing. */
    synchronized byte[] takeReset() {
        StringBuilder text = new StringBuilder();
        if (place != Place.TEXT) {
            text.append((char) CANCEL);
        }
        if (keyboards > 0) {
            text.append("\u001b[<").append(keyboards).append('u');
        }
        resets.values().forEach(text::append);
        if (!screen.isEmpty()) {
            text.append("\u001b[?").append(screen).append('l');
        }
        clear();
        return text.toString().getBytes(ISO_8859_1);
    }

    private void clear() {
        resets.clear();
        screen = "";
        keyboards = 0;
        place = Place.TEXT;
    }

    private void next(int octet) {
        if (octet == CANCEL || octet == SUBSTITUTE) {
            place = Place.TEXT;
            return;
        }
        if (octet == ESCAPE && place != Place.STRING) {
            place = place == Place.STRING_ESCAPED ? Place.STRING_ESCAPED : Place.ESCAPED;
            return;
        }
        switch (place) {
            case TEXT -> keep("charset shift", octet == SHIFT_OUT, "\u000f");
            case ESCAPED -> escaped(octet);
            case CHARSET -> {
                keep("charset", octet != 'B', "\u001b(B");
                place = Place.TEXT;
            }
            case CONTROL -> control(octet);
            case STRING -> string(octet);
            case STRING_ESCAPED -> {
                endString();
                if (octet != '\\') {
                    escaped(octet);
                }
            }
        }
    }

    private void escaped(int octet) {
        sequence.setLength(0);
        place = switch (octet) {
            case '[' -> Place.CONTROL;
            case '(' -> Place.CHARSET;
            case ']', 'P', 'X', '^', '_' -> {
                sequence.append((char) octet);
                yield Place.STRING;
            }
            default -> octet >= ' ' && octet < '0' ? Place.ESCAPED : Place.TEXT;
        };
        switch (octet) {
            case '=' -> keep("keypad", true, "\u001b>");
            case '>' -> keep("keypad", false, "");
            case 'c' -> clear();
            default -> {} // changes nothing that lasts
        }
    }

    private void control(int octet) {
        if (octet < '@') {
            append(octet);
            return;
        }
        place = Place.TEXT;
        String parameters = sequence.toString();
        switch ((char) octet) {
            case 'h' -> modes(parameters, true);
            case 'l' -> modes(parameters, false);
            case 'm' -> style(parameters);
            case 'r' -> {
                if (!parameters.startsWith("?")) {
                    keep("region", !parameters.isEmpty(), "\u001b7\u001b[r\u001b8");
                }
            }
            case 'q' -> {
                if (parameters.endsWith(" ")) {
                    keep("cursor shape", !parameters.equals(" ") && !parameters.equals("0 "), "\u001b[0 q");
                }
            }
            case 'u' -> keyboard(parameters);
            case 'p' -> {
                if (parameters.equals("!")) { // a soft reset leaves the screen, the mouse and the paste as they are
                    resets.keySet()
                            .removeAll(Set.of("style", "region", "charset", "charset shift", "keypad", "mode 4"));
                    resets.keySet().removeAll(Set.of("?1", "?6", "?7", "?25"));
                }
            }
            default -> {} // moves the cursor, erases, asks
        }
    }

    private void modes(String parameters, boolean set) {
        if (!parameters.startsWith("?")) {
            for (String mode : parameters.split(";")) {
                if (mode.equals("4") || mode.equals("20")) {
                    keep("mode " + mode, set, "\u001b[" + mode + "l");
                }
            }
            return;
        }
        for (String mode : parameters.substring(1).split(";")) {
            if (SCREENS.contains(mode)) {
                screen = set ? mode : "";
            } else if (OFF.contains(mode)) {
                keep("?" + mode, set, "\u001b[?" + mode + "l");
            } else if (ON.contains(mode)) {
                keep("?" + mode, !set, "\u001b[?" + mode + "h");
            }
        }
    }

    private void style(String parameters) {
        if (parameters.startsWith(">4")) {
            keep("other keys", parameters.startsWith(">4;") && !parameters.equals(">4;0"), "\u001b[>4m");
        } else if (!parameters.startsWith(">") && !parameters.startsWith("?")) {
            keep("style", !parameters.isEmpty() && !parameters.equals("0"), "\u001b[0m");
        }
    }

    /** Keeps count of the protocol for keys of the terminal kitty, whose settings are a stack. */
    private void keyboard(String parameters) {
        if (parameters.startsWith(">")) {
            keyboards++;
        } else if (parameters.startsWith("<")) {
            String count = parameters.substring(1);
            keyboards = Math.max(0, keyboards - (count.matches("[0-9]{1,4}") ? Integer.parseInt(count) : 1));
        } else if (parameters.startsWith("=")) {
            keep("keyboard", !parameters.equals("=0") && !parameters.startsWith("=0;"), "\u001b[=0u");
        }
    }

    private void string(int octet) {
        if (octet == BELL) {
            endString();
        } else if (octet == ESCAPE) {
            place = Place.STRING_ESCAPED;
        } else {
            append(octet);
        }
    }

    /** Keeps the colours of the palette, the text, the background and the cursor. */
    private void endString() {
        place = Place.TEXT;
        String text = sequence.toString();
        for (String colour : Set.of("4", "10", "11", "12")) {
            if (text.startsWith("]" + colour + ";") && !text.endsWith("?")) {
                keep("colour " + colour, true, "\u001b]1" + (colour.length() == 1 ? "0" : "") + colour + "\u001b\\");
            } else if (text.startsWith("]1" + (colour.length() == 1 ? "0" : "") + colour)) {
                keep("colour " + colour, false, "");
            }
        }
    }

    private void append(int octet) {
        if (sequence.length() < MAX_SEQUENCE) {
            sequence.append((char) octet);
        }
    }

    private void keep(String what, boolean changed, String reset) {
        if (changed) {
            resets.put(what, reset);
        } else {
            resets.remove(what);
        }
    }
}
