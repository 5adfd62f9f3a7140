/** The console in the browser. */
package dev.execserver.it.console;
