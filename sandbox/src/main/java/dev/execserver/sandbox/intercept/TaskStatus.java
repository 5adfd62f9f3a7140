package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcStatus;

/**
 * Facts about a task from /proc/TID/status, see proc_pid_status(5).
 *
 * @param process its process (thread group)
 * @param parent parent of the process
 * @param innerPid the process as its own pid namespace numbers it
 * @param threads of the process
 * @param uid the user whose rights its file accesses have
 * @param umask of its new files
 * @param blocked signals, bit N - 1 stands for signal N
 * @param ignored signals
 * @param caught signals
 * @param pending signals that wait for the task or its process
 */
record TaskStatus(
        int process,
        int parent,
        int innerPid,
        int threads,
        int uid,
        int umask,
        long blocked,
        long ignored,
        long caught,
        long pending) {

    /** Returns the status of a task. @throws LinuxException ESRCH if it is gone */
    static TaskStatus of(int tid) {
        String text = ProcStatus.whole("/proc/" + tid + "/status");
        if (text.isEmpty()) {
            throw new LinuxException("read", "status of task " + tid, Errno.ESRCH);
        }
        String[] inner = field(text, "\nNSpid:", field(text, "\nTgid:", "0")).split("\\s+");
        String[] uids = field(text, "\nUid:", "0 0 0 0").split("\\s+");
        return new TaskStatus(
                Integer.parseInt(field(text, "\nTgid:", "0")),
                Integer.parseInt(field(text, "\nPPid:", "0")),
                Integer.parseInt(inner[inner.length - 1]),
                Integer.parseInt(field(text, "\nThreads:", "1")),
                Integer.parseUnsignedInt(uids[3]),
                Integer.parseInt(field(text, "\nUmask:", "022"), 8),
                mask(text, "\nSigBlk:"),
                mask(text, "\nSigIgn:"),
                mask(text, "\nSigCgt:"),
                mask(text, "\nSigPnd:") | mask(text, "\nShdPnd:"));
    }

    /** Returns true if the signal ends the process as soon as it comes. */
    boolean endsBy(int signal) {
        return ((blocked | ignored | caught) & 1L << (signal - 1)) == 0;
    }

    private static long mask(String text, String label) {
        return Long.parseUnsignedLong(field(text, label, "0"), 16);
    }

    private static String field(String text, String label, String absent) {
        int at = text.indexOf(label);
        if (at < 0) {
            return absent;
        }
        int end = text.indexOf('\n', at + label.length());
        return text.substring(at + label.length(), end < 0 ? text.length() : end)
                .strip();
    }
}
