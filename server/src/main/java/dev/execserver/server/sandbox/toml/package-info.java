/**
 * Permission profiles in the TOML of the {@code codex} command line: the tables {@code [permissions.NAME]} of its {@code config.toml}.
 * Start at {@link dev.execserver.server.sandbox.toml.TomlProfiles}.
 *
 * <p>The library for TOML is loaded with this package, which only a file that ends with {@code .toml} needs. Everything is immutable
 * or used by the one thread that reads; no locks.
 */
package dev.execserver.server.sandbox.toml;
