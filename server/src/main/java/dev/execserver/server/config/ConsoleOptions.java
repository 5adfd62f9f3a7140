package dev.execserver.server.config;

import static dev.execserver.server.config.OptionRegister.define;

import dev.execserver.cli.local.ConfigException;
import java.util.List;
import java.util.regex.Pattern;

/** Options of the console in the browser, for {@link Options}, and their meaning. */
final class ConsoleOptions {
    static final Option<Console.Mode> CONSOLE = define(
            "console",
            ValueType.Choice.of(Console.Mode.class),
            "MODE",
            Console.DEFAULTS.mode(),
            "Serve the page `/console` for people with a browser: `off`, `on` to look only, or `write` to do what their"
                    + " credential allows.");
    static final Option<List<String>> ALLOWED_ORIGINS = define(
            "allowed-origins",
            new ValueType.Names(
                    "origins such as https://console.example.org", Pattern.compile("https?://[^/\\s,?#@]+")),
            "ORIGIN,...",
            Console.DEFAULTS.origins(),
            "Origins that the console may have besides the server's own, when a proxy gives it another name.");

    private ConsoleOptions() {}

    static Console assemble(Settings settings) {
        Console console = new Console(settings.value(CONSOLE), settings.value(ALLOWED_ORIGINS));
        if (console.mode() != Console.Mode.OFF && !settings.given(Options.WS_AUTH)) {
            throw ConfigException.usage(
                    "--console, %s, needs --ws-auth: a page is open to everybody who reaches the port"
                            .formatted(settings.describe(CONSOLE)));
        }
        return console;
    }
}
