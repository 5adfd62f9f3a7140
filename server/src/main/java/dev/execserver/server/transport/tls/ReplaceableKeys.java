package dev.execserver.server.transport.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Certificate and key of a TLS server that can be replaced. A handshake asks several times; it gets certificate and key of
 * one generation, because the alias that it chose names the generation. Handshakes that run during two replacements
 * fail. Any thread; the state is one volatile reference.
 */
public final class ReplaceableKeys extends X509ExtendedKeyManager {
    private static final String SEPARATOR = ":";

    private record Generations(long number, X509ExtendedKeyManager current, Optional<X509ExtendedKeyManager> previous) {
        Optional<X509ExtendedKeyManager> named(long wanted) {
            if (wanted == number) {
                return Optional.of(current);
            }
            return wanted == number - 1 ? previous : Optional.empty();
        }
    }

    private volatile Generations generations;

    public ReplaceableKeys(X509ExtendedKeyManager first) {
        generations = new Generations(0, first, Optional.empty());
    }

    /**
     * Replaces certificate and key for handshakes that begin from now on. One thread at a time.
     *
     * @return false if they are the same as before
     */
    public boolean replace(X509ExtendedKeyManager next) {
        Generations now = generations;
        if (Arrays.equals(chain(next), chain(now.current()))
                && next.getPrivateKey(PemFiles.ALIAS).equals(now.current().getPrivateKey(PemFiles.ALIAS))) {
            return false;
        }
        generations = new Generations(now.number() + 1, next, Optional.of(now.current()));
        return true;
    }

    private static X509Certificate[] chain(X509ExtendedKeyManager keys) {
        return keys.getCertificateChain(PemFiles.ALIAS);
    }

    private String choose(Function<X509ExtendedKeyManager, String> choice) {
        Generations now = generations;
        String alias = choice.apply(now.current());
        return alias == null ? null : now.number() + SEPARATOR + alias;
    }

    private <T> T find(String alias, BiFunction<X509ExtendedKeyManager, String, T> lookup) {
        int separator = alias == null ? -1 : alias.indexOf(SEPARATOR);
        if (separator < 0) {
            return null;
        }
        String inner = alias.substring(separator + 1);
        return generations
                .named(Long.parseLong(alias.substring(0, separator)))
                .map(keys -> lookup.apply(keys, inner))
                .orElse(null);
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        return choose(keys -> keys.chooseServerAlias(keyType, issuers, socket));
    }

    @Override
    public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
        return choose(keys -> keys.chooseEngineServerAlias(keyType, issuers, engine));
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
        Generations now = generations;
        String[] aliases = now.current().getServerAliases(keyType, issuers);
        return aliases == null
                ? null
                : Arrays.stream(aliases)
                        .map(alias -> now.number() + SEPARATOR + alias)
                        .toArray(String[]::new);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return find(alias, X509ExtendedKeyManager::getCertificateChain);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return find(alias, X509ExtendedKeyManager::getPrivateKey);
    }

    /** Returns null: this is no TLS client. */
    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
        return null;
    }

    /** Returns null: this is no TLS client. */
    @Override
    public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
        return null;
    }
}
