package dev.execserver.it.clients;

import com.fasterxml.jackson.databind.JsonNode;

/** Carries out actions of the suite with one of the clients. The programs are {@code clients/LANGUAGE/test*}/driver.*. */
interface ClientDriver {

    /**
     * Connects, does one action and ends the session.
     *
     * @param action its name: {@code output}, {@code stderrOnly}, {@code echo}, {@code terminal}, {@code stale},
     *     {@code approval}, {@code warned}, {@code observed}, {@code aborted} or {@code files}
     * @param args what the action needs, and options of the connection: {@code token}, {@code reconnectMs}, {@code sessionName},
     *     {@code takeWarnings}, {@code countTokens}
     * @param whenStarted called once when the action's program has been started, by actions that say so
     * @return the result of the action, or {@code error} with the kind of the failure, without "Exception" and "Error"
     */
    JsonNode act(String url, String action, JsonNode args, Runnable whenStarted) throws Exception;
}
