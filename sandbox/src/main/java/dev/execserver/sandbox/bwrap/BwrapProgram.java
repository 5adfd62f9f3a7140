package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.resolve.LinuxPath;
import dev.execserver.sandbox.spawn.Launch;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * A bubblewrap that can be used.
 *
 * @param path canonical; what lies there now need not be what is run
 * @param launch how it is started
 * @param origin where it was found
 * @param version what it calls itself, for people only
 * @param features the options beyond what is required that its help text lists
 */
public record BwrapProgram(LinuxPath path, Launch launch, Origin origin, String version, Set<Feature> features) {
    /** Who put it there. */
    public enum Origin {
        /** Named by the operator. */
        OPTION,
        /** On the server's PATH. */
        SYSTEM,
        /** Beside the server, with a recorded digest. */
        BUNDLED
    }

    /** What only newer releases have. */
    public enum Feature {
        /** 0.9.0: the name that the command sees. */
        ARGV0,
        /** 0.7.0: the size of what is mounted from memory. */
        SIZE,
        /** Mounts from open descriptors. */
        BIND_FD,
        RO_BIND_FD;

        String option() {
            return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public BwrapProgram {
        features = Set.copyOf(features);
    }

    public boolean has(Feature feature) {
        return features.contains(feature);
    }

    /** The features that a help text lists. */
    static Set<Feature> featuresIn(String help) {
        Set<Feature> features = EnumSet.noneOf(Feature.class);
        for (Feature feature : Feature.values()) {
            if (lists(help, feature.option())) {
                features.add(feature);
            }
        }
        return features;
    }

    /** Whole words only: {@code --perms} is not found in {@code --permsx}. */
    static boolean lists(String help, String option) {
        for (int at = help.indexOf(option); at >= 0; at = help.indexOf(option, at + 1)) {
            int end = at + option.length();
            if (end == help.length() || Character.isWhitespace(help.charAt(end))) {
                return true;
            }
        }
        return false;
    }
}
