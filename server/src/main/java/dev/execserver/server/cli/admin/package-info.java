/**
 * Command {@code exec-server admin}: asks a running server on its management socket. Start at {@link
 * dev.execserver.server.cli.admin.AdminCommand}. Runs on the main thread.
 */
package dev.execserver.server.cli.admin;
