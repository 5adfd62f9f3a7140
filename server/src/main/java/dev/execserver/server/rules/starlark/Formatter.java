package dev.execserver.server.rules.starlark;

import dev.execserver.server.rules.starlark.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Lays a rules file out: four blanks a level, usual blanks between words, a call that is too long for a line with one argument a
 * line. Comments stay, and so does the layout of a statement that has comments or line ends of strings in it. Used by one thread,
 * for one file.
 */
public final class Formatter {
    static final int WIDTH = 100;

    private static final int LEVEL = 4;

    private final SourceText source;
    private final StringBuilder out = new StringBuilder();
    /** Columns of the blocks that are open in the source. */
    private final List<Integer> columns = new ArrayList<>(List.of(0));
    /** Those that were open at the last statement. */
    private List<Integer> lastColumns = List.of(0);

    private Formatter(SourceText source) {
        this.source = source;
    }

    /**
     * Returns the text in the layout.
     *
     * @param name as errors tell it
     * @throws StarlarkException when it is no program
     */
    public static String format(String name, String text) {
        SourceText source = new SourceText(name, text.replace("\r\n", "\n"));
        var _ = Parser.statements(source);
        Formatter formatter = new Formatter(source);
        List<Token> tokens = Lexer.tokens(source);
        formatter.all(tokens);
        String made = formatter.out.toString();
        SourceText laid = new SourceText(name, made);
        var _ = Parser.statements(laid);
        if (!Meaning.of(source, tokens).equals(Meaning.of(laid))) {
            throw new IllegalStateException("the layout of " + name + " would change its meaning");
        }
        return made;
    }

    private void all(List<Token> tokens) {
        int done = 0;
        int level = 0;
        List<Token> statement = new ArrayList<>();
        for (Token token : tokens) {
            switch (token.kind()) {
                case INDENT -> columns.add(token.span().end() - token.span().begin());
                case DEDENT -> columns.removeLast();
                case NEW_LINE, END -> {
                    if (!statement.isEmpty()) {
                        int next = columns.size() - 1;
                        between(done, statement.getFirst().span().begin(), level, next);
                        level = next;
                        lastColumns = List.copyOf(columns);
                        int end = token.kind() == Kind.END
                                ? source.text().length()
                                : token.span().begin();
                        statement(statement, level, end);
                        done = end;
                        statement.clear();
                    }
                }
                default -> statement.add(token);
            }
        }
        between(done, source.text().length(), level, 0);
    }

    /** Writes the comments and single empty lines between two statements. */
    private void between(int begin, int end, int level, int next) {
        boolean empty = false;
        String[] lines = source.text().substring(begin, end).split("\n", -1);
        for (int i = begin == 0 ? 0 : 1; i < lines.length; i++) {
            String comment = lines[i].strip();
            if (comment.startsWith("#")) {
                separate(empty);
                empty = false;
                indented(levelOf(lines[i].indexOf('#'), level, next))
                        .append(comment)
                        .append('\n');
            } else {
                empty |= comment.isEmpty() && i < lines.length - 1;
            }
        }
        if (end < source.text().length()) {
            separate(empty);
        }
    }

    private void separate(boolean empty) {
        if (empty && !out.isEmpty()) {
            out.append('\n');
        }
    }

    /** A comment at the end of a block belongs to the block in whose column it stands. */
    private int levelOf(int column, int level, int next) {
        int open = (int) lastColumns.stream().filter(block -> block <= column).count() - 1;
        return next >= level ? next : Math.clamp(open, next, level);
    }

    private StringBuilder indented(int level) {
        return out.repeat(' ', level * LEVEL);
    }

    private void statement(List<Token> tokens, int level, int end) {
        Span all = tokens.getFirst().span().to(tokens.getLast().span());
        String comment = source.text().substring(all.end(), end).strip();
        String behind = comment.isEmpty() ? "" : "  " + comment;
        indented(level);
        if (keeps(tokens)) {
            out.append(source.text(), all.begin(), all.end());
        } else {
            lay(tokens, level, behind.length(), "");
        }
        out.append(behind).append('\n');
    }

