package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.MemoryFile;
import dev.execserver.sandbox.linux.PipeCalls;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.SocketCalls;
import dev.execserver.sandbox.linux.SocketCalls.SocketPair;
import dev.execserver.sandbox.network.NamespaceSockets;
import dev.execserver.sandbox.resolve.PolicyRefusedException;
import dev.execserver.sandbox.seccomp.FilterMode;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.seccomp.SeccompFilter;
import dev.execserver.sandbox.spawn.AsyncFd;
import dev.execserver.sandbox.spawn.AttachedChild;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.sandbox.spawn.Poller;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Starts bubblewrap around a command. Any number of file workers may launch at once; the fields do not change.
 *
 * <p>Two channels tell what becomes of it. The <em>gate</em> is one end of a socket pair given as {@code --block-fd}, with
 * one byte waiting in it: bubblewrap reads the byte when everything is mounted and closes its end, so we see an orderly end
 * when the sandbox stands, and a reset, the byte being unread, when it failed. A sandbox with doors gets the byte only when
 * they are there, see {@link BwrapRun}. The <em>status</em> pipe
 * ({@code --json-status-fd}) names the first process inside and, only if the command was executed, its exit code.
 */
public final class BwrapLauncher {
    /** HUP, INT, QUIT, TERM and TSTP: what a terminal, or the group of it, can be sent. */
    private static final List<Integer> TERMINAL_SIGNALS = List.of(1, 2, 3, 15, 20);

    private static final String UNBLOCK_OPTION = "--default-signal=";

    private final Spawner spawner;
    private final Poller poller;
    private final Placeholders placeholders;
    private final NamespaceSockets sockets;
    private final LinkMounts linkMounts;
    private final Ledger ledger;
    private final OwnDirectory directory;
    private final Map<FilterMode, byte[]> filters = new EnumMap<>(FilterMode.class);
    private final Map<FilterMode, byte[]> filtersWithPids = new EnumMap<>(FilterMode.class);

    /** @param directory of this server, for the empty files that are mounted over others */
    public BwrapLauncher(
            Spawner spawner, Poller poller, Ledger ledger, Placeholders placeholders, OwnDirectory directory) {
        this.spawner = spawner;
        this.poller = poller;
        this.placeholders = placeholders;
        this.sockets = new NamespaceSockets(spawner, poller);
        this.linkMounts = new LinkMounts(spawner);
        this.ledger = ledger;
        this.directory = directory;
        Machine.current()
                .ifPresent(machine -> Arrays.stream(FilterMode.values()).forEach(mode -> {
                    filters.put(mode, SeccompFilter.assemble(mode, machine));
                    filtersWithPids.put(mode, SeccompFilter.assembleForSharedProcesses(mode, machine));
                }));
    }

    /**
     * Starts the command; returns when bubblewrap runs, which is before the sandbox stands.
     *
     * @param command {@code program} is a path inside the view
     * @throws PolicyRefusedException when the policy needs more than bubblewrap can do
     * @throws Placeholders.ChangedException when the policy must be resolved again
     * @throws LinuxException when something could not be opened, made or started; nothing is left then
     */
    public BwrapRun start(BwrapPlan plan, SpawnRequest command) {
        try (Preparation preparation = new Preparation(plan, command)) {
            Spawner.Beginning<Child> beginning = spawner.begin(preparation.request(command.stdio()));
            preparation.complete(beginning, Child::signal, child -> {
                ExitStatus _ = child.awaitExit();
                child.closeStreams();
            });
            Child child = beginning.await();
            return preparation.run(Optional.of(child), child.pid());
        }
    }

    /** As {@link #start}, but the command shares the standard streams of this process. */
    public AttachedRun startAttached(BwrapPlan plan, SpawnRequest command) {
        try (Preparation preparation = new Preparation(plan, command)) {
            Spawner.Beginning<AttachedChild> beginning = spawner.beginAttached(preparation.request(command.stdio()));
            preparation.complete(beginning, AttachedChild::signal, AttachedChild::awaitExit);
            AttachedChild child = beginning.await();
            return new AttachedRun(child, preparation.run(Optional.empty(), child.pid()));
        }
    }

    private interface Signal<T> {
        boolean send(T child, int number);
    }

    /** A run without streams of its own. */
    public record AttachedRun(AttachedChild child, BwrapRun run) {}

    /** What is open until bubblewrap has it. Closing it lets go of all that no run has taken. */
    private final class Preparation implements AutoCloseable {
        private final BwrapArguments arguments = new BwrapArguments();
        private final List<Fd> given = new ArrayList<>();
        private final BwrapPlan plan;
        private final SpawnRequest command;
        private final List<String> argv = new ArrayList<>();
        private Placeholders.Lease lease;
        private LinkJournal links;
        private Fd gate;
        private Fd status;
        private PipeCalls.Pipe options;
        private PipeCalls.Pipe filter;
        private ViewCheck check;
        private List<Integer> blocked = List.of();
        private boolean taken;

