/**
 * Wrapper that a patched shell runs in the place of each program: it asks the server over an inherited socket what becomes of the
 * program. The server's side is {@code server.exec.wrapper}. The main thread alone; nothing here is trusted by the server.
 */
package dev.execserver.server.cli.wrapper;
