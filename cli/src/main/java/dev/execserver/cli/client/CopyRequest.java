package dev.execserver.cli.client;

import dev.execserver.cli.local.ConfigException;
import java.util.List;

/**
 * Arguments of {@code cp}.
 *
 * @param sources at least one; none of them is on the side of the target
 */
record CopyRequest(List<Operand> sources, Operand target, boolean recursive) {
    /** A path on one of the machines, as it was typed. */
    sealed interface Operand {
        /** The text after the colon. */
        record Remote(String path) implements Operand {}

        record Local(String path) implements Operand {}

        /** Standard input or output. */
        record Stream() implements Operand {}

        static Operand parse(String text) {
            if (text.equals("-")) {
                return new Stream();
            }
            return text.startsWith(":") ? new Remote(text.substring(1)) : new Local(text);
        }

        default boolean remote() {
            return this instanceof Remote;
        }
    }

    CopyRequest {
        sources = List.copyOf(sources);
    }

    static CopyRequest of(Arguments arguments) {
        List<String> operands = arguments.operands();
        if (operands.size() < 2) {
            throw ConfigException.usage("give a source and a target, one of them on the server with a colon in front:"
                    + " exec-server cp FILE :/DIRECTORY");
        }
        if (operands.stream().anyMatch(String::isEmpty)) {
            throw ConfigException.usage("a path is empty");
        }
        List<Operand> all = operands.stream().map(Operand::parse).toList();
        Operand target = all.getLast();
        List<Operand> sources = all.subList(0, all.size() - 1);
        if (sources.stream().anyMatch(source -> source.remote() == target.remote())) {
            throw ConfigException.usage(
                    target.remote()
                            ? "the target is on the server, so no source may be; copy there with: exec-server run -- cp"
                            : "the target is here, so every source must be on the server: write its path with a colon in"
                                    + " front, such as :/tmp/file");
        }
        if (sources.size() > 1 && all.contains(new Operand.Stream())) {
            throw ConfigException.usage("- stands for one file; give one source and one target");
        }
        return new CopyRequest(sources, target, arguments.has(ClientOption.RECURSIVE));
    }
}
