package dev.execserver.sandbox.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.FileId;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.Rule;
import dev.execserver.sandbox.resolve.RuleTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A workspace, and policies about missing or existing names in it. */
abstract class PlaceholderScene {
    @TempDir
    Path base;

    Path workspace;

    @BeforeEach
    void makeWorkspace() throws IOException {
        workspace = Files.createDirectory(base.resolve("ws"));
    }

    private final List<Ledger> ledgers = new ArrayList<>();

    /** Returns the ledger of another server. */
    Ledger ledger() {
        Ledger made = Ledger.create();
        ledgers.add(made);
        return made;
    }

    /** Returns the placeholders of another server. */
    Placeholders server() {
        return new Placeholders(ledger());
    }

    @AfterEach
    void nothingIsToBeUndone() {
        assertThat(ledgers.stream().flatMap(one -> one.lines().stream())).isEmpty();
        ledgers.forEach(Ledger::close);
    }

    ResolvedPolicy missing(String... names) {
        List<Rule> rules = Stream.of(names)
                .map(name -> LinuxPath.of(workspace.resolve(name).toString()))
                .map(path -> new Rule(path, Access.READ, Rule.Origin.ENTRY, new RuleTarget.Missing(path)))
                .toList();
        return policy(rules);
    }

    static ResolvedPolicy policy(List<Rule> rules) {
        return new ResolvedPolicy(
                ResolvedPolicy.Kind.RESTRICTED,
                NetworkPolicy.RESTRICTED,
                true,
                false,
                false,
                rules,
                List.of(),
                List.of(),
                List.of());
    }

    /** Returns the policy of a server that checks the file now. */
    static ResolvedPolicy found(Path git) {
        LinuxPath path = LinuxPath.of(git.toString());
        RuleTarget found;
        try {
            FileStatus status = FileCalls.status(path.bytes(), false);
            FileId id = new FileId(status.device(), status.inode());
            found = status.directory() ? new RuleTarget.Directory(id, false) : new RuleTarget.File(id, false);
        } catch (LinuxException e) {
            found = new RuleTarget.Missing(path);
        }
        return policy(List.of(new Rule(path, Access.READ, Rule.Origin.PROTECTED_NAME, found)));
    }

    static Fd open(Path file) {
        return FileCalls.open(file.toString().getBytes(StandardCharsets.UTF_8), FileCalls.O_RDONLY, 0);
    }
}
