/**
 * SIGKILL at random moments for servers and what they start, with the look at what is left afterwards. Begin with {@link
 * dev.execserver.it.kill.KillRounds}. Each round has a thread of its own for each load; what they share is immutable or concurrent.
 */
package dev.execserver.it.kill;
