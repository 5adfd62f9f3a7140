package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.exec.ExecStyle;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.process.start.ProcessStarter;
import dev.execserver.server.session.SessionRegistry;
import java.nio.file.Path;

/**
 * Services and settings that the tools of all clients share.
 *
 * @param memory share for output that is being answered
 * @param access log of what ran
 * @param shell that runs commands
 * @param style of the interception of programs
 * @param form of what clients get
 * @param profile of clients that send none
 * @param rules for programs
 */
record ShellServices(
        SessionRegistry sessions,
        ProcessStarter starter,
        FileWorkers files,
        MemoryBudget memory,
        AccessLog access,
        Path shell,
        ExecStyle style,
        ToolForm form,
        StandardProfile profile,
        RulesSource rules) {

    /** Returns true if the program leaves the sandbox when its user has accepted: a rule of his files asked, not the operator's. */
    boolean escalates(ExecApprovalRequest question) {
        return question.matches().stream()
                .flatMap(match -> match.rule().stream())
                .anyMatch(rules::owns);
    }
}
