/** Serves the console: the page for people with a browser, its log-in, and the files that it shows. */
package dev.execserver.server.transport.console;
