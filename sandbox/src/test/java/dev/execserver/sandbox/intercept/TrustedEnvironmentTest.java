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
                "LESSOPEN",
                "TAR_OPTIONS",
                "APT_CONFIG",
                "GNUPGHOME",
                "HTTPS_PROXY",
                "SSH_AUTH_SOCK",
                "TMPDIR",
                "SHELL",
                "NEVER_HEARD_OF"
            })
    void whatIsNotKnownToBeHarmlessIsRemoved(String name) {
        assertThat(clean(name + "=x", "LANG=C")).containsExactly("LANG=C");
        assertThat(environment.reason(name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LANG=/work/evil",
                "LANGUAGE=../../work/evil",
                "LC_ALL=..",
                "TERM=/work/evil",
                "TZ=:/work/evil",
                "TZ=/work/evil",
                "TZ=Europe/../../../work/evil"
            })
    void aValueThatLeadsToAFileIsRemoved(String variable) {
        assertThat(clean(variable, "TZ=UTC")).doesNotContain(variable);
    }

    @Test
    void ordinaryVariablesAreKept() {
        String[] ordinary = {
            "PATH=/bin",
            "LANG=de_DE.UTF-8@euro",
            "LC_ALL=C",
            "LANGUAGE=de:en",
            "TERM=xterm-256color",
            "USER=a",
            "TZ=Europe/Berlin",
            "NO_COLOR=",
            "COLUMNS=80"
        };

        assertThat(clean(ordinary)).containsExactly(ordinary);
    }

    @Test
    void twoOfOneNameStringsWithoutANameAndFunctionsAreDropped() {
        assertThat(clean("USER=1", "USER=2", "noname", "=x", "LANG=() { evil; }"))
                .containsExactly("USER=1");
    }

    @Test
    void programsAndSettingsOfTheSandboxAreNotFound() {
        assertThat(clean("PATH=/work/evil:/usr/bin:.::/bin", "HOME=/work/evil")).containsExactly("PATH=/usr/bin:/bin");
        assertThat(environment.reason("PATH")).isPresent();
        List<byte[]> home =
                environment.at(Optional.of("/root")).clean(List.of("HOME=/work".getBytes(StandardCharsets.UTF_8)));
        assertThat(home).singleElement().isEqualTo("HOME=/root".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void anOperatorCanKeepMore() {
        TrustedEnvironment more = environment.keeping(List.of("HTTPS_PROXY"));
        byte[] proxy = "HTTPS_PROXY=http://proxy/".getBytes(StandardCharsets.UTF_8);

        assertThat(more.clean(List.of(proxy))).containsExactly(proxy);
        assertThat(more.reason("HTTPS_PROXY")).isPresent();
    }
}