        Preparation(BwrapPlan plan, SpawnRequest command) {
            this.plan = plan;
            this.command = command;
            try {
                prepare();
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }

        /** What the start of bubblewrap needs; the options follow while it starts. */
        private void prepare() {
            directory.ensure();
            channels();
            options = PipeCalls.pipe();
            filter = PipeCalls.pipe();
            argv.addAll(BwrapArguments.commandLine(
                    arguments.inherit(give(options.readEnd())), arguments.inherit(give(filter.readEnd()))));
            name();
        }

        /** Makes what the view needs on the host while bubblewrap starts, and tells it its options. */
        private <T> void complete(Spawner.Beginning<T> beginning, Signal<T> signal, Consumer<T> end) {
            try {
                lease = placeholders.acquire(plan.policy());
                links = LinkJournal.open(ledger, plan.repairedLinks());
                collect();
                T _ = beginning.await();
                given.forEach(Fd::close);
                tell(options.writeEnd(), arguments.bytes());
                if (!plan.held()) {
                    release();
                }
            } catch (RuntimeException e) {
                beginning.started().ifPresent(child -> {
                    boolean _ = signal.send(child, ProcessCalls.SIGKILL); // it waits for the end of its options
                    end.accept(child);
                });
                throw e;
            }
        }

        /** Finishes the view that stands, and looks at it. */
        private Optional<String> fault(int pid) {
            Optional<String> obstacle =
                    plan.mountedLinks().isEmpty() ? Optional.empty() : linkMounts.lay(pid, plan.mountedLinks());
            return obstacle.isPresent() || !plan.checked() ? obstacle : check.fault(pid);
        }

        /** Without the filter, which it reads when everything is mounted, bubblewrap does not go on. */
        private void release() {
            tell(filter.writeEnd(), (plan.isolatePids() ? filters : filtersWithPids).get(plan.filter()));
        }

        /** More than the pipe takes waits until bubblewrap reads. One that has failed says why itself. */
        private static void tell(Fd pipe, byte[] text) {
            try {
                ContentCalls.append(pipe, text, 0, text.length);
            } catch (LinuxException e) {
                if (e.errno() != Errno.EPIPE) {
                    throw e;
                }
            }
            pipe.close();
        }

        private void collect() {
            namespaces();
            check = ViewBuilder.build(
                    plan.policy(), plan.proc(), plan.scratch(), Blanks.in(directory.path()), lease, arguments);
            plan.mountedLinks().forEach(link -> check.linked(link.path()));
            arguments.add("--cap-drop", "ALL");
            arguments.add("--chdir", plan.directory());
            environment();
            if (arguments.count() > BwrapArguments.MAX_ARGUMENTS) {
                throw new PolicyRefusedException("the policy and the environment need " + arguments.count()
                        + " arguments, more than the " + BwrapArguments.MAX_ARGUMENTS + " that bubblewrap takes ("
                        + plan.policy().rules().size() + " paths); use fewer or wider entries");
            }
        }

        private void namespaces() {
            arguments.add("--unshare-user", "--unshare-ipc", "--unshare-uts");
            if (plan.isolatePids()) {
                arguments.add("--unshare-pid");
            }
            if (plan.isolateNetwork()) {
                arguments.add("--unshare-net");
            }
            // A session of its own makes the group that signals are sent to; on a terminal the command must stay in the
            // session of the terminal, or Ctrl-C and job control would not reach it.
            if (!command.stdio().onTerminal()) {
                arguments.add("--new-session");
            }
            arguments.add("--die-with-parent");
        }

        /** Bubblewrap itself runs without any variable: LD_PRELOAD is a way out for whoever chooses the environment. */
        private void environment() {
            for (String variable : command.environment()) {
                int equals = variable.indexOf('=');
                arguments.add("--setenv", variable.substring(0, equals), variable.substring(equals + 1));
            }
        }

        private void channels() {
            SocketPair pair = SocketCalls.streamPair();
            gate = pair.ours();
            arguments.add("--block-fd", give(pair.theirs()));
            if (plan.doors().isEmpty()) {
                FileCalls.writeByte(gate.number());
            }
            FileCalls.makeNonBlocking(gate.number());
            PipeCalls.Pipe pipe = PipeCalls.pipe();
            status = pipe.readEnd();
            arguments.add("--json-status-fd", give(pipe.writeEnd()));
            FileCalls.makeNonBlocking(status.number());
        }

        /** Without --argv0 a program sees the path, or the name that is then searched on the PATH inside. */
        private void name() {
            String program = new String(command.program(), StandardCharsets.UTF_8);
            String shown = command.argv().getFirst();
            if (shown.equals(program)) {
                argv.addAll(signalReset(program));
                argv.add(program);
            } else if (shown.indexOf('/') < 0 && program.endsWith("/" + shown)) {
                argv.addAll(signalReset(shown));
                argv.add(shown);
            } else if (plan.program().has(BwrapProgram.Feature.ARGV0)) {
                arguments.add("--argv0", shown);
                argv.add(program);
            } else {
                argv.addAll(renamed(program, shown));
            }
            argv.addAll(command.argv().subList(1, command.argv().size()));
        }

        /** A stage of our own becomes the program, under the name. It is found in /proc, where descriptors are. */
        private List<String> renamed(String program, String shown) {
            Optional<Machine> machine = Machine.current();
            if (machine.isEmpty() || plan.proc() == ViewBuilder.Proc.EMPTY) {
                throw new PolicyRefusedException(
                        "a name of its own for the program (arg0) needs bubblewrap 0.9.0 or newer, or a /proc in the sandbox; "
                                + plan.program().path() + " is "
                                + plan.program().version());
            }
            int number = arguments.next();
            Fd stage = give(MemoryFile.program("rename", RenamingStage.assemble(machine.get(), number)));
            arguments.inherit(stage);
            String path = "/proc/self/fd/" + number;
            List<String> words = new ArrayList<>(signalReset(path));
            words.addAll(List.of(path, program, shown));
            return words;
        }

        /**
         * On a terminal the kernel sends Ctrl-C to bubblewrap and the command alike, and bubblewrap would die of it and take
         * the sandbox down before a handler could run. So the signals are blocked in bubblewrap, and env(1) unblocks them
         * for the command. Where there is no such env, Ctrl-C ends the sandbox.
         */
        private List<String> signalReset(String program) {
            boolean wanted = command.stdio().onTerminal() && program.indexOf('=') < 0;
            if (!wanted || plan.signalReset().isEmpty()) {
                return List.of();
            }
            List<Integer> ignored =
                    command.stdio() instanceof Stdio.Inherited inherited ? inherited.ignoredSignals() : List.of();
            blocked = TERMINAL_SIGNALS.stream()
                    .filter(signal -> !ignored.contains(signal))
                    .toList();
            String numbers = blocked.stream().map(String::valueOf).collect(Collectors.joining(","));
            return blocked.isEmpty()
                    ? List.of()
                    : List.of(plan.signalReset().get().toString(), UNBLOCK_OPTION + numbers, "--");
        }

        private Fd give(Fd fd) {
            given.add(fd);
            return fd;
        }

        SpawnRequest request(Stdio stdio) {
            return new SpawnRequest(
                    plan.program().launch().program(),
                    plan.program().launch().argv("bwrap", argv),
                    List.of(),
                    "/".getBytes(StandardCharsets.US_ASCII),
                    stdio,
                    command.mark(),
                    arguments.descriptors(),
                    blocked,
                    Optional.empty(),
                    command.whileHeld());
        }

        BwrapRun run(Optional<Child> child, int pid) {
            taken = true;
            return new BwrapRun(
                    poller,
                    child,
                    pid,
                    addressee(),
                    AsyncFd.pipe(poller, gate),
                    AsyncFd.pipe(poller, status),
                    new Doors(sockets, plan.doors()),
                    lease,
                    links,
                    plan.held()
                            ? Optional.of(new BwrapRun.Hold(this::fault, this::release, filter.writeEnd()))
                            : Optional.empty());
        }

        private BwrapRun.Addressee addressee() {
            return switch (command.stdio()) {
                case Stdio.Terminal _ -> BwrapRun.Addressee.SESSION;
                case Stdio.Inherited(boolean terminal, List<Integer> _) when terminal -> BwrapRun.Addressee.COMMAND;
                case Stdio.Inherited _, Stdio.Pipes _, Stdio.Channel _ -> BwrapRun.Addressee.GROUP;
            };
        }

        @Override
        public void close() {
            given.forEach(Fd::close);
            Optional.ofNullable(options).ifPresent(PipeCalls.Pipe::close);
            if (!taken || !plan.held()) {
                Optional.ofNullable(filter).ifPresent(PipeCalls.Pipe::close);
            }
            if (!taken) {
                Optional.ofNullable(gate).ifPresent(Fd::close);
                Optional.ofNullable(status).ifPresent(Fd::close);
                Optional.ofNullable(lease).ifPresent(Placeholders.Lease::close);
                Optional.ofNullable(links).ifPresent(LinkJournal::close);
            }
        }
    }
}
