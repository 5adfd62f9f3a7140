package dev.execserver.sandbox.stage;

import dev.execserver.sandbox.seccomp.Machine;
import java.nio.ByteBuffer;

/** Code for arm64, see syscall(2) for the registers and the Arm architecture reference manual, C6.2, for the encodings. */
record Arm64Code(ByteBuffer code) implements StageCode {
    /** {@code movz wN, #imm16} and {@code movk wN, #imm16, lsl #16}; the upper half of xN becomes zero. */
    private static final int MOVZ = 0x52800000;

    private static final int MOVK_HIGH = 0x72a00000;
    private static final int NUMBER_REGISTER = 8;
    private static final int SVC = 0xd4000001;
    /** {@code tbz x0, #63, +16}: skips the three instructions of {@link #exitWithErrno}. */
    private static final int SKIP_UNLESS_NEGATIVE = 0xb6f80000 | 4 << 5;
    /** {@code neg w0, w0}. */
    private static final int NEGATE = 0x4b0003e0;

    @Override
    public void call(Call call, int... arguments) {
        for (int i = 0; i < arguments.length; i++) {
            move(i, arguments[i]);
        }
        code.putInt(MOVZ | call.number(Machine.AARCH64) << 5 | NUMBER_REGISTER).putInt(SVC);
        code.putInt(SKIP_UNLESS_NEGATIVE);
        exitWithErrno();
    }

    private void move(int register, int value) {
        code.putInt(MOVZ | (value & 0xffff) << 5 | register);
        code.putInt(MOVK_HIGH | (value >>> 16) << 5 | register);
    }

    private void exitWithErrno() {
        code.putInt(NEGATE);
        code.putInt(MOVZ | Call.EXIT_GROUP.number(Machine.AARCH64) << 5 | NUMBER_REGISTER);
        code.putInt(SVC);
    }
}
