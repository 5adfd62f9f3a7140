/** Commands with one result: output, exit code, truncation. Start at {@link dev.execserver.client.command.CommandSpec}. */
package dev.execserver.client.command;
