package dev.execserver.server;

/**
 * Keeps peers from renegotiating TLS 1.2 (CVE-2011-1473): a handshake costs the server far more than the peer, and a peer
 * may ask for it before it has shown who it is. TLS 1.3 has no renegotiation. Stateless.
 */
final class TlsRenegotiation {
    private static final String PROPERTY = "jdk.tls.rejectClientInitiatedRenegotiation";

    private TlsRenegotiation() {}

    /** To be called before the first use of TLS, which reads the property; one that is set with {@code -D} wins. */
    static void refuse() {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY, "true");
        }
    }
}
