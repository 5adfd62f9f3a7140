package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Terminal of 100 x 24 with a shell, by tmux: a test types keys, and sees the screen and the modes as a person's terminal has them. */
public final class Tmux implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String NO_MODES = "alternate 0 mouse 0 cursor 1 keypad 0 cursor keys 0";

    private final Path socket;
    private int commands;

    private Tmux(Path socket) {
        this.socket = socket;
    }

    /** @param directory in which the shell begins, and the socket of this terminal lies */
    public static Tmux start(Path directory) throws IOException, InterruptedException {
        Path home = Files.createDirectories(directory.resolve("tmux"));
        Tmux made = new Tmux(home.resolve("s" + UUID.randomUUID().toString().substring(0, 8)));
        made.tmux(
                "-f",
                "/dev/null",
                "new-session",
                "-d",
                "-x",
                "100",
                "-y",
                "24",
                "-c",
                directory.toString(),
                "env",
                "PS1=local$ ",
                "LC_ALL=C.UTF-8",
                "bash",
                "--norc",
                "--noprofile");
        made.awaitText("local$");
        return made;
    }

    /** Types text as it is. */
    public void type(String text) throws IOException, InterruptedException {
        List<String> hex = new ArrayList<>(List.of("send-keys", "-H"));
        for (byte octet : text.getBytes(UTF_8)) {
            hex.add("%02x".formatted(octet));
        }
        tmux(hex.toArray(String[]::new));
    }

    /** Types a command line. The words are quoted for the shell, which tells the status of the command behind it. */
    public void enter(List<String> words) throws IOException, InterruptedException {
        Path script = Files.writeString(
                socket.resolveSibling("command"),
                String.join(" ", words.stream().map(Tmux::quoted).toList())
                        + "\necho command %d: status $?.\n".formatted(++commands));
        type(". " + script + "\r"); // short, so that the screen is not full of it
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    public String screen() throws IOException, InterruptedException {
        return tmux("capture-pane", "-p");
    }

    /** Returns the modes that programs have set. */
    public String modes() throws IOException, InterruptedException {
        return tmux(
                        "display-message",
                        "-p",
                        "alternate #{alternate_on} mouse #{mouse_any_flag} cursor #{cursor_flag} keypad #{keypad_flag} cursor"
                                + " keys #{keypad_cursor_flag}")
                .strip();
    }

    public void awaitText(String text) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(screen()).contains(text));
    }

    public void awaitNoText(String text) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(screen()).doesNotContain(text));
    }

    /** Waits until the last command has ended with this status. */
    public void awaitStatus(int status) {
        awaitText("command %d: status %d.".formatted(commands, status));
    }

    /** Waits until a program has set modes. */
    public void awaitModes() {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(modes()).isNotEqualTo(NO_MODES));
    }

    public void awaitNoModes() {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(modes()).isEqualTo(NO_MODES));
    }

    private String tmux(String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("tmux", "-S", socket.toString()));
        line.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().remove("TMUX");
        builder.environment().put("LC_ALL", "C.UTF-8");
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        tmux("kill-server");
    }
}
