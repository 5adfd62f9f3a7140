package dev.execserver.server.cli.admin;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Actions of the command. */
enum AdminAction {
    STATUS("status", false, List.of()),
    SESSIONS("sessions", false, List.of()),
    PROCESSES("processes", false, List.of()),
    /** Processes again and again. */
    TOP("processes", false, List.of()),
    KILL("kill", true, List.of("session", "process")),
    END_SESSION("end-session", true, List.of("session")),
    ALLOW_APPROVER("allow-approver", true, List.of("session")),
    DRAIN("drain", true, List.of("limit")),
    RELOAD("reload", true, List.of());

    private final String page;
    private final boolean acts;
    private final List<String> members;

    AdminAction(String page, boolean acts, List<String> members) {
        this.page = page;
        this.acts = acts;
        this.members = members;
    }

    static Optional<AdminAction> named(String word) {
        for (AdminAction each : values()) {
            if (each.word().equals(word)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** Returns its name on the command line. */
    String word() {
        return this == TOP ? "top" : page;
    }

    String usage() {
        return members.isEmpty()
                ? word()
                : word() + " " + String.join(" ", members).toUpperCase(Locale.ROOT);
    }

    String method() {
        return acts ? "POST" : "GET";
    }

    /** Returns the target of the request; empty if the number of arguments is wrong. */
    Optional<String> target(List<String> arguments, boolean json) {
        if (arguments.size() != members.size()) {
            return Optional.empty();
        }
        List<String> query = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            query.add(members.get(i) + "=" + URLEncoder.encode(arguments.get(i), StandardCharsets.UTF_8));
        }
        if (!json && !acts) {
            query.add("format=text");
        }
        return Optional.of("/admin/" + page + (query.isEmpty() ? "" : "?" + String.join("&", query)));
    }
}
