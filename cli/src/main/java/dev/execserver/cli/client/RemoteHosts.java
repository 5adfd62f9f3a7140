package dev.execserver.cli.client;

import dev.execserver.cli.Console;
import dev.execserver.cli.client.copy.IncompleteFiles;
import dev.execserver.cli.client.copy.RemoteSide;
import dev.execserver.cli.client.copy.Side;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.FileErrors;
import dev.execserver.client.ClientOptions;
import dev.execserver.client.ConnectionListener;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.exec.ExecApprovals;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.ProcessSpecBuilder;
import dev.execserver.client.session.Backlog;
import dev.execserver.protocol.app.ProfileChoice;
import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.process.EnvPolicy;
import dev.execserver.protocol.process.ProcessFeatures;
import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.protocol.process.ProcessMethodNames;
import dev.execserver.protocol.process.SignalParams;
import dev.execserver.protocol.process.TerminateParams;
import dev.execserver.protocol.process.TerminateResult;
import dev.execserver.protocol.process.WaitParams;
import dev.execserver.protocol.process.WaitResult;
import dev.execserver.protocol.session.SessionInfo;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Opens sessions with real servers. */
final class RemoteHosts {
    private static final String CLIENT_NAME = "exec-server-cli";
    private static final EnvPolicy WHOLE_ENVIRONMENT =
            new EnvPolicy(EnvPolicy.Inherit.ALL, true, List.of(), Map.of(), List.of());

    /**
     * Output buffer of a program on a terminal. The effect of a key is shown after the output that is buffered before
     * it, so this is no more than a slow line carries in half a second.
     */
    private static final int TERMINAL_BUFFER_BYTES = 256 << 10;

    /** Time for a log-in by ssh, with a password perhaps, and for the start of a server. */
    private static final Duration PROGRAM_START = Duration.ofMinutes(2);

    private RemoteHosts() {}

    static RemoteHost connect(ServerTarget target, Console console) throws InterruptedException {
        LaterApprovals approvals = new LaterApprovals();
        ServerWarnings warnings = new ServerWarnings(console);
        LaterListener listener = new LaterListener(warnings);
        ExecServerClient client = ExecServerClient.connect(options(target, approvals, listener));
        return new Connected(client, approvals, warnings, listener);
    }

    private static ClientOptions options(ServerTarget target, LaterApprovals approvals, LaterListener listener) {
        try {
            ClientOptions.Builder options = address(target)
                    .clientName(CLIENT_NAME)
                    .takeover(target.takeover())
                    .connectionListener(listener)
                    .execApprovals(approvals);
            target.token().ifPresent(options::bearerToken);
            target.tokenCommand().map(TokenCommand::new).ifPresent(options::bearerToken);
            target.caFile().ifPresent(options::caFile);
            target.session().ifPresent(options::resumeSessionId);
            target.sessionTtl().ifPresent(options::sessionTtl);
            target.name().ifPresent(options::sessionName);
            return options.build();
        } catch (IllegalArgumentException e) {
            throw ConfigException.usage(e.getMessage());
        } catch (UncheckedIOException e) {
            throw ConfigException.failure("%s: %s; --ca-file or EXEC_SERVER_CA_FILE names the file"
                    .formatted(e.getMessage(), FileErrors.text(e.getCause())));
        }
    }

    private static ClientOptions.Builder address(ServerTarget target) {
        return target.endsWithCommand()
                ? ClientOptions.program(
                                ProgramUrl.program(target.url()), ProgramUrl.argv(target.url(), target.program()))
                        .initializeTimeout(PROGRAM_START)
                : ClientOptions.url(target.url());
    }

    private record Connected(
            ExecServerClient client, LaterApprovals later, ServerWarnings warnings, LaterListener listener)
            implements RemoteHost {
        @Override
        public void connection(ConnectionListener heard) {
            listener.set(heard);
        }

        @Override
        public void approvals(ExecApprovals handler) {
            later.set(handler);
        }

        @Override
        public Optional<String> sessionId() {
            return client.sessionId();
        }

        @Override
        public boolean takesEndOfInput() {
            return client.features().contains(ProcessMethodNames.CLOSE_STDIN);
        }

        @Override
        public RemoteTask start(RunRequest request) throws InterruptedException {
            ProcessSpecBuilder spec = ProcessSpec.of(request.argv()).toBuilder()
                    .processId(request.processId())
                    .env(request.environment())
                    .inherit(Optional.of(WHOLE_ENVIRONMENT));
            if (request.input()) {
                spec.stdin();
            }
            request.cwd().map(this::directory).ifPresent(spec::cwd);
            request.timeout().ifPresent(spec::timeout);
            request.execPolicy().ifPresent(spec::execPolicy);
            request.profile().ifPresent(profile -> confine(spec, profile, workspace(request)));
            if (request.tty()) {
                spec.tty();
                spec.bufferBytes(TERMINAL_BUFFER_BYTES);
                if (client.features().contains(ProcessFeatures.SIZE)) {
                    request.size().ifPresent(size -> spec.tty(size.columns(), size.rows()));
                }
            }
            return new RemoteTasks(client.start(spec.build()));
        }

        private static void confine(ProcessSpecBuilder spec, ProfileChoice choice, PathUri workspace) {
            switch (choice) {
                case ProfileChoice.Given(PermissionProfile profile) ->
                    spec.sandbox(SandboxContext.of(profile, workspace));
                case ProfileChoice.Named(String id) -> spec.sandbox(NamedSandbox.of(id, workspace));
            }
        }

        /** Returns an absolute path as it is; another one begins where the server was started. */
        private PathUri directory(String text) {
            return text.startsWith("/") ? PathUri.ofNative(text) : path(text);
        }

        /** Returns the directory in which the program runs, as with {@code exec-server sandbox}. */
        private PathUri workspace(RunRequest request) {
            return request.cwd()
                    .map(this::directory)
                    .or(() -> client.environmentInfo().flatMap(EnvironmentInfo::cwd))
                    .orElseThrow(() -> ConfigException.failure(
                            "the server does not say in which directory it was started; give --cwd with --profile"));
        }

        @Override
        public RemoteTask attach(String processId) {
            return new RemoteTasks(client.attach(processId));
        }

        @Override
        public List<ProcessInfo> list() throws InterruptedException {
            return client.list();
        }

        @Override
        public List<SessionInfo> sessions() throws InterruptedException {
            return client.sessions().list();
        }

        @Override
        public RemoteSight observe(String sessionId, String processId, Backlog backlog) {
            return client.sessions().observer(sessionId, processId, backlog)::next;
        }

        @Override
        public WaitResult await(WaitParams params) throws InterruptedException {
            return client.processes().await(params);
        }

        @Override
        public void signal(String processId, String name) throws InterruptedException {
            client.processes().signal(new SignalParams(processId, name));
        }

        @Override
        public void terminate(String processId, Optional<Duration> grace) throws InterruptedException {
            OptionalLong graceMs =
                    grace.isPresent() ? OptionalLong.of(grace.get().toMillis()) : OptionalLong.empty();
            TerminateResult _ = client.processes().terminate(new TerminateParams(processId, graceMs));
        }

        @Override
        public Side files(IncompleteFiles leftovers) {
            return new RemoteSide(client, leftovers);
        }

        @Override
        public PathUri path(String text) {
            return RemotePaths.path(text, client.environmentInfo());
        }

        @Override
        public void end() throws InterruptedException {
            client.end();
        }

        @Override
        public void close() {
            client.close();
            warnings.finish();
        }
    }
}
