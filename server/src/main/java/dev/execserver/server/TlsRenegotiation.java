package dev.execserver.server;

/**
 * Prevents peers from renegotiating TLS 1.2 (CVE-2011-1473). A handshake costs the server far more than the peer, and a
 * peer may ask for it before it has authenticated. TLS 1.3 has no renegotiation. Stateless.
 */
final class TlsRenegotiation {
    private static final String PROPERTY = "jdk.tls.rejectClientInitiatedRenegotiation";

    private TlsRenegotiation() {}

    /**
     * Sets the property. Call it before the first use of TLS, which reads the property. A value from {@code -D} wins.
     */
    static void refuse() {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY, "true");
        }
    }
}
