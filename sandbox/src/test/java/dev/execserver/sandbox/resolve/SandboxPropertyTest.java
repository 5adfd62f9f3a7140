package dev.execserver.sandbox.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.paths.KernelFileView;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** The access in a real sandbox is the one that its resolved policy states. */
class SandboxPropertyTest {
    private static PlannedSandbox prober;

    @BeforeContainer
    static void start() {
        prober = new PlannedSandbox();
    }

    @AfterContainer
    static void stop() {
        prober.close();
    }

    @Provide
    Arbitrary<RandomCase> cases() {
        // The probes are a shell script, so the shell must be visible.
        return RandomCase.cases().map(RandomCase::withPlatform);
    }

    @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
    void theSandboxDoesWhatThePolicySays(@ForAll("cases") RandomCase random) {
        try (Tree tree = new Tree()) {
            random.plant(tree);
            ResolvedPolicy policy;
            try {
                policy = Profiles.resolve(
                        new KernelFileView(),
                        random.policy(LinuxPath.of(tree.root().toString())));
            } catch (PolicyRefusedException e) {
                return;
            }
            List<String> files = random.files();
            List<String> directories = random.directories();
            List<String> before = tree.listing();
            Map<String, Access> found = prober.probe(policy, tree, files, directories);
            // Only the files of the probes are left, and no object that a mount needed.
            assertThat(tree.listing())
                    .filteredOn(path -> !path.endsWith("/" + PlannedSandbox.PROBE))
                    .isEqualTo(before);
            for (String file : files) {
                assertThat(found.get(file))
                        .as(file + " under " + policy.rules())
                        .isEqualTo(policy.access(tree.path(file)));
            }
            for (String directory : directories) {
                assertThat(found.get(directory) == Access.WRITE)
                        .as(directory + " under " + policy.rules())
                        .isEqualTo(policy.access(tree.path(directory)) == Access.WRITE);
            }
        }
    }
}
