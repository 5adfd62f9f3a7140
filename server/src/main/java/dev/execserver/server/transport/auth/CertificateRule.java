package dev.execserver.server.transport.auth;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;

/**
 * Rule that says which certificates belong to a client: those with a subject, or with an alternative name. Exact
 * comparison, because a pattern admits more than its author has thought of. Immutable.
 */
public sealed interface CertificateRule {

    /** Returns true if the certificate belongs to the client. It was verified before. */
    boolean matches(X509Certificate certificate);

    /**
     * Reads {@code subject:CN=ci,O=Example}, {@code dns:ci.example.org}, {@code uri:spiffe://example.org/ci} or
     * {@code email:ci@example.org}.
     *
     * @return empty for any other text
     */
    static Optional<CertificateRule> parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0 || colon == text.length() - 1) {
            return Optional.empty();
        }
        String value = text.substring(colon + 1);
        return switch (text.substring(0, colon)) {
            case "subject" -> subject(value);
            case "email" -> Optional.of(new AlternativeName(AlternativeName.EMAIL, value));
            case "dns" -> Optional.of(new AlternativeName(AlternativeName.DNS, value.toLowerCase(Locale.ROOT)));
            case "uri" -> Optional.of(new AlternativeName(AlternativeName.URI, value));
            default -> Optional.empty();
        };
    }

    private static Optional<CertificateRule> subject(String name) {
        try {
            return Optional.of(new SubjectName(new X500Principal(name)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The distinguished name of the subject, compared as RFC 5280 section 7.1 says. */
    record SubjectName(X500Principal name) implements CertificateRule {
        @Override
        public boolean matches(X509Certificate certificate) {
            return certificate.getSubjectX500Principal().equals(name);
        }
    }

    /**
     * One of the alternative names of the subject.
     *
     * @param kind number in RFC 5280 section 4.2.1.6
     */
    record AlternativeName(int kind, String name) implements CertificateRule {
        static final int EMAIL = 1;
        static final int DNS = 2;
        static final int URI = 6;

        @Override
        public boolean matches(X509Certificate certificate) {
            try {
                Collection<List<?>> names = certificate.getSubjectAlternativeNames();
                return names != null
                        && names.stream()
                                .anyMatch(entry -> entry.getFirst().equals(kind) && name.equals(text(entry.get(1))));
            } catch (CertificateParsingException e) {
                return false; // what cannot be read names nobody
            }
        }

        private String text(Object value) {
            String text = String.valueOf(value);
            return kind == DNS ? text.toLowerCase(Locale.ROOT) : text;
        }
    }
}
