package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.PipeCalls;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.SpawnCalls;
import dev.execserver.sandbox.linux.SpawnCalls.Source;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Cleans up after a server that was killed and cannot do it itself: a shell of its own that waits on a pipe whose other end
 * only this server holds. When the kernel closes that end, the shell kills every process that bears a mark of this server,
 * until none but zombies are left, takes back the placeholders and puts right the links that a directory among the paths
 * it was given lists (see {@code PlaceholderJournal} and {@code LinkJournal}), and removes the paths. It needs /bin/sh, grep and rm.
 *
 * <p>The shell leads its own session, ignores HUP, INT and TERM, bears no mark and holds nothing but the pipe and /dev/null.
 * When it dies it is started again, after a pause that doubles, and given up at the sixth death within a minute. Any thread
 * may call; the lock guards the current shell; a virtual thread waits for its end.
 */
public final class Guardian implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Guardian.class.getName());
    private static final int MAX_DEATHS = 5;
    private static final long DEATHS_WITHIN = Duration.ofMinutes(1).toNanos();
    private static final long FIRST_PAUSE = Duration.ofMillis(50).toNanos();
    private static final Duration FAREWELL_LIMIT = Duration.ofSeconds(2);
    private static final int EXIT_NO_TOOLS = 3;
    private static final byte[] FAREWELL = "done\n".getBytes(StandardCharsets.US_ASCII);

    /**
     * $1: the prefix of the marks; further arguments: the paths. A line on standard input means an orderly end. Zombies keep
     * their limits and are told apart by their state. The rounds are bounded, for a process may refuse to die (state D).
     */
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            command -v grep >/dev/null && command -v rm >/dev/null || exit 3
            prefix=$1; shift
            inode() { stat -c %i -- "$path"; }
            take_away() {
              [ -d "$path" ] || [ -f "$path" ] || return 0
              command -v flock >/dev/null || { remove; return 0; }
              # The lock lasts until the name is gone: what a command of another server has found is not taken from it.
              (exec 9<"$path"; flock -n 9 && [ "$(stat -L -c %i /proc/self/fd/9)" = "$(inode)" ] && remove)
            }
            remove() {
              if [ -L "$path" ]; then :
              elif [ -d "$path" ]; then rmdir -- "$path"
              elif [ -f "$path" ] && [ ! -s "$path" ]; then rm -f -- "$path"
              fi
            }
            if read -r farewell; then exit 0; fi
            clean=0; round=0
            while [ $clean -lt 2 ] && [ $round -lt 160 ]; do
              round=$((round + 1))
              status=
              for f in $(grep -slE "^Max realtime timeout +$prefix[0-9]{9} " /proc/[0-9]*/limits); do
                status="$status ${f%limits}status"
              done
              pids=
              [ -z "$status" ] || for f in $(grep -sLE '^State:[[:space:]]+[ZX]' $status); do
                p=${f#/proc/}; pids="$pids ${p%/status}"
              done
              if [ -z "$pids" ]; then clean=$((clean + 1)); continue; fi
              clean=0
              kill -KILL $pids 2>/dev/null
              [ $round -lt 100 ] || sleep 1
            done
            for directory; do
              [ -f "$directory/placeholders" ] || continue
              intended=
              while read -r event inode escaped; do
                case $event in
                  I) intended="$intended $escaped " ;;
                  *) case $intended in
                       *" $escaped "*) intended="${intended%%" $escaped "*} ${intended#*" $escaped "}" ;;
                     esac ;;
                esac
                [ "$event" = C ] || continue
                path=$(printf %b. "$escaped"); path=${path%.}
                [ "$(inode)" = "$inode" ] && take_away
              done <"$directory/placeholders"
              for escaped in $intended; do
                path=$(printf %b. "$escaped"); path=${path%.}
                case $(stat -c %a -- "$path") in ''|*[2367]*) ;; *) [ -O "$path" ] && take_away ;; esac
              done
              for list in "$directory"/links-*; do
                [ -f "$list" ] || continue
                while read -r escaped target; do
                  path=$(printf %b. "$escaped"); path=${path%.}; parent=${path%/*}
                  target=$(printf %b. "$target"); target=${target%.}
                  [ "$(cd -P -- "${parent:-/}" && pwd)" = "${parent:-/}" ] || continue
                  if [ -L "$path" ]; then
                    [ "$(readlink -n -- "$path"; echo .)" = "$target." ] && continue
                    rm -f -- "$path"
                  elif [ -e "$path" ]; then mv -- "$path" "$path.blocked-by-sandbox-$$"
                  fi
                  ln -s -- "$target" "$path"
                done <"$list"
              done
              if [ -f "$directory/cgroups" ]; then
                while read -r group; do
                  for child in "$group"/*/; do rmdir -- "$child"; done
                  rmdir -- "$group"
                done <"$directory/cgroups"
              fi
            done 2>/dev/null
            [ $# -eq 0 ] || rm -rf -- "$@"
            """;

    private final Spawner spawner;
    private final List<byte[]> argv;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    private Leader shell;
    private Fd lifeline;
    private boolean closed;
    private boolean givenUp;

    private Guardian(Spawner spawner, List<byte[]> argv) {
        this.spawner = spawner;
        this.argv = argv;
    }

    /**
     * Starts the guardian.
     *
     * @param marks whose processes it is to kill; unavailable marks leave it the removal of the paths
     * @param paths files and directories to remove when the server was killed; absolute
     */
    public static Guardian start(Spawner spawner, ProcessMarks marks, List<byte[]> paths) {
        List<byte[]> argv = new ArrayList<>();
        for (String argument : List.of("exec-server-guardian", "-c", SCRIPT, "guardian", "" + marks.prefix())) {
            argv.add(SpawnRequest.bytes(argument));
        }
        argv.addAll(paths);
        Guardian guardian = new Guardian(spawner, argv);
        Leader first = guardian.launch();
        Threads.virtual("guardian-watch", () -> guardian.watch(first));
        return guardian;
    }

    /** Pid of the shell at the moment. */
    public int pid() {
        lock.lock();
        try {
            return shell.pid();
        } finally {
            lock.unlock();
        }
    }

    /** Whether a shell watches over this server now. */
    public boolean watching() {
        lock.lock();
        try {
            return !closed && !givenUp && !shell.exited();
        } finally {
            lock.unlock();
        }
    }

    /** Sends the shell home without killing or removing anything: for an orderly shutdown, after everything has ended. */
    @Override
    public void close() {
        Leader last;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            closing.signalAll();
            last = shell;
            // Five bytes fit into an empty pipe, so this does not wait.
            if (!lifeline.closed()) {
                sayFarewell();
            }
            lifeline.close();
        } finally {
            lock.unlock();
        }
        awaitOrKill(last);
    }

    /** It goes within milliseconds, unless somebody has stopped it. */
    private static void awaitOrKill(Leader last) {
        try {
            if (last.awaitExit(FAREWELL_LIMIT).isEmpty()) {
                last.signal(ProcessCalls.SIGKILL);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            last.signal(ProcessCalls.SIGKILL);
        } catch (ClosedException e) {
            LOG.log(System.Logger.Level.DEBUG, "poller closed before the guardian had gone");
        }
    }

    private void sayFarewell() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment line = arena.allocate(FAREWELL.length);
            line.copyFrom(MemorySegment.ofArray(FAREWELL));
            // EPIPE when it has just died is as good.
            FileCalls.write(lifeline.number(), line);
        }
    }

    private Leader launch() {
        byte[] nothing = SpawnRequest.bytes("/dev/null");
        PipeCalls.Pipe pipe = PipeCalls.pipe();
        try (Fd readEnd = pipe.readEnd()) {
            SpawnCalls.Plan plan = new SpawnCalls.Plan(
                    SpawnRequest.bytes("/bin/sh"),
                    argv,
                    List.of(SpawnRequest.bytes("PATH=/usr/bin:/bin:/usr/sbin:/sbin"), SpawnRequest.bytes("LC_ALL=C")),
                    Optional.of(SpawnRequest.bytes("/")),
                    List.of(
                            new Source.Copy(readEnd.number()),
                            new Source.Open(nothing, FileCalls.O_WRONLY),
                            new Source.Same(1)));
            Leader started = spawner.launch(plan, readEnd.number());
            adopt(started, pipe.writeEnd());
            return started;
        } catch (RuntimeException e) {
            pipe.writeEnd().close();
            throw e;
        }
    }

    private void adopt(Leader started, Fd writeEnd) {
        lock.lock();
        try {
            if (lifeline != null) {
                lifeline.close();
            }
            shell = started;
            lifeline = writeEnd;
            if (closed) {
                sayFarewell();
                lifeline.close();
            }
        } finally {
            lock.unlock();
        }
    }

    private void watch(Leader first) {
        Optional<Leader> current = Optional.of(first);
        long windowStart = System.nanoTime();
        int deaths = 0;
        while (true) {
            String end = current.map(Guardian::awaitEnd).orElse("could not be started");
            if (System.nanoTime() - windowStart > DEATHS_WITHIN) {
                windowStart = System.nanoTime();
                deaths = 0;
            }
            deaths++;
            if (closedWithin(FIRST_PAUSE << deaths)) {
                return;
            }
            if (deaths > MAX_DEATHS) {
                giveUp(end);
                return;
            }
            LOG.log(System.Logger.Level.WARNING, "guardian {0}, starting another", end);
            current = relaunch();
        }
    }

    /** How it ended, in words. */
    private static String awaitEnd(Leader shell) {
        try {
            int code = shell.awaitExit().code();
            return code == EXIT_NO_TOOLS ? "found no grep or rm in /usr/bin or /bin" : "ended with code " + code;
        } catch (ClosedException e) {
            return "is out of sight: " + e.getMessage();
        }
    }

    private Optional<Leader> relaunch() {
        try {
            return Optional.of(launch());
        } catch (LinuxException | ClosedException e) {
            LOG.log(System.Logger.Level.WARNING, "guardian could not be started", e);
            return Optional.empty();
        }
    }

    private void giveUp(String lastEnd) {
        lock.lock();
        try {
            givenUp = true;
        } finally {
            lock.unlock();
        }
        LOG.log(
                System.Logger.Level.ERROR,
                "no guardian after {0} deaths within a minute, the last one {1}; if this server is killed, its processes"
                        + " will be left behind",
                MAX_DEATHS + 1,
                lastEnd);
    }

    private boolean closedWithin(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (!closed && left > 0) {
                left = closing.awaitNanos(left);
            }
            return closed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        } finally {
            lock.unlock();
        }
    }
}
