package dev.execserver.sandbox.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.paths.FileId;
import dev.execserver.sandbox.paths.FileView;
import dev.execserver.sandbox.paths.KernelFileView;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.ConformanceRows.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the expectations of the conformance rows that follow from the policy, on the files of each row. */
@Timeout(60)
class ConformanceTest {
    private static final Map<String, Row> ROWS = ConformanceRows.all();

    private final FileView files = new KernelFileView();
    private final PolicyResolver resolver = new PolicyResolver(files, Optional::empty, ServerPaths.NOTHING);

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "ro-01 | /etc/passwd r",
                "ro-02 | ${WS}/x r",
                "ro-03 | /tmp/q r",
                "ro-06 | ${OUT}/secret r",
                "ro-07 | ${WS}/a r",
                "ww-01 | ${WS}/x w",
                "ww-02 | ${OUT}/n r",
                "ww-03 | /tmp/q w",
                "ww-04 | /tmp/q r",
                "ww-05 | ${BASE}/td/q w",
                "ww-06 | ${BASE}/td/q r",
                "ww-07 | ${BASE}/td/q r",
                "ww-08 | ${BASE}/td/q r",
                "ww-09 | ${BASE}/nope r, ${WS}/x w",
                "ww-10 | ${WS}/.git/config r",
                "ww-11 | ${WS}/.git/HEAD r",
                "ww-12 | ${WS}/.git r",
                "ww-13 | ${WS}/.codex r",
                "ww-14 | ${WS}/.codex r",
                "ww-16 | ${WS}/.agents/x r",
                "ww-17 | ${WS}/.codex/config.toml r",
                "ww-18 | ${WS}/.aws r",
                "ww-19 | ${WS}/sub/.git/config w",
                "ww-20 | ${WS}/.git r",
                "ww-21 | ${BASE}/real/other w, ${BASE}/real/g/x r",
                "ww-25 | ${WS}/decoy/x r, ${WS}/.codex/x r, ${WS}/y w",
                "ww-26 | ${WS}/decoy/x r",
                "ww-27 | ${BASE}/two/x w",
                "ww-29 | ${BASE}/two/.codex r",
                "ww-30 | ${BASE}/absent r",
                "ww-31 | ${OUT}/secret w, ${OUT}/other r",
                "ww-32 | ${BASE}/lnk/x w, ${BASE}/tgt/x w",
                "ww-33 | ${WS}/.git/x w",
                "ww-34 | ${WS}/.git r",
                "ww-39 | ${WS}/l r",
                "ww-43 | ${WS}/x w, ${BASE}/y w, ${WS}/.git r",
                "ww-45 | ${WS}/.git r",
                "co-01 | ${WS}/ro/f r",
                "co-03 | ${WS}/f r, ${WS}/g w",
                "co-04 | ${WS}/d -, ${WS}/d/f -",
                "co-07 | ${WS}/f -",
                "co-10 | ${WS}/f -",
                "co-11 | ${WS}/a/b/x w, ${WS}/a -",
                "co-14 | ${WS}/a/b/x w, ${WS}/a/y r",
                "co-15 | ${OUT}/secret -",
                "co-16 | ${OUT}/pub r, ${OUT}/secret -",
                "co-17 | ${OUT}/pub/f r, ${OUT}/secret -",
                "co-18 | ${WS}/m r",
                "co-19 | ${WS}/m r",
                "co-20 | ${WS}/m r",
                "co-21 | ${WS}/m r",
                "co-24 | ${OUT}/secret -, ${BASE}/sl -",
                "co-25 | ${WS}/f -",
                "co-26 | ${WS}/f w",
                "co-27 | ${WS}/f w, ${OUT}/secret -",
                "co-28 | ${WS}/f w, ${OUT}/secret r, ${OUT}/n r",
                "co-29 | ${OUT}/n w",
                "co-30 | ${WS}/sub/x w, ${WS} -",
                "co-31 | ${WS}/sub/x w, ${WS}/y r",
                "gl-01 | ${WS}/a.env -",
                "gl-02 | ${WS}/a.txt w, ${WS}/b.txt w",
                "gl-03 | ${WS}/x/y/z.env -",
                "gl-04 | ${WS}/a.env -, ${WS}/x/y/z.env w",
                "gl-06 | ${WS}/x w",
                "gl-07 | ${WS}/n.env w",
                "gl-08 | ${WS}/.env -, ${WS}/ig/k.env -",
                "gl-09 | ${OUT}/k.key -, ${OUT}/secret r",
                "gl-10 | ${WS}/a.env -",
                "gl-11 | ${WS}/d.env/f -",
                "gl-12 | ${OUT}/l.key -, ${OUT}/secret -",
                "gl-14 | ${WS}/x[1.txt -, ${WS}/x1.txt w",
                "gl-15 | ${WS}/a.env w",
                "gl-16 | ${WS}/a.env -, ${WS}/x/b.env w",
                "rr-01 | /usr r, /etc r, /bin r, ${OUT} -",
                "rr-03 | ${WS}/a r",
                "rr-04 | ${OUT}/secret -",
                "rr-05 | ${WS}/b w",
                "rr-06 | /bin/sh -, ${WS}/x w",
                "rr-08 | /etc/passwd -, /etc/group r",
                "rr-09 | /root -",
                "rr-11 | /usr r",
                "rr-12 | ${WS}/b w",
                "rr-13 | /tmp -",
                "rr-14 | /tmp/q w",
                "rr-15 | ${BASE}/none -",
                "rr-16 | ${WS}/b w, ${OUT}/secret -, /usr r",
                "nw-20 | ${OUT}/n w",
                "nw-23 | ${OUT}/n w",
                "nw-24 | ${OUT}/n w"
            })
    void theRowFollowsFromItsPolicy(String id, String probes) {
        try (Tree tree = new Tree()) {
            Row row = ROWS.get(id);
            row.plant(tree);
            ResolvedPolicy policy = resolver.resolve(row.profile(tree), row.directories(tree));
            PolicyAccess access = new PolicyAccess(files, List.of());
            List<String> answers = new ArrayList<>();
            for (String probe : probes.split(", ")) {
                String path = probe.substring(0, probe.lastIndexOf(' '));
                Access answer = access.access(policy, LinuxPath.of(ConformanceRows.filled(path, tree)));
                answers.add(path + " "
                        + (answer == Access.DENY ? "-" : answer.wire().substring(0, 1)));
            }
            assertThat(String.join(", ", answers)).isEqualTo(probes);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "co-22 | cannot enforce sandbox deny-read path ${WS}/l because it crosses writable symlink ${WS}/l",
                "co-23 | cannot enforce sandbox read-only path ${WS}/l/x because it crosses writable symlink ${WS}/l"
            })
    void theRowIsRefused(String id, String text) {
        try (Tree tree = new Tree()) {
            Row row = ROWS.get(id);
            row.plant(tree);
            assertThatThrownBy(() -> resolver.resolve(row.profile(tree), row.directories(tree)))
                    .hasMessageContaining(ConformanceRows.filled(text, tree));
        }
    }

    @Test
    void everyProfileOfTheRowsIsUnderstood() {
        assertThat(ROWS).hasSize(171);
        try (Tree tree = new Tree()) {
            tree.directory("ws");
            for (Row row : ROWS.values()) {
                assertThat(resolver.resolve(row.profile(tree), row.directories(tree)))
                        .as(row.id())
                        .isNotNull();
            }
        }
    }

    @Test
    void theGlobRowWithReadAccessIsWarnedAbout() {
        try (Tree tree = new Tree()) {
            Row row = ROWS.get("gl-15");
            row.plant(tree);
            assertThat(resolver.resolve(row.profile(tree), row.directories(tree))
                            .warnings())
                    .singleElement()
                    .asString()
                    .contains("ws/**/*.env` has no effect");
        }
    }

    @Test
    void rulesCarryTheIdentityOfWhatWasSeen() throws FileView.NotAccessibleException {
        try (Tree tree = new Tree()) {
            Row row = ROWS.get("ww-10");
            row.plant(tree);
            ResolvedPolicy policy = resolver.resolve(row.profile(tree), row.directories(tree));
            for (Rule rule : policy.rules()) {
                Optional<FileId> now = files.status(rule.path()).map(FileView.Status::id);
                Optional<FileId> seen = switch (rule.found()) {
                    case RuleTarget.Directory(FileId directory, boolean _) -> Optional.of(directory);
                    case RuleTarget.File(FileId file, boolean _) -> Optional.of(file);
                    case RuleTarget.Missing _ -> Optional.empty();
                };
                assertThat(seen).as(rule.toString()).isEqualTo(now);
            }
        }
    }
}
