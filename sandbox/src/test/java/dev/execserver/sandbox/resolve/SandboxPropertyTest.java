package dev.execserver.sandbox.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.permissions.Access;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** What a resolved policy says about a path is what happens in a sandbox made of its rules. */
class SandboxPropertyTest {
    private final Prober prober = new BareBubblewrap();

    @Provide
    Arbitrary<RandomCase> cases() {
        return RandomCase.cases();
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
            Map<String, Access> found = prober.probe(policy, tree, files, directories);
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
