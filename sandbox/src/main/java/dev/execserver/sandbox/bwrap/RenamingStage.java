package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.stage.StageImage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A program of some two hundred bytes that gives another program a different name (arg0), which bubblewrap before 0.9 cannot.
 * It is in memory and is started inside of the sandbox from an open descriptor, so nothing in the view is trusted. Its
 * arguments are the path of the program and then all that the program must see. It closes its own descriptor and becomes the
 * program. If that fails, it ends with 127 or 126, as a shell does. Stateless.
 */
final class RenamingStage {
    private static final int SVC = 0xd4000001;
    private static final int MAX_BYTES = 512;
    private static final byte[] WORDS =
            "exec-server: the program cannot be executed\n".getBytes(StandardCharsets.US_ASCII);

    private static final int WORDS_ADDRESS = StageImage.BASE + StageImage.HEADERS;

    private RenamingStage() {}

    /**
     * Returns the program file.
     *
     * @param descriptor the number that the file itself has in the sandbox
     */
    static byte[] assemble(Machine machine, int descriptor) {
        return StageImage.assembleRaw(machine, MAX_BYTES, RenamingStage::words, code -> {
            switch (machine) {
                case X86_64 -> x86(code, descriptor);
                case AARCH64 -> arm64(code, descriptor);
            }
        });
    }

    /** Writes the error message. The code begins at a multiple of eight. */
    private static void words(ByteBuffer file) {
        file.put(WORDS);
        file.position((file.position() + 7) / 8 * 8);
    }

    /** See syscall(2) for the registers. At the start the stack holds argc, the arguments, null and the variables. */
    private static void x86(ByteBuffer code, int descriptor) {
        bytes(code, 0xbf).putInt(descriptor); // mov edi, descriptor
        bytes(code, 0xb8).putInt(3); // mov eax, close
        bytes(code, 0x0f, 0x05); // syscall
        bytes(code, 0x48, 0x8b, 0x04, 0x24); // mov rax, [rsp]
        bytes(code, 0x48, 0x8d, 0x54, 0xc4, 0x10); // lea rdx, [rsp + rax * 8 + 16]
        bytes(code, 0x48, 0x8b, 0x7c, 0x24, 0x10); // mov rdi, [rsp + 16]
        bytes(code, 0x48, 0x8d, 0x74, 0x24, 0x18); // lea rsi, [rsp + 24]
        bytes(code, 0xb8).putInt(59); // mov eax, execve
        bytes(code, 0x0f, 0x05); // syscall
        bytes(code, 0x41, 0xbc).putInt(126); // mov r12d, 126
        bytes(code, 0x83, 0xf8, 0xfe); // cmp eax, -ENOENT
        bytes(code, 0x75, 0x06); // jne over the next
        bytes(code, 0x41, 0xbc).putInt(127); // mov r12d, 127
        bytes(code, 0xbf).putInt(2); // mov edi, standard error
        bytes(code, 0xbe).putInt(WORDS_ADDRESS); // mov esi, the words
        bytes(code, 0xba).putInt(WORDS.length); // mov edx, their length
        bytes(code, 0xb8).putInt(1); // mov eax, write
        bytes(code, 0x0f, 0x05); // syscall
        bytes(code, 0x44, 0x89, 0xe7); // mov edi, r12d
        bytes(code, 0xb8).putInt(231); // mov eax, exit_group
        bytes(code, 0x0f, 0x05); // syscall
    }

    private static void arm64(ByteBuffer code, int descriptor) {
        code.putInt(move(0, descriptor)).putInt(move(8, 57)).putInt(SVC); // close
        code.putInt(0xf94003e1); // ldr x1, [sp]
        code.putInt(0x910043e2).putInt(0x8b010c42); // x2 = sp + 16 + 8 * x1
        code.putInt(0xf9400be0); // ldr x0, [sp, 16]
        code.putInt(0x910063e1); // add x1, sp, 24
        code.putInt(move(8, 221)).putInt(SVC); // execve
        code.putInt(0x3100081f); // cmn w0, ENOENT
        code.putInt(move(9, 126)).putInt(move(10, 127));
        code.putInt(0x1a890149); // csel w9, w10, w9, eq
        code.putInt(move(0, 2));
        code.putInt(move(1, (WORDS_ADDRESS) & 0xffff))
                .putInt(0x72a00001 | (WORDS_ADDRESS >>> 16) << 5); // movk w1, lsl 16
        code.putInt(move(2, WORDS.length)).putInt(move(8, 64)).putInt(SVC); // write
        code.putInt(0x2a0903e0); // mov w0, w9
        code.putInt(move(8, 94)).putInt(SVC); // exit_group
    }

    /** {@code movz wN, #imm16}. */
    private static int move(int register, int value) {
        return 0x52800000 | value << 5 | register;
    }

    private static ByteBuffer bytes(ByteBuffer code, int... values) {
        for (int value : values) {
            code.put((byte) value);
        }
        return code;
    }
}
