package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Settings for the input and output of a terminal: {@code struct termios} of the kernel, which x86-64 and arm64 share, see
 * ioctl_tty(2) and termios(3). Immutable.
 */
public final class TerminalAttributes {
    /** c_iflag, c_oflag, c_cflag, c_lflag, c_line and 19 control characters. */
    static final int BYTES = 36;

    private static final int INPUT = 0;
    private static final int OUTPUT = 4;
    private static final int CONTROL = 8;
    private static final int LOCAL = 12;
    private static final int VEOF = 17 + 4;
    private static final int VEOL = 17 + 11;
    private static final int VEOL2 = 17 + 16;
    private static final int VTIME = 17 + 5;
    private static final int VMIN = 17 + 6;

    // IGNBRK BRKINT PARMRK ISTRIP INLCR IGNCR ICRNL IXON
    private static final int COOKED_INPUT = 0x1 | 0x2 | 0x8 | 0x20 | 0x40 | 0x80 | 0x100 | 0x400;
    private static final int ICRNL = 0x100;
    private static final int IUTF8 = 0x4000;
    private static final int ISIG = 0x1;
    private static final int ICANON = 0x2;
    /** A control character that is switched off. */
    private static final byte DISABLED = 0;

    private static final int OPOST = 0x1;
    private static final int ONLCR = 0x4;
    private static final int TOSTOP = 0x100;
    private static final int CS8 = 0x30;
    private static final int PARENB = 0x100;
    // ISIG ICANON ECHO ECHONL IEXTEN
    private static final int COOKED_LOCAL = 0x1 | 0x2 | 0x8 | 0x40 | 0x8000;

    private final byte[] termios;

    private TerminalAttributes(byte[] termios) {
        this.termios = termios;
    }

    static TerminalAttributes copyOf(MemorySegment struct) {
        return new TerminalAttributes(struct.asSlice(0, BYTES).toArray(JAVA_BYTE));
    }

    void copyTo(MemorySegment struct) {
        MemorySegment.copy(termios, 0, struct, JAVA_BYTE, 0, BYTES);
    }

    /** Returns a copy in raw mode, cfmakeraw(3): the program gets every byte as typed, at once and without an echo. */
    public TerminalAttributes raw() {
        byte[] copy = termios.clone();
        MemorySegment raw = MemorySegment.ofArray(copy);
        change(raw, INPUT, COOKED_INPUT, 0);
        change(raw, OUTPUT, OPOST, 0);
        change(raw, CONTROL, CS8 | PARENB, CS8);
        change(raw, LOCAL, COOKED_LOCAL, 0);
        copy[VTIME] = 0;
        copy[VMIN] = 1;
        return new TerminalAttributes(copy);
    }

    /** Returns a copy with IUTF8: the erase key removes a whole UTF-8 character, not only its last byte. */
    public TerminalAttributes utf8() {
        byte[] copy = termios.clone();
        change(MemorySegment.ofArray(copy), INPUT, 0, IUTF8);
        return new TerminalAttributes(copy);
    }

    /** Returns true if lines are edited before a program gets them (ICANON). */
    public boolean cooked() {
        return has(LOCAL, ICANON);
    }

    /** Returns true if the terminal puts a carriage return before each line feed. */
    public boolean addsCarriageReturns() {
        return has(OUTPUT, OPOST) && has(OUTPUT, ONLCR);
    }

    /** Returns true if jobs in the background are stopped when they write (TOSTOP). */
    public boolean stopsWriters() {
        return has(LOCAL, TOSTOP);
    }

    /** Returns true if the terminal interprets neither lines nor keys such as Ctrl-C, so that the program gets every byte. */
    public boolean allRaw() {
        return !has(LOCAL, ICANON) && !has(LOCAL, ISIG);
    }

    /**
     * Returns the character that ends the input at the beginning of a line, or passes on an unfinished line; empty without
     * one.
     */
    public Optional<Byte> endOfFile() {
        return termios[VEOF] == DISABLED ? Optional.empty() : Optional.of(termios[VEOF]);
    }

    /** Returns true if a line of input is complete with this byte. */
    public boolean endsLine(byte last) {
        return last == '\n'
                || (last == '\r' && has(INPUT, ICRNL))
                || (last != DISABLED && (last == termios[VEOF] || last == termios[VEOL] || last == termios[VEOL2]));
    }

    private boolean has(int offset, int flag) {
        return (MemorySegment.ofArray(termios).get(JAVA_INT_UNALIGNED, offset) & flag) != 0;
    }

    private static void change(MemorySegment raw, int offset, int clear, int set) {
        raw.set(JAVA_INT_UNALIGNED, offset, (raw.get(JAVA_INT_UNALIGNED, offset) & ~clear) | set);
    }
}
