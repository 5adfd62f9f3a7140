package dev.execserver.server.app;

import dev.execserver.protocol.permissions.PermissionProfile;

/** The sandbox that a command asks for. */
sealed interface Confinement {

    /** No sandbox, which only the operator's floor can refuse. */
    record None() implements Confinement {}

    /** The profile of commands that name none. */
    record Standard() implements Confinement {}

    /** A profile with a name; its workspace is the command's directory. */
    record Named(String id) implements Confinement {}

    /** A profile from the request; its workspace is the command's directory. */
    record Given(PermissionProfile profile) implements Confinement {}

    /** A legacy policy; its workspace is the server's directory. */
    record Policy(PermissionProfile profile) implements Confinement {}
}
