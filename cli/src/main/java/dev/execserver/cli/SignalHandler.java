package dev.execserver.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces what the JVM does on a signal. Nothing supported can: a shutdown hook does not know which signal came, and
 * cannot go on. So this uses {@code sun.misc.Signal}, which JEP 260 keeps for want of another way; by reflection, because
 * the compiler warns about it and cannot be told not to. Without it the signal keeps its effect. Stateless.
 */
public final class SignalHandler {
    private static final Logger LOG = LoggerFactory.getLogger(SignalHandler.class);

    private SignalHandler() {}

    /**
     * Runs the work on each arrival of the signal, on a thread of the JVM.
     *
     * @param name without SIG: {@code HUP}
     * @return false if the signal keeps its effect
     */
    public static boolean install(String name, Runnable work) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler calls = (proxy, method, arguments) -> switch (method.getName()) {
                case "handle" -> {
                    work.run();
                    yield null;
                }
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "SignalHandler[" + name + "]";
            };
            Object ours = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, calls);
            Object _ = signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
            return true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.debug("SIG{} keeps its effect", name, e);
            return false;
        }
    }
}