    /** Returns true if there are comments between the tokens or line ends in them. */
    private boolean keeps(List<Token> tokens) {
        for (int i = 0; i < tokens.size(); i++) {
            Span own = tokens.get(i).span();
            int next = i + 1 < tokens.size() ? tokens.get(i + 1).span().begin() : own.end();
            if (source.text().substring(own.begin(), own.end()).indexOf('\n') >= 0
                    || source.text().substring(own.end(), next).indexOf('#') >= 0) {
                return true;
            }
        }
        return false;
    }

    /** Writes tokens on one line if they fit, else the parts of their last brackets on lines of their own. */
    private void lay(List<Token> tokens, int level, int behind, String around) {
        String line = TokenSpacing.line(source, tokens, around);
        int open = opening(tokens);
        boolean fits = level * LEVEL + line.length() + behind <= WIDTH;
        boolean wantsLines = open >= 0
                && tokens.size() > 1
                && tokens.get(tokens.size() - 2).is(",")
                && parts(tokens, open).size() > 1;
        if (open < 0 || open == tokens.size() - 2 || (fits && !wantsLines)) {
            out.append(line);
            return;
        }
        List<List<Token>> parts = parts(tokens, open);
        out.append(TokenSpacing.line(source, tokens.subList(0, open + 1), around))
                .append('\n');
        String separator = separates(tokens, open, parts) ? "," : "";
        for (List<Token> part : parts) {
            indented(level + 1);
            lay(part, level + 1, separator.length(), tokens.get(open).text());
            out.append(separator).append('\n');
        }
        indented(level);
        out.append(tokens.getLast().text());
    }

    /**
     * Returns true if a comma may stand behind the last part: a comprehension must have none, and one in brackets around a single
     * value, or an index, makes a tuple.
     */
    private static boolean separates(List<Token> tokens, int open, List<List<Token>> parts) {
        boolean comprehension = parts.getFirst().stream().anyMatch(token -> token.is("for"));
        boolean called = open > 0 && TokenSpacing.value(tokens.get(open - 1));
        boolean list = tokens.get(open).is("(") == called;
        return !comprehension
                && (parts.size() > 1 || list || tokens.get(tokens.size() - 2).is(","));
    }

    /** Returns the place of the bracket that the last token closes; -1 if it closes none. */
    private static int opening(List<Token> tokens) {
        int depth = 0;
        for (int i = tokens.size() - 1; i >= 0; i--) {
            depth += TokenSpacing.closes(tokens.get(i)) ? 1 : TokenSpacing.opens(tokens.get(i)) ? -1 : 0;
            if (depth == 0) {
                return i < tokens.size() - 1 ? i : -1;
            }
        }
        return -1;
    }

    private static List<List<Token>> parts(List<Token> tokens, int open) {
        List<List<Token>> parts = new ArrayList<>();
        List<Token> part = new ArrayList<>();
        int depth = 0;
        for (Token token : tokens.subList(open + 1, tokens.size() - 1)) {
            depth += TokenSpacing.opens(token) ? 1 : TokenSpacing.closes(token) ? -1 : 0;
            if (depth == 0 && token.is(",")) {
                parts.add(part);
                part = new ArrayList<>();
            } else {
                part.add(token);
            }
        }
        if (!part.isEmpty()) {
            parts.add(part);
        }
        return parts;
    }

    /** The tokens of a text without what the layout may change: places, and commas before a closing bracket. */
    private record Meaning(List<String> words) {
        static Meaning of(SourceText source) {
            return of(source, Lexer.tokens(source));
        }

        static Meaning of(SourceText source, List<Token> tokens) {
            List<String> words = new ArrayList<>();
            for (int i = 0; i < tokens.size(); i++) {
                Token token = tokens.get(i);
                boolean loose = token.is(",") && TokenSpacing.closes(tokens.get(i + 1));
                boolean blankLine = token.kind() == Kind.NEW_LINE
                        && (words.isEmpty() || words.getLast().equals("NEW_LINE"));
                if (!loose && !blankLine) {
                    words.add(word(source, token));
                }
            }
            return new Meaning(words);
        }

        private static String word(SourceText source, Token token) {
            return switch (token.kind()) {
                case NEW_LINE, INDENT, DEDENT, END -> token.kind().name();
                default ->
                    token.kind()
                            + source.text()
                                    .substring(
                                            token.span().begin(), token.span().end());
            };
        }
    }
}
