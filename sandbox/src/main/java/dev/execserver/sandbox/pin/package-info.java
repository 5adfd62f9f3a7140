/**
 * Keeps programs that the server runs outside of sandboxes as they were at its start. Start at
 * {@link dev.execserver.sandbox.pin.ProgramPins}, which copies a program, its loader and its libraries into sealed memory.
 * {@link dev.execserver.sandbox.pin.SystemPlaces} decides which program of a search path is trusted in the first place. No
 * threads and one lock, around the table of copies. See {@code docs/decisions/0018-pinned-programs.md}.
 */
package dev.execserver.sandbox.pin;
