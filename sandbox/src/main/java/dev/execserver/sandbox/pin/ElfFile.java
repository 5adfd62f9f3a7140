package dev.execserver.sandbox.pin;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The executable format of a file, as execve(2) sees it, see elf(5). Pure. */
sealed interface ElfFile {
    /** A program that needs no loader. */
    record Static() implements ElfFile {}

    /** A program that a dynamic loader runs. */
    record Dynamic(String loader) implements ElfFile {}

    /** A text that an interpreter runs, with at most one argument before the name of the text. */
    record Script(String interpreter, Optional<String> argument) implements ElfFile {}

    /** A file that the kernel of this machine cannot execute. */
    record Unknown() implements ElfFile {}

    int HEADER_BYTES = 64;
    int PROGRAM_HEADER_BYTES = 56;
    int CLASS_64 = 2;
    int LITTLE_ENDIAN = 1;
    int PT_INTERP = 3;
    int MAX_SCRIPT_LINE = 255;

    /** Returns the format of this content. */
    static ElfFile of(byte[] content) {
        if (content.length > 2 && content[0] == '#' && content[1] == '!') {
            return script(content);
        }
        boolean elf = content.length >= HEADER_BYTES
                && content[0] == 0x7f
                && content[1] == 'E'
                && content[2] == 'L'
                && content[3] == 'F'
                && content[4] == CLASS_64
                && content[5] == LITTLE_ENDIAN;
        return elf ? program(ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN)) : new Unknown();
    }

    private static ElfFile program(ByteBuffer file) {
        long table = file.getLong(32);
        int entryBytes = Short.toUnsignedInt(file.getShort(54));
        int count = Short.toUnsignedInt(file.getShort(56));
        for (int i = 0; i < count; i++) {
            long at = table + (long) i * entryBytes;
            if (at < 0 || at > file.limit() - PROGRAM_HEADER_BYTES) {
                return new Unknown();
            }
            if (file.getInt((int) at) == PT_INTERP) {
                return loader(file, file.getLong((int) at + 8), file.getLong((int) at + 32));
            }
        }
        return new Static();
    }

    private static ElfFile loader(ByteBuffer file, long offset, long length) {
        if (offset < 0 || length < 2 || length > file.limit() || offset > file.limit() - length) {
            return new Unknown();
        }
        // The length counts the NUL at the end.
        byte[] name = new byte[(int) length - 1];
        file.get((int) offset, name);
        return new Dynamic(new String(name, StandardCharsets.UTF_8));
    }

    private static ElfFile script(byte[] content) {
        String start = new String(content, 2, Math.min(content.length - 2, MAX_SCRIPT_LINE), StandardCharsets.UTF_8);
        String[] words = start.split("\n", 2)[0].strip().split("[ \t]+", 2);
        return words[0].startsWith("/")
                ? new Script(words[0], words.length > 1 ? Optional.of(words[1].strip()) : Optional.empty())
                : new Unknown();
    }
}
