package dev.execserver.server.proxy.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.net.PolicyAnswer;
import dev.execserver.protocol.net.PolicyDecision;
import dev.execserver.protocol.net.PolicyRequest;
import dev.execserver.protocol.net.ProxyMode;
import dev.execserver.server.rules.ConnectingProgram;
import dev.execserver.server.rules.NetworkRule;
import dev.execserver.server.rules.NetworkRules;
import dev.execserver.server.rules.RuleDecision;
import dev.execserver.server.rules.RuleFiles;
import dev.execserver.server.rules.RuleSet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningPolicyTest {
    private static final String HOST = "1.1.1.1";

    private final AtomicReference<RuleSet> operator = new AtomicReference<>(RuleSet.EMPTY);

    /** A client that answers no question. */
    private static final class Nobody implements PolicyClient {
        @Override
        public Optional<PolicyAnswer> ask(PolicyRequest request, Duration limit) {
            return Optional.empty();
        }

        @Override
        public void decided(PolicyDecision decision) {}
    }

    private RunningPolicy allowing(Path program) {
        NetworkRule rule = new NetworkRule(
                HOST,
                NetworkRule.Protocol.SOCKS5_TCP,
                RuleDecision.ALLOW,
                Optional.empty(),
                Optional.of(program.toString()));
        ProxyPolicy policy = new ProxyPolicy(
                new HostLists(NetworkProxySettings.of(Map.of())),
                ProxyMode.FULL,
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new RunningPolicy(
                policy,
                new NetworkRules(operator::get, List.of(rule)),
                new Questions("p1", new Nobody(), 1),
                new DecisionReporter("p1", new Nobody()),
                new Resolver(_ -> new CompletableFuture<>(), 1, Duration.ofSeconds(1)),
                new OwnPorts());
    }

    private static Ruling judged(RunningPolicy policy, ConnectingProgram program) throws InterruptedException {
        return policy.now().judge(ProxyDestination.plain(HOST, 443, Optional.of(program)));
    }

    @Test
    void newRulesOfTheOperatorDoNotTakeAnExchangedFileForTheProgram(@TempDir Path folder) throws Exception {
        ConnectingProgram java =
                ConnectingProgram.of((int) ProcessHandle.current().pid()).orElseThrow();
        Path link = Files.createSymbolicLink(folder.resolve("program"), Path.of("/bin/sh"));
        RunningPolicy policy = allowing(link);
        ConnectionPolicy first = policy.now();
        Files.delete(link);
        Files.createSymbolicLink(link, Path.of(java.path()));
        operator.set(new RuleFiles().rules());

        assertThat(policy.now()).isNotSameAs(first);
        assertThat(judged(policy, java)).isInstanceOf(Ruling.Refused.class);
        assertThat(judged(allowing(link), java))
                .as("of a command that starts now")
                .isInstanceOf(Ruling.Permitted.class);
    }
}
