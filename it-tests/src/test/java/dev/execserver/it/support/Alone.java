package dev.execserver.it.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Test class that must have the machine to itself: it measures memory, or keeps all processors busy for long. All other
 * classes run two at a time, each half in a JVM of its own, so they must bear other servers of the same user beside them.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("alone")
public @interface Alone {}
