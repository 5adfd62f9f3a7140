package dev.execserver.server.config;

import static dev.execserver.server.config.OptionRegister.define;

/** Options by which the MCP server is like the original one, for {@link Options}. */
final class ShellOptions {
    static final Option<McpForm> COMPAT = define(
            "mcp-compat",
            new McpForm.Word(),
            "FORM",
            McpForm.DEFAULT,
            "Results, refusals and tools as this server has them (`own`), or as the original shell server of that version (`0.97`).");
    static final Option<Boolean> PRESERVE_PROGRAM_PATHS = define(
            "mcp-preserve-program-paths",
            new ValueType.Switch(),
            "on|off",
            false,
            "Find the rules of MCP clients by the whole path of a program alone, not by its base name. Not those of"
                    + " `--exec-rules`.");

    private ShellOptions() {}
}
