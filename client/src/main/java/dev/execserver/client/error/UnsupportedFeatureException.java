package dev.execserver.client.error;

/** Reports that the server lacks an addition to the protocol that a call needs. Nothing was sent. */
public final class UnsupportedFeatureException extends ExecServerException {

    private static final long serialVersionUID = 1L;

    private final String feature;

    public UnsupportedFeatureException(String feature) {
        super("the server does not have the feature `" + feature + "`");
        this.feature = feature;
    }

    /** Returns the name of the addition as servers announce it in {@code features}. */
    public String feature() {
        return feature;
    }
}
