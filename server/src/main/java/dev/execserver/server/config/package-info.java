/**
 * What the server can be told: one immutable {@link dev.execserver.server.config.ServerConfig} made of small records,
 * and the table of options ({@link dev.execserver.server.config.Options}) from which the command line, the environment
 * variables, the properties file and docs/configuration.md are derived. Start reading at {@code ServerConfig} when
 * embedding, at {@code Options} when adding an option.
 *
 * <p>Threads: everything here is immutable or used by the starting thread only; reading files happens before the first
 * virtual thread exists. Locks: none.
 */
package dev.execserver.server.config;
