package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.error.UnsupportedFeatureException;
import dev.execserver.client.exec.ExecApprovals;
import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecApprovalAnswer.Decision;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.process.ExecDecidedNotification;
import dev.execserver.protocol.process.ExecPolicyParams;
import dev.execserver.protocol.process.ExecPolicyParams.Report;
import dev.execserver.protocol.process.ExecPolicyParams.RulesText;
import dev.execserver.protocol.process.ExecReport;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The Java client answers questions about programs, and gets the reports about them. */
@Timeout(120)
class ClientExecIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static final ExecPolicyParams ASKING = ExecPolicyParams.NONE
            .withRules(List.of(new RulesText("a.rules", "prefix_rule(['id'], 'prompt')")), List.of())
            .withReport(Report.DECISIONS);

    private final BlockingQueue<ExecReport> reports = new LinkedBlockingQueue<>();

    private ExecServerClient connect(int port, Decision answer) throws InterruptedException {
        return ExecServerClient.connect(ClientOptions.url("ws://127.0.0.1:" + port)
                .execApprovals(new ExecApprovals() {
                    @Override
                    public ExecApprovalAnswer decide(ExecApprovalRequest question) {
                        return ExecApprovalAnswer.of(answer);
                    }

                    @Override
                    public void reported(ExecReport report) {
                        reports.add(report);
                    }
                })
                .build());
    }

    @Test
    void itsAnswerDecidesAndTheDecisionIsReported() throws InterruptedException {
        try (ExecServerClient client = connect(SERVER.port(), Decision.RUN);
                RemoteProcess process =
                        client.start(ProcessSpec.of("sh", "-c", "env id -u").execPolicy(ASKING))) {
            assertThat(process.waitFor()).isInstanceOf(Outcome.Exited.class);

            ExecReport report = reports.poll(30, TimeUnit.SECONDS);
            assertThat(report).isInstanceOf(ExecDecidedNotification.class);
            assertThat(report.processId()).isEqualTo(process.id());
            assertThat(((ExecDecidedNotification) report).by()).isEqualTo("client");
            client.end();
        }
    }

    @Test
    void aDenialEndsTheProgram() throws InterruptedException {
        try (ExecServerClient client = connect(SERVER.port(), Decision.DENY);
                RemoteProcess process =
                        client.start(ProcessSpec.of("sh", "-c", "env id -u").execPolicy(ASKING))) {
            assertThat(((Outcome.Exited) process.waitFor()).exitCode()).isEqualTo(126);
            client.end();
        }
    }

    @Test
    void aServerWithoutRulesForProgramsIsRefusedInTheClient() throws InterruptedException {
        try (ServerProcess strict = ServerProcess.listening("--protocol", "strict");
                ExecServerClient client = connect(strict.port(), Decision.RUN)) {
            assertThatExceptionOfType(UnsupportedFeatureException.class)
                    .isThrownBy(() -> client.start(ProcessSpec.of("true").execPolicy(ASKING)))
                    .withMessageContaining("execPolicy");
        }
    }
}
