package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.linux.LimitCalls.Limit;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.stage.StageImage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A program of a few hundred bytes that an escalated program is started through, because posix_spawn(3) cannot hand these
 * things on, or a sandbox around it not: descriptors with gaps between their numbers, resource limits, umask, nice value,
 * blocked and ignored signals. Then it becomes the program, with its arguments behind the first and its environment. If that
 * fails, it ends with 127 or 126, as a shell does. Stateless.
 */
final class EscalationStage {
    private static final int SVC = 0xd4000001;
    private static final int MAX_CODE_BYTES = 64;
    private static final int CALL_BYTES = 40;
    private static final int SET_BYTES = 8;
    private static final int SIG_SETMASK = 2;
    private static final long SIG_IGN = 1;

    private final Machine machine;
    private final List<long[]> constants = new ArrayList<>();
    private final List<int[]> calls = new ArrayList<>();
    private int address = StageImage.BASE + StageImage.HEADERS;

    EscalationStage(Machine machine) {
        this.machine = machine;
    }

    /** close_range(2), both ends included. */
    void close(int first, int last) {
        add(436, 436, first, last, 0);
    }

    /** prlimit(2) of the stage itself. */
    void limit(int resource, Limit limit) {
        add(302, 261, 0, resource, constant(limit.soft(), limit.hard()), 0);
    }

    /** umask(2). */
    void umask(int mask) {
        add(95, 166, mask);
    }

    /** setpriority(2) of the stage itself. */
    void nice(int nice) {
        add(141, 140, 0, 0, nice);
    }

    /** sigprocmask(2) with SIG_SETMASK. */
    void block(long signals) {
        add(14, 135, SIG_SETMASK, constant(signals), 0, SET_BYTES);
    }

    /** sigaction(2) with SIG_IGN. */
    void ignore(int signal) {
        add(13, 134, signal, constant(SIG_IGN, 0, 0, 0), 0, SET_BYTES);
    }

    private void add(int x86, int generic, int... arguments) {
        int[] call = new int[arguments.length + 1];
        call[0] = machine == Machine.X86_64 ? x86 : generic;
        System.arraycopy(arguments, 0, call, 1, arguments.length);
        calls.add(call);
    }

    /** Returns the address of constant data. */
    private int constant(long... words) {
        int at = address;
        constants.add(words);
        address += words.length * Long.BYTES;
        return at;
    }

    /** Returns the program file, which becomes this program. */
    byte[] assemble(byte[] program) {
        int size = address - StageImage.BASE + program.length + 8 + calls.size() * CALL_BYTES + 2 * MAX_CODE_BYTES;
        int path = address;
        return StageImage.assembleRaw(
                machine,
                size,
                file -> {
                    constants.forEach(words -> {
                        for (long word : words) {
                            file.putLong(word);
                        }
                    });
                    file.put(program).put((byte) 0);
                    file.position((file.position() + 7) / 8 * 8);
                },
                code -> {
                    calls.forEach(call -> call(code, call));
                    if (machine == Machine.X86_64) {
                        x86(code, path);
                    } else {
                        arm64(code, path);
                    }
                });
    }

    /** Adds a call whose failure changes nothing: the program then has what this server has. */
    private void call(ByteBuffer code, int[] call) {
        for (int i = 1; i < call.length; i++) {
            if (machine == Machine.X86_64) {
                int[] move = X86_MOVES[i - 1];
                bytes(code, move).putInt(call[i]);
            } else {
                move(code, i - 1, call[i]);
            }
        }
        if (machine == Machine.X86_64) {
            bytes(code, 0xb8).putInt(call[0]);
            bytes(code, 0x0f, 0x05);
        } else {
            move(code, 8, call[0]);
            code.putInt(SVC);
        }
    }

    /** {@code mov r32, imm32} for edi, esi, edx and r10d. */
    private static final int[][] X86_MOVES = {{0xbf}, {0xbe}, {0xba}, {0x41, 0xba}};

    /** See syscall(2) for the registers. At the start the stack holds argc, the arguments, null and the variables. */
    private static void x86(ByteBuffer code, int path) {
        bytes(code, 0x48, 0x8b, 0x04, 0x24); // mov rax, [rsp]
        bytes(code, 0x48, 0x8d, 0x54, 0xc4, 0x10); // lea rdx, [rsp + rax * 8 + 16]
        bytes(code, 0x48, 0x8d, 0x74, 0x24, 0x10); // lea rsi, [rsp + 16]
        bytes(code, 0xbf).putInt(path); // mov edi, path
        bytes(code, 0xb8).putInt(59); // mov eax, execve
        bytes(code, 0x0f, 0x05); // syscall
        bytes(code, 0xbf).putInt(126); // mov edi, 126
        bytes(code, 0x83, 0xf8, 0xfe); // cmp eax, -ENOENT
        bytes(code, 0x75, 0x05); // jne over the next
        bytes(code, 0xbf).putInt(127); // mov edi, 127
        bytes(code, 0xb8).putInt(231); // mov eax, exit_group
        bytes(code, 0x0f, 0x05); // syscall
    }

    private static void arm64(ByteBuffer code, int path) {
        code.putInt(0xf94003e1); // ldr x1, [sp]
        code.putInt(0x910043e2).putInt(0x8b010c42); // x2 = sp + 16 + 8 * x1
        code.putInt(0x910043e1); // add x1, sp, 16
        move(code, 0, path);
        move(code, 8, 221); // execve
        code.putInt(SVC);
        code.putInt(0x3100081f); // cmn w0, ENOENT
        move(code, 9, 126);
        move(code, 10, 127);
        code.putInt(0x1a890149); // csel w9, w10, w9, eq
        code.putInt(0x2a0903e0); // mov w0, w9
        move(code, 8, 94); // exit_group
        code.putInt(SVC);
    }

    /** {@code movz wN, #imm16} and {@code movk wN, #imm16, lsl 16}. */
    private static void move(ByteBuffer code, int register, int value) {
        code.putInt(0x52800000 | (value & 0xffff) << 5 | register);
        code.putInt(0x72a00000 | (value >>> 16) << 5 | register);
    }

    private static ByteBuffer bytes(ByteBuffer code, int... values) {
        for (int value : values) {
            code.put((byte) value);
        }
        return code;
    }
}
