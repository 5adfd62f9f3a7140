package dev.execserver.server.transport.tls;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * TLS 1.3 context whose server sockets ask each client for a certificate, which it need not have. Helidon 4.5.0 makes its sockets
 * with the factory of the context and ignores its own setting for that, except where it uses channels.
 */
final class ClientCertificateContext extends SSLContext {
    private static final String TICKETS = "jdk.tls.server.newSessionTicketCount";
    private static final String[] PROTOCOLS = {"TLSv1.3"};
    private static final int RESUMABLE_SECONDS = 1;

    ClientCertificateContext(SSLContext context) {
        super(new Asking(context), context.getProvider(), context.getProtocol());
        context.getServerSessionContext().setSessionTimeout(RESUMABLE_SECONDS);
    }

    /**
     * Switches off that sessions of TLS 1.3 are resumed: a resumed one has the certificate of before, also if its authority is
     * no longer trusted. Call it before the first use of TLS, which reads the property. A value from {@code -D} wins.
     */
    static void refuseResumption() {
        if (System.getProperty(TICKETS) == null) {
            System.setProperty(TICKETS, "0");
        }
    }

    private static final class Asking extends SSLContextSpi {
        private final SSLContext context;

        Asking(SSLContext context) {
            this.context = context;
        }

        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
                throws KeyManagementException {
            context.init(keys, trust, random);
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return new AskingFactory(context.getSocketFactory());
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return context.getServerSocketFactory();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return asking(context.createSSLEngine());
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return asking(context.createSSLEngine(host, port));
        }

        private static SSLEngine asking(SSLEngine engine) {
            engine.setWantClientAuth(true);
            engine.setEnabledProtocols(PROTOCOLS);
            return engine;
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return context.getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return context.getClientSessionContext();
        }
    }

    /** Only sockets over accepted connections are those of a server. */
    private static final class AskingFactory extends SSLSocketFactory {
        private final SSLSocketFactory factory;

        AskingFactory(SSLSocketFactory factory) {
            this.factory = factory;
        }

        @Override
        public Socket createSocket(Socket accepted, InputStream consumed, boolean autoClose) throws IOException {
            SSLSocket socket = (SSLSocket) factory.createSocket(accepted, consumed, autoClose);
            socket.setWantClientAuth(true);
            socket.setEnabledProtocols(PROTOCOLS);
            return socket;
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return factory.getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return factory.getSupportedCipherSuites();
        }

        @Override
        public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
            return factory.createSocket(socket, host, port, autoClose);
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return factory.createSocket(host, port);
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
            return factory.createSocket(host, port, local, localPort);
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return factory.createSocket(host, port);
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
            return factory.createSocket(host, port, local, localPort);
        }
    }
}
