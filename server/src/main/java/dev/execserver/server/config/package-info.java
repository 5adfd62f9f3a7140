/**
 * Configuration of the server: one immutable {@link dev.execserver.server.config.ServerConfig} made of small records,
 * and the table of options ({@link dev.execserver.server.config.Options}), from which the command line, the environment
 * variables, the properties file and the tables of docs/configuration.md are derived. Start reading at
 * {@code ServerConfig} for embedding, at {@code Options} for adding an option.
 *
 * <p>Threads: everything here is immutable or used by the starting thread only; files are read before the first virtual
 * thread exists. Locks: none.
 */
package dev.execserver.server.config;
