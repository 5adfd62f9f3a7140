package dev.execserver.server.helper;

import dev.execserver.helper.fs.ProtectedPlaces.Kind;
import dev.execserver.helper.fs.ProtectedPlaces.Place;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.Rule;
import java.util.List;
import java.util.stream.Stream;

/** Lists the places that a helper's view protects. Stateless. */
final class HelperPlaces {
    /** Largest number of places that only explain errors. Errors at further places get the kernel's text. */
    private static final int MAX_EXPLAINED = 256;

    private HelperPlaces() {}

    /** @param refused names that the helper must refuse; all of them are listed */
    static List<Place> of(ResolvedPolicy policy, List<LinuxPath> refused) {
        Stream<Place> explained = policy.rules().stream()
                .filter(rule -> !rule.missing() && !rule.path().isRoot())
                .map(rule -> new Place(kind(rule), rule.path().bytes()))
                .limit(MAX_EXPLAINED);
        Stream<Place> links = policy.guardedLinks().stream()
                .map(link -> new Place(Kind.PROTECTED, link.path().bytes()));
        Stream<Place> own = refused.stream().map(path -> new Place(Kind.REFUSED, path.bytes()));
        return Stream.of(own, links, explained).flatMap(each -> each).toList();
    }

    private static Kind kind(Rule rule) {
        return switch (rule.access()) {
            case READ -> Kind.PROTECTED;
            case DENY -> Kind.DENIED;
            case WRITE -> Kind.HELD;
        };
    }
}
