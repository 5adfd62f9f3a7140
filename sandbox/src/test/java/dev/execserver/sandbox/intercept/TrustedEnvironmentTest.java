package dev.execserver.sandbox.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrustedEnvironmentTest {
    private final TrustedEnvironment environment = TrustedEnvironment.standard().at(Optional.empty());

    private List<String> clean(String... variables) {
        List<byte[]> all = List.of(variables).stream()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
        return environment.clean(all).stream()
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LD_PRELOAD",
                "LD_AUDIT",
                "GCONV_PATH",
                "BASH_ENV",
                "ENV",
                "SHELLOPTS",
                "BASH_FUNC_ls%%",
                "PYTHONPATH",
                "PYTHONSTARTUP",
                "PERL5OPT",
                "RUBYOPT",
                "NODE_OPTIONS",
                "JAVA_TOOL_OPTIONS",
                "GIT_SSH_COMMAND",
                "GIT_CONFIG_COUNT",
                "PAGER",
                "EDITOR",
                "LESSOPEN"
            })
    void whatLetsTheSandboxReachIntoAProgramIsRemovedWithAReason(String name) {
        assertThat(clean(name + "=x", "KEPT=1")).containsExactly("KEPT=1");
        assertThat(environment.reason(name)).isPresent();
    }

    @Test
    void ordinaryVariablesAreKept() {
        String[] ordinary = {"PATH=/bin", "LANG=C", "TERM=xterm", "USER=a", "A=b=c", "EMPTY=", "LDX=1", "ENVY=1"};

        assertThat(clean(ordinary)).containsExactly(ordinary);
    }

    @Test
    void twoOfOneNameStringsWithoutANameAndFunctionsAreDropped() {
        assertThat(clean("A=1", "A=2", "noname", "=x", "f=() { evil; }")).containsExactly("A=1");
    }

    @Test
    void programsAndSettingsOfTheSandboxAreNotFound() {
        assertThat(clean("PATH=/work/evil:/usr/bin:.::/bin", "HOME=/work/evil")).containsExactly("PATH=/usr/bin:/bin");
        assertThat(environment.reason("PATH")).isEmpty();
        List<byte[]> home =
                environment.at(Optional.of("/root")).clean(List.of("HOME=/work".getBytes(StandardCharsets.UTF_8)));
        assertThat(home).singleElement().isEqualTo("HOME=/root".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void anOperatorCanRemoveMore() {
        TrustedEnvironment stricter = environment.without(List.of("SECRET_*"), "they are ours");

        assertThat(stricter.reason("SECRET_KEY")).contains("they are ours");
        assertThat(environment.reason("SECRET_KEY")).isEmpty();
    }
}
