package dev.execserver.sandbox.linux;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Writes the library of {@link NativeSyscall}: a shared object for x86-64 with one function of a few instructions. It is
 * assembled here, so no compiler for another language is needed. It needs no other library and no relocation. The format is
 * that of elf(5), the dynamic section that of the System V ABI, chapter 5. The packaging writes it beside the jars.
 */
public final class SyscallLibrary {

    /** The name of the file, beside the jar that is run. */
    public static final String FILE_NAME = "libsyscall.so";

    private static final byte[] FUNCTION =
            "Java_dev_execserver_sandbox_linux_NativeSyscall_call".getBytes(StandardCharsets.US_ASCII);

    /**
     * The function. A static native method gets JNIEnv and class in rdi and rsi, the number of the call in rdx, its arguments
     * in rcx, r8, r9 and on the stack (System V ABI for AMD64, 3.2.3). The kernel takes the number in rax and the arguments
     * in rdi, rsi, rdx, r10, r8 and r9, and answers in rax (syscall(2)).
     */
    private static final byte[] CODE = HexFormat.of()
            .parseHex(""
                    + "4889d0" // mov rax, rdx
                    + "4889cf" // mov rdi, rcx
                    + "4c89c6" // mov rsi, r8
                    + "4c89ca" // mov rdx, r9
                    + "4c8b542408" // mov r10, [rsp+8]
                    + "4c8b442410" // mov r8, [rsp+16]
                    + "4c8b4c2418" // mov r9, [rsp+24]
                    + "0f05" // syscall
                    + "c3"); // ret

    private static final int PAGE = 4096;
    private static final int HEADERS = 4;
    private static final int HASH = 64 + 56 * HEADERS;
    private static final int SYMBOLS = aligned(HASH + 20, 8);
    private static final int NAMES = SYMBOLS + 2 * 24;
    private static final int NAMES_BYTES = FUNCTION.length + 2;
    private static final int TEXT = aligned(NAMES + NAMES_BYTES, 16);
    private static final int DYNAMIC = aligned(TEXT + CODE.length, 16);
    private static final int DYNAMIC_BYTES = 6 * 16;
    private static final int SIZE = DYNAMIC + DYNAMIC_BYTES;

    private static final int PT_LOAD = 1;
    private static final int PT_DYNAMIC = 2;
    private static final int PT_GNU_STACK = 0x6474_e551;
    private static final int READ_EXECUTE = 5;
    private static final int READ_WRITE = 6;

    private SyscallLibrary() {}

    /** {@code FILE}: writes the library there; does nothing on other machines, which have no library. */
    public static void main(String[] arguments) throws IOException {
        if (Architecture.current() == Architecture.X86_64) {
            Files.write(Path.of(arguments[0]), image());
        }
    }

    /** Returns the file. */
    static byte[] image() {
        ByteBuffer file = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
        header(file);
        // The loader writes into the dynamic section, so it is on a page of its own, which may not be executed.
        segment(file, PT_LOAD, READ_EXECUTE, 0, 0, TEXT + CODE.length, PAGE);
        segment(file, PT_LOAD, READ_WRITE, DYNAMIC, DYNAMIC + PAGE, DYNAMIC_BYTES, PAGE);
        segment(file, PT_DYNAMIC, READ_WRITE, DYNAMIC, DYNAMIC + PAGE, DYNAMIC_BYTES, 8);
        // Without this segment the stacks of the whole process would have to be executable.
        segment(file, PT_GNU_STACK, READ_WRITE, 0, 0, 0, 16);
        // One bucket, which leads to symbol 1, and a chain for symbols 0 and 1, which ends there.
        file.position(HASH).putInt(1).putInt(2).putInt(1).putInt(0).putInt(0);
        // Elf64_Sym: a global function in some section; symbol 0 is always empty.
        file.position(SYMBOLS + 24).putInt(1).put((byte) 0x12).put((byte) 0).putShort((short) 1);
        file.putLong(TEXT).putLong(CODE.length);
        file.position(NAMES + 1).put(FUNCTION);
        file.position(TEXT).put(CODE);
        file.position(DYNAMIC);
        file.putLong(4).putLong(HASH); // DT_HASH
        file.putLong(5).putLong(NAMES); // DT_STRTAB
        file.putLong(6).putLong(SYMBOLS); // DT_SYMTAB
        file.putLong(10).putLong(NAMES_BYTES); // DT_STRSZ
        file.putLong(11).putLong(24); // DT_SYMENT; DT_NULL is what follows
        return Arrays.copyOf(file.array(), SIZE);
    }

    /** Writes Elf64_Ehdr of a shared object for x86-64, without sections. */
    private static void header(ByteBuffer file) {
        file.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
        file.putShort((short) 3).putShort((short) 62).putInt(1);
        file.putLong(0).putLong(64).putLong(0).putInt(0);
        file.putShort((short) 64).putShort((short) 56).putShort((short) HEADERS);
        file.putShort((short) 64).putShort((short) 0).putShort((short) 0);
    }

    /** Writes one Elf64_Phdr. */
    private static void segment(
            ByteBuffer file, int type, int flags, int offset, int address, int size, int alignment) {
        file.putInt(type).putInt(flags);
        file.putLong(offset).putLong(address).putLong(address);
        file.putLong(size).putLong(size).putLong(alignment);
    }

    private static int aligned(int offset, int alignment) {
        return (offset + alignment - 1) / alignment * alignment;
    }
}
