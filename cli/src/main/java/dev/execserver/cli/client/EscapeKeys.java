package dev.execserver.cli.client;

import java.io.ByteArrayOutputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Keys that are for this program and not for the remote one: a prefix, Ctrl-] unless another is chosen, and one more key. The prefix twice
 * sends it once. Used by the thread that reads the terminal.
 */
final class EscapeKeys {
    /** Wish of the person at the terminal. */
    enum Wish {
        DETACH,
        QUIT,
        HELP
    }

    private static final String DEFAULT = "^]";
    private static final String NONE = "none";
    private static final String CONTROL = "ctrl-";
    private static final int CONTROL_BIT = 0x40;

    /** Prefix that equals no byte; bytes are signed here. */
    private static final int NO_PREFIX = Integer.MIN_VALUE;

    private final int prefix;
    private final Predicate<Wish> action;
    private boolean begun;
    private boolean over;

    /**
     * @param prefix empty for no keys
     * @param action returns true if this side wants no more input
     */
    EscapeKeys(Optional<Byte> prefix, Predicate<Wish> action) {
        this.prefix = prefix.isPresent() ? prefix.get() : NO_PREFIX;
        this.action = action;
    }

    /** Returns the prefix that the option names; empty for none. */
    static Optional<Byte> prefix(Arguments arguments) {
        String text = arguments.value(ClientOption.ESCAPE).orElse(DEFAULT);
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.equals(NONE)) {
            return Optional.empty();
        }
        String control = lower.startsWith(CONTROL) ? lower.substring(CONTROL.length()) : "";
        if (lower.length() == 2 && lower.startsWith("^")) {
            control = lower.substring(1);
        }
        int key = control.isEmpty() ? text.charAt(0) : Character.toUpperCase(control.charAt(0)) ^ CONTROL_BIT;
        if ((control.isEmpty() ? text : control).length() != 1
                || key <= 0
                || key > Byte.MAX_VALUE
                || isPlain(key, control)) {
            throw Arguments.invalid(ClientOption.ESCAPE, text, "ctrl-KEY, ^KEY, a character or none");
        }
        if (wish(key).isPresent()) {
            throw Arguments.invalid(
                    ClientOption.ESCAPE,
                    text,
                    "another key than d, q and ?: behind the first key they are for this program, so it could not be sent");
        }
        return Optional.of((byte) key);
    }

    /** Returns true if a control key was meant, and the character has none. */
    private static boolean isPlain(int key, String control) {
        return !control.isEmpty() && key >= ' ' && key != Byte.MAX_VALUE;
    }

    /** Returns the key as it is written for people. */
    static String name(byte prefix) {
        if (prefix == Byte.MAX_VALUE) {
            return "Ctrl-?";
        }
        return prefix < ' ' ? "Ctrl-" + (char) (prefix ^ CONTROL_BIT) : String.valueOf((char) prefix);
    }

    /** Returns one line about the keys. */
    static String help(byte prefix) {
        String key = name(prefix);
        return "%s d: leave it running; %s q: end it; %s %s: send %s".formatted(key, key, key, key, key);
    }

    /** Returns what the program gets of the typed bytes, and acts upon the rest. */
    byte[] take(byte[] typed, int length) {
        ByteArrayOutputStream wanted = new ByteArrayOutputStream(length);
        for (int i = 0; i < length && !over; i++) {
            if (begun) {
                begun = false;
                second(typed[i], wanted);
            } else if (typed[i] == prefix) {
                begun = true;
            } else {
                wanted.write(typed[i]);
            }
        }
        return wanted.toByteArray();
    }

    /** Returns true if no more input is wanted. */
    boolean over() {
        return over;
    }

    private void second(byte key, ByteArrayOutputStream wanted) {
        Optional<Wish> wish = wish(key);
        if (wish.isPresent()) {
            over = action.test(wish.get());
            return;
        }
        wanted.write(prefix);
        if (key != prefix) {
            wanted.write(key);
        }
    }

    /** Returns what a key behind the prefix means; empty for one that goes to the program. */
    private static Optional<Wish> wish(int key) {
        return switch (key) {
            case 'd' -> Optional.of(Wish.DETACH);
            case 'q' -> Optional.of(Wish.QUIT);
            case '?' -> Optional.of(Wish.HELP);
            default -> Optional.empty();
        };
    }
}
