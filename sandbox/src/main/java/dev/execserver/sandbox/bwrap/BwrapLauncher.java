package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Poller;
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
import dev.execserver.sandbox.outcome.FilesChangedException;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import dev.execserver.sandbox.seccomp.FilterMode;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.seccomp.SeccompFilter;
import dev.execserver.sandbox.spawn.AttachedChild;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.sandbox.spawn.Restriction;
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
 * Starts bubblewrap around a command. Any number of file workers may launch at the same time; the fields do not change.
 *
 * <p>Two channels report the progress. The <em>gate</em> is one end of a socket pair for {@code --block-fd}, with one byte
 * waiting in it. When everything is mounted, bubblewrap reads the byte and closes its end, and the server sees an orderly
 * end. If it failed, the byte is unread and the server sees a reset. A sandbox with doors gets the byte only after they are
 * open, see {@link BwrapRun}. The <em>status</em> pipe ({@code --json-status-fd}) names the first process inside and, only if
 * the command was executed, its exit code.
 */
public final class BwrapLauncher {
    /** HUP, INT, QUIT, TERM and TSTP: signals that a terminal sends to its foreground group. */
    private static final List<Integer> TERMINAL_SIGNALS = List.of(1, 2, 3, 15, 20);

    private static final String UNBLOCK_OPTION = "--default-signal=";

    private final Spawner spawner;
    private final Poller poller;
    private final Placeholders placeholders;
    private final NamespaceSockets sockets;
    private final LinkMounts linkMounts;
    private final Ledger ledger;
    private final ServerFolder directory;
    private final Map<FilterMode, byte[]> filters = new EnumMap<>(FilterMode.class);
    private final GuardedLinks guardedLinks;
    private final Map<FilterMode, byte[]> filtersWithPids = new EnumMap<>(FilterMode.class);

    /** @param directory folder of this server, for the empty files that are mounted over others */
    public BwrapLauncher(
            Spawner spawner,
            Poller poller,
            Ledger ledger,
            Placeholders placeholders,
            ServerFolder directory,
            SharedLinks links) {
        this.spawner = spawner;
        this.poller = poller;
        this.placeholders = placeholders;
        this.sockets = new NamespaceSockets(spawner, poller);
        this.linkMounts = new LinkMounts(spawner);
        this.ledger = ledger;
        this.directory = directory;
        this.guardedLinks = new GuardedLinks(links);
        Machine.current()
                .ifPresent(machine -> Arrays.stream(FilterMode.values()).forEach(mode -> {
                    filters.put(mode, SeccompFilter.assemble(mode, machine));
                    filtersWithPids.put(mode, SeccompFilter.assembleForSharedProcesses(mode, machine));
                }));
    }

    /**
     * Starts the command. Returns when bubblewrap runs, which is before the sandbox is complete.
     *
     * @param command {@code program} is a path inside the view
     * @throws PolicyRefusedException if the policy needs more than bubblewrap can do
     * @throws FilesChangedException if the policy must be resolved again
     * @throws LinuxException if a file or process could not be opened, made or started; nothing is left then
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

    /** Starts the command on the standard streams of this process, as {@link #start} does on its own. */
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

    /** Everything that is open until bubblewrap has it. Closing it releases all that no run has taken over. */
    private final class Preparation implements AutoCloseable {
        private final BwrapArguments arguments;
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
            this.arguments = new BwrapArguments(command.stdio().firstFree());
            try {
                prepare();
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }

        /** Prepares the start of bubblewrap; the options follow while it starts. */
        private void prepare() {
            directory.ensure();
            command.inherited()
                    .forEach(arguments::inherit); // first, so that they have the same numbers as without a sandbox
            channels();
            options = PipeCalls.pipe();
            filter = PipeCalls.pipe();
            argv.addAll(BwrapArguments.commandLine(
                    arguments.inherit(give(options.readEnd())), arguments.inherit(give(filter.readEnd()))));
            name();
        }

        /** Makes the objects that the view needs on the host while bubblewrap starts, and sends it the options. */
        private <T> void complete(Spawner.Beginning<T> beginning, Signal<T> signal, Consumer<T> end) {
            try {
                lease = placeholders.acquire(plan.policy());
                links = LinkJournal.open(ledger, guardedLinks, plan.repairedLinks());
                collect();
                T _ = beginning.await();
                given.forEach(Fd::close);
                tell(options.writeEnd(), arguments.bytes());
            } catch (RuntimeException e) {
                beginning.started().ifPresent(child -> {
                    boolean _ = signal.send(child, ProcessCalls.SIGKILL); // it waits for the end of its options
                    end.accept(child);
                });
                throw e;
            }
        }

        /** Adds the link mounts to the finished view and checks it. Returns the fault; empty if there is none. */
        private Optional<String> fault(int pid) {
            Optional<String> obstacle =
                    plan.mountedLinks().isEmpty() ? Optional.empty() : linkMounts.lay(pid, plan.mountedLinks());
            return obstacle.isPresent() ? obstacle : check.fault(pid);
        }

