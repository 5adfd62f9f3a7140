package dev.execserver.server.transport.auth;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.EllipticCurve;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a JWK set (RFC 7517 section 5) or a single JWK. Keys for other uses, and for algorithms that this server does not have,
 * are left out, as section 5 says; a set with private keys is refused. Stateless.
 */
final class JwkSet {
    private static final Set<String> TEXTS = Set.of("kty", "kid", "use", "alg", "crv", "n", "e", "x", "y", "k");
    private static final Set<String> PRIVATE = Set.of("d", "p", "q", "dp", "dq", "qi");
    private static final int P256_BYTES = 32;
    private static final int ED25519_BYTES = 32;

    /** DER before the 32 bytes of an Ed25519 key, RFC 8410 section 4. */
    private static final byte[] ED25519_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private JwkSet() {}

    static List<TokenKey> read(byte[] json) throws MalformedMessageException, GeneralSecurityException {
        JsonSlice all = JsonSlice.parse(json, 0, json.length);
        List<JsonSlice> members = List.of(all);
        ParamsReader in = ParamsReader.of(all, "JwkSet");
        while (in.next()) {
            if (in.name().equals("keys")) {
                members = in.slices();
            }
        }
        List<TokenKey> keys = new ArrayList<>();
        for (JsonSlice member : members) {
            key(texts(member)).ifPresent(keys::add);
        }
        return keys;
    }

    private static Map<String, String> texts(JsonSlice key) {
        Map<String, String> texts = new HashMap<>();
        ParamsReader in = ParamsReader.of(key, "Jwk");
        while (in.next()) {
            String name = in.name();
            if (PRIVATE.contains(name)) {
                throw RpcException.invalidParams("it holds a private key; give the server the public ones only");
            }
            if (TEXTS.contains(name) && texts.put(name, in.string()) != null) {
                throw RpcException.invalidParams("the member " + name + " of a key stands there twice");
            }
        }
        return texts;
    }

    /** Returns empty for a key that is not for us. */
    private static Optional<TokenKey> key(Map<String, String> jwk) throws GeneralSecurityException {
        if (!jwk.getOrDefault("use", "sig").equals("sig")) {
            return Optional.empty();
        }
        Optional<String> id = Optional.ofNullable(jwk.get("kid"));
        Optional<TokenKey> key = switch (jwk.getOrDefault("kty", "")) {
            case "RSA" -> wanted(jwk, "RS256") ? Optional.of(rsa(jwk, id)) : Optional.empty();
            case "EC" ->
                wanted(jwk, "ES256") && "P-256".equals(jwk.get("crv")) ? Optional.of(curve(jwk, id)) : Optional.empty();
            case "OKP" ->
                wanted(jwk, "EdDSA") && "Ed25519".equals(jwk.get("crv"))
                        ? Optional.of(edwards(jwk, id))
                        : Optional.empty();
            case "oct" -> wanted(jwk, "HS256") ? Optional.of(TokenKey.shared(bytes(jwk, "k"), id)) : Optional.empty();
            default -> Optional.empty();
        };
        return key;
    }

    private static boolean wanted(Map<String, String> jwk, String algorithm) {
        return jwk.getOrDefault("alg", algorithm).equals(algorithm);
    }

    private static TokenKey rsa(Map<String, String> jwk, Optional<String> id) throws GeneralSecurityException {
        RSAPublicKeySpec spec =
                new RSAPublicKeySpec(new BigInteger(1, bytes(jwk, "n")), new BigInteger(1, bytes(jwk, "e")));
        return TokenKey.of(KeyFactory.getInstance("RSA").generatePublic(spec), id);
    }

    private static TokenKey curve(Map<String, String> jwk, Optional<String> id) throws GeneralSecurityException {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec("secp256r1"));
        ECPoint point = new ECPoint(
                new BigInteger(1, bytes(jwk, "x", P256_BYTES)), new BigInteger(1, bytes(jwk, "y", P256_BYTES)));
        ECPublicKeySpec spec = new ECPublicKeySpec(point, parameters.getParameterSpec(ECParameterSpec.class));
        requireOnCurve(spec);
        return TokenKey.of(KeyFactory.getInstance("EC").generatePublic(spec), id);
    }

    /** The JDK takes any point; SEC 1 section 3.2.2 does not. */
    private static void requireOnCurve(ECPublicKeySpec spec) throws GeneralSecurityException {
        EllipticCurve curve = spec.getParams().getCurve();
        BigInteger prime = ((ECFieldFp) curve.getField()).getP();
        BigInteger x = spec.getW().getAffineX();
        BigInteger y = spec.getW().getAffineY();
        BigInteger right =
                x.pow(2).add(curve.getA()).multiply(x).add(curve.getB()).mod(prime);
        if (!y.pow(2).mod(prime).equals(right)) {
            throw new GeneralSecurityException("a key is no point of its curve");
        }
    }

    private static TokenKey edwards(Map<String, String> jwk, Optional<String> id) throws GeneralSecurityException {
        byte[] x = bytes(jwk, "x", ED25519_BYTES);
        byte[] der = new byte[ED25519_PREFIX.length + x.length];
        System.arraycopy(ED25519_PREFIX, 0, der, 0, ED25519_PREFIX.length);
        System.arraycopy(x, 0, der, ED25519_PREFIX.length, x.length);
        return TokenKey.of(KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(der)), id);
    }

    private static byte[] bytes(Map<String, String> jwk, String member, int length) throws GeneralSecurityException {
        byte[] bytes = bytes(jwk, member);
        if (bytes.length != length) {
            throw new GeneralSecurityException("the member " + member + " of a key does not have " + length + " bytes");
        }
        return bytes;
    }

    private static byte[] bytes(Map<String, String> jwk, String member) throws GeneralSecurityException {
        String text = jwk.get(member);
        if (text == null) {
            throw new GeneralSecurityException("a key has no member " + member);
        }
        return Base64.getUrlDecoder().decode(text);
    }
}
