package dev.execserver.server.rules;

/** A rules file that cannot be used. */
public final class RuleFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String headline;
    private final String details;

    /**
     * @param headline which file, and in what it has failed
     * @param cause the details, of one or more lines
     */
    RuleFileException(String headline, String cause) {
        super(headline + ": " + cause);
        this.headline = headline;
        details = cause;
    }

    /** Returns the headline, and below it the indented details. */
    public String describe() {
        return headline + "\n\nCaused by:\n" + details.indent(4).stripTrailing();
    }
}