        /** Sends the filter, which bubblewrap reads after all mounts and without which it does not go on. */
        private void release() {
            tell(filter.writeEnd(), (plan.isolatePids() ? filters : filtersWithPids).get(plan.filter()));
        }

        /** Writes to a pipe; waits while the pipe is full. If bubblewrap has failed, it reports the reason itself. */
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
                    plan.policy(), plan.proc(), plan.scratch(), MaskFiles.in(directory.path()), lease, arguments);
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
            // A session of its own makes the group that signals are sent to. On a terminal the command must stay in
            // the session of the terminal, because Ctrl-C and job control reach only that.
            if (!command.stdio().onTerminal()) {
                arguments.add("--new-session");
            }
            arguments.add("--die-with-parent");
        }

        /**
         * Sets the variables of the command. Bubblewrap itself runs without any, because LD_PRELOAD of a request would be a
         * way out.
         */
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
            if (plan.doors().count() == 0) {
                FileCalls.writeByte(gate.number());
            }
            FileCalls.makeNonBlocking(gate.number());
            PipeCalls.Pipe pipe = PipeCalls.pipe();
            status = pipe.readEnd();
            arguments.add("--json-status-fd", give(pipe.writeEnd()));
            FileCalls.makeNonBlocking(status.number());
        }

        /**
         * Adds the program under its name. Without --argv0 a program sees its path, or a name that is searched on the PATH
         * inside.
         */
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

        /**
         * Starts the program through a small program of ours, which sets its name. It is run from /proc, where descriptors
         * are.
         */
        private List<String> renamed(String program, String shown) {
            Optional<Machine> machine = Machine.current();
            if (machine.isEmpty() || plan.proc() == ViewBuilder.Proc.EMPTY) {
                throw new PolicyRefusedException(
                        "a name of its own for the program (arg0) needs bubblewrap 0.9.0 or newer, or a /proc in the sandbox; "
                                + plan.program().path() + " is "
                                + plan.program().version());
            }
            int number = arguments.next();
            executed();
            Fd stage = give(MemoryFile.program("rename", RenamingStage.assemble(machine.get(), number)));
            arguments.inherit(stage);
            String path = "/proc/self/fd/" + number;
            List<String> words = new ArrayList<>(signalReset(path));
            words.addAll(List.of(path, program, shown));
            return words;
        }

        /**
         * Returns an env(1) command that unblocks the signals of a terminal. The kernel sends Ctrl-C to bubblewrap as well as
         * to the command, and bubblewrap would die and end the sandbox before a handler could run. So the signals are blocked
         * in bubblewrap, and env(1) unblocks them for the command. Without such an env, Ctrl-C ends the sandbox.
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
            if (blocked.isEmpty()) {
                return List.of();
            }
            executed();
            return List.of(plan.signalReset().get().toString(), UNBLOCK_OPTION + numbers, "--");
        }

        /** Counts a program that comes before that of the command. */
        private void executed() {
            command.restriction().ifPresent(Restriction::alsoExecuted);
        }

        private Fd give(Fd fd) {
            given.add(fd);
            return fd;
        }

        SpawnRequest request(Stdio stdio) {
            executed();
            return new SpawnRequest(
                    plan.program().launch().program(),
                    plan.program().launch().argv("bwrap", argv),
                    List.of(),
                    "/".getBytes(StandardCharsets.US_ASCII),
                    stdio,
                    command.mark(),
                    arguments.descriptors(),
                    blocked,
                    command.restriction(),
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
                    new ProxyListeners(sockets, plan.doors()),
                    lease,
                    links,
                    new BwrapRun.Hold(this::fault, this::release, filter.writeEnd()));
        }

        private BwrapRun.Addressee addressee() {
            return switch (command.stdio()) {
                case Stdio.Terminal _ -> BwrapRun.Addressee.SESSION;
                case Stdio.Inherited(boolean terminal, List<Integer> _) when terminal -> BwrapRun.Addressee.COMMAND;
                case Stdio.Inherited _, Stdio.Given _, Stdio.Pipes _, Stdio.Channel _ -> BwrapRun.Addressee.GROUP;
            };
        }

        @Override
        public void close() {
            given.forEach(Fd::close);
            Optional.ofNullable(options).ifPresent(PipeCalls.Pipe::close);
            if (!taken) {
                Optional.ofNullable(filter).ifPresent(PipeCalls.Pipe::close);
                Optional.ofNullable(gate).ifPresent(Fd::close);
                Optional.ofNullable(status).ifPresent(Fd::close);
                Optional.ofNullable(lease).ifPresent(Placeholders.Lease::close);
                Optional.ofNullable(links).ifPresent(LinkJournal::close);
            }
        }
    }
}
