package dev.execserver;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * The arrows and the laws of the architecture, for the main classes of every room. A rule that has to give way is changed here, with the reason beside it.
 */
@AnalyzeClasses(packages = "dev.execserver", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String PROTOCOL = "dev.execserver.protocol..";
    private static final String SANDBOX = "dev.execserver.sandbox..";
    private static final String HELPER = "dev.execserver.helper..";
    private static final String SERVER = "dev.execserver.server..";
    private static final String CLIENT = "dev.execserver.client..";
    private static final String BINDINGS = "dev.execserver.sandbox.linux..";
    private static final String DESCRIPTORS = "dev.execserver.sandbox.io..";
    private static final String SPAWN = "dev.execserver.sandbox.spawn..";
    private static final String TREE = "dev.execserver.sandbox.tree..";
    private static final String PROCESS = "dev.execserver.server.process..";
    private static final String HELPER_CHANNEL = "dev.execserver.server.helper..";
    private static final String TRANSPORT = "dev.execserver.server.transport..";
    private static final String SERVER_COMMANDS = "dev.execserver.server.cli..";
    private static final String CLI = "dev.execserver.cli..";
    private static final String CLIENT_COMMANDS = "dev.execserver.cli.client..";

    // Arrows: server -> helper -> sandbox -> protocol, and server -> cli -> client -> protocol, and cli -> sandbox.

    @ArchTest
    static final ArchRule protocolKnowsNoOtherRoom = noClasses()
            .that(resideInAPackage(PROTOCOL))
            .should()
            .dependOnClassesThat(resideInAnyPackage(SANDBOX, HELPER, CLI, SERVER));

    @ArchTest
    static final ArchRule sandboxKnowsNeitherHelperNorServer = noClasses()
            .that(resideInAPackage(SANDBOX))
            .should()
            .dependOnClassesThat(resideInAnyPackage(HELPER, CLI, SERVER));

    @ArchTest
    static final ArchRule helperDoesNotKnowTheServer =
            noClasses().that(resideInAPackage(HELPER)).should().dependOnClassesThat(resideInAnyPackage(CLI, SERVER));

    @ArchTest
    static final ArchRule clientKnowsTheProtocolOnly = noClasses()
            .that(resideInAPackage(CLIENT))
            .should()
            .dependOnClassesThat(resideInAnyPackage(SANDBOX, HELPER, CLI, SERVER));

    @ArchTest
    static final ArchRule theCommandLineDoesNotKnowTheServer =
            noClasses().that(resideInAPackage(CLI)).should().dependOnClassesThat(resideInAnyPackage(HELPER, SERVER));

    /** docs/decisions/0006-command-line-client.md */
    @ArchTest
    static final ArchRule theClientIsKnownToTheClientCommandsOnly = noClasses()
            .that(not(resideInAnyPackage(CLIENT, CLIENT_COMMANDS)))
            .should()
            .dependOnClassesThat(resideInAPackage(CLIENT));

    /** They are loaded when they are wanted. Main names the list of them. */
    @ArchTest
    static final ArchRule theServerDoesNotNeedTheClientCommands = noClasses()
            .that(not(resideInAPackage(CLIENT_COMMANDS)))
            .and()
            .doNotHaveFullyQualifiedName("dev.execserver.server.Main")
            .should()
            .dependOnClassesThat(resideInAPackage(CLIENT_COMMANDS));

    /** Each package for itself: a package and one below it are two, and may know each other in one direction only. */
    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.execserver.(**)").should().beFreeOfCycles();

    /** Processes and helpers know plans and outcomes. What builds a sandbox is wired and chosen in one room of the server. */
    @ArchTest
    static final ArchRule bubblewrapIsKnownToTheSandboxesOfTheServerOnly = noClasses()
            .that(resideInAPackage(SERVER))
            .and()
            .resideOutsideOfPackage("dev.execserver.server.sandbox..")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.execserver.sandbox.bwrap.."));

    // Libraries stay where they belong.

    @ArchTest
    static final ArchRule helidonIsKnownToTheTransportOnly = noClasses()
            .that(not(resideInAPackage(TRANSPORT)))
            .should()
            .dependOnClassesThat(resideInAPackage("io.helidon.."));

    /** It is optional: programs without it use the rest of the client. */
    @ArchTest
    static final ArchRule theMcpSdkIsKnownToItsTransportOnly = noClasses()
            .that(not(resideInAPackage("dev.execserver.client.mcp..")))
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "io.modelcontextprotocol..", "reactor..", "org.reactivestreams..", "dev.execserver.client.mcp.."));

    @ArchTest
    static final ArchRule jsonIsReadAndWrittenWithoutDataBinding = noClasses()
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage("com.fasterxml.jackson.databind..", "com.fasterxml.jackson.annotation.."));

    @ArchTest
    static final ArchRule pty4jIsKnownToTheProcessLayerOnly = noClasses()
            .that(not(resideInAPackage(PROCESS)))
            .should()
            .dependOnClassesThat(resideInAnyPackage("com.pty4j..", "com.sun.jna.."));

    // Processes and the kernel.

    /**
     * The JDK's streams block virtual threads in native code, and its reaper takes exits that are not its own. The client
     * runs in programs of others and has no spawner; the command line runs one command of its user, which writes a token.
     */
    @ArchTest
    static final ArchRule processesAreStartedByOurSpawnerAndNeverByTheJdk = noClasses()
            .that(not(resideInAPackage(CLIENT)))
            .and(not(simpleName("TokenCommand")))
            .should()
            .dependOnClassesThat(belongToAnyOf(Process.class, ProcessBuilder.class)
                    .or(describe("pty4j's process", type -> type.getName().startsWith("com.pty4j.PtyProcess"))));

    @ArchTest
    static final ArchRule theKernelIsCalledFromOnePackage = noClasses()
            .that(not(resideInAPackage(BINDINGS)))
            .should()
            .dependOnClassesThat(resideInAPackage("java.lang.foreign..").and(not(buffers())));

    /** The two layers that move bytes between descriptors and their own native buffers; nobody above them. */
    @ArchTest
    static final ArchRule nativeMemoryIsSeenByTheProcessLayerOnly = noClasses()
            .that(not(resideInAnyPackage(BINDINGS, DESCRIPTORS, SPAWN, TREE, PROCESS, HELPER_CHANNEL)))
            .should()
            .dependOnClassesThat(resideInAPackage("java.lang.foreign.."));

    // Threads and streams.

    /** Named, daemon or not, by decision: a class called Threads makes them. The command line may make its few own. */
    @ArchTest
    static final ArchRule threadsComeFromNamedFactories = noClasses()
            .that(not(resideInAnyPackage(SERVER_COMMANDS, CLI)))
            .and()
            .haveSimpleNameNotEndingWith("Threads")
            .should()
            .callCodeUnitWhere(makesThreads());

    /** Without an executor these run on the common pool, which nobody named or bounded. */
    @ArchTest
    static final ArchRule nothingRunsOnTheCommonPool = noClasses().should().callCodeUnitWhere(runsOnCommonPool());

    /** stdout carries the URL line or the protocol. Who may write there is listed. */
    @ArchTest
    static final ArchRule standardStreamsAreUsedByTheirOwnersOnly = noClasses()
            .that(not(resideInAnyPackage(SERVER_COMMANDS, CLI)))
            .and()
            .haveSimpleNameNotStartingWith("Stdio")
            .and()
            .haveSimpleNameNotEndingWith("Main")
            .should(ACCESS_STANDARD_STREAMS);

    private static DescribedPredicate<JavaClass> buffers() {
        return belongToAnyOf(MemorySegment.class, Arena.class, ValueLayout.class);
    }

    private static DescribedPredicate<JavaCall<?>> makesThreads() {
        Set<String> ofThread = Set.of("<init>", "ofPlatform", "ofVirtual", "startVirtualThread");
        return describe(
                "makes threads",
                call -> isOwnedBy(call, Executors.class)
                        || (isOwnedBy(call, Thread.class)
                                && ofThread.contains(call.getTarget().getName())));
    }

    private static DescribedPredicate<JavaCall<?>> runsOnCommonPool() {
        Set<String> withDefaults =
                Set.of("runAsync", "supplyAsync", "thenRunAsync", "thenAcceptAsync", "thenApplyAsync");
        return describe(
                "runs on the common pool",
                call -> isOwnedBy(call, CompletableFuture.class)
                        && withDefaults.contains(call.getTarget().getName())
                        && lacksExecutor(call.getTarget()));
    }

    private static boolean lacksExecutor(CodeUnitCallTarget target) {
        return target.getRawParameterTypes().stream().noneMatch(parameter -> parameter.isEquivalentTo(Executor.class));
    }

    private static boolean isOwnedBy(JavaCall<?> call, Class<?> owner) {
        return call.getTargetOwner().isEquivalentTo(owner);
    }
}
