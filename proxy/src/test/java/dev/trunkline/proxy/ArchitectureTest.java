package dev.trunkline.proxy;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.trunkline.protocol.error.PgException;

/** The directions between packages and the few places where certain libraries may be seen; see docs/architecture.md. */
@AnalyzeClasses(packages = "dev.trunkline", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String OURS = "dev.trunkline..";
    private static final String CONF = "dev.trunkline.conf..";
    private static final String PROTOCOL = "dev.trunkline.protocol..";
    private static final String ROUTING = "dev.trunkline.routing..";
    private static final String LOOKUP = "dev.trunkline.lookup..";
    private static final String COPY = "dev.trunkline.copy..";
    private static final String HARNESS = "dev.trunkline.harness..";
    private static final String PROXY = "dev.trunkline.proxy..";
    private static final String FRONTEND = "dev.trunkline.proxy.frontend..";
    private static final String ENGINE = "dev.trunkline.proxy.engine..";
    private static final String POOL = "dev.trunkline.proxy.pool..";
    private static final String BACKEND = "dev.trunkline.proxy.backend..";
    private static final String ADMIN = "dev.trunkline.proxy.admin..";
    private static final String METRICS = "dev.trunkline.proxy.metrics..";

    // ---- modules

    @ArchTest
    static final ArchRule confSeesNothingOfOurs = ours(CONF);

    @ArchTest
    static final ArchRule protocolSeesNothingOfOurs = ours(PROTOCOL);

    @ArchTest
    static final ArchRule routingSeesConfAndProtocol = ours(ROUTING, CONF, PROTOCOL);

    @ArchTest
    static final ArchRule lookupSeesConfProtocolAndRouting = ours(LOOKUP, CONF, PROTOCOL, ROUTING);

    @ArchTest
    static final ArchRule copySeesConfProtocolAndRouting = ours(COPY, CONF, PROTOCOL, ROUTING);

    @ArchTest
    static final ArchRule theHarnessSeesProtocol = ours(HARNESS, PROTOCOL);

    // ---- packages

    @ArchTest
    static final ArchRule noPackageCycles =
            slices().matching("dev.trunkline.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theBackendServesThePool = blind(BACKEND, POOL, ENGINE, FRONTEND);

    @ArchTest
    static final ArchRule thePoolServesTheEngine = blind(POOL, ENGINE, FRONTEND);

    @ArchTest
    static final ArchRule theEngineServesTheFrontend = blind(ENGINE, FRONTEND);

    @ArchTest
    static final ArchRule theFrontendReachesServersThroughTheEngine = blind(FRONTEND, BACKEND);

    @ArchTest
    static final ArchRule nobodySeesAdmin = noClasses()
            .that(resideInAPackage(PROXY).and(DescribedPredicate.not(resideInAnyPackage(ADMIN, "dev.trunkline.proxy"))))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ADMIN)
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule metricsListen = noClasses()
            .that(resideInAPackage(PROXY)
                    .and(DescribedPredicate.not(resideInAnyPackage(METRICS, ADMIN, "dev.trunkline.proxy"))))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(METRICS)
            .allowEmptyShould(true);

    // ---- libraries

    @ArchTest
    static final ArchRule nettyChannelsOnlyInTheAdapter = noClasses()
            .that(resideInAPackage(OURS).and(DescribedPredicate.not(resideInAPackage("dev.trunkline.proxy.net.."))))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty.channel..", "io.netty.handler..", "io.vertx.core.internal..");

    @ArchTest
    static final ArchRule nettyBuffersOnlyInTheProxy = noClasses()
            .that(resideInAPackage(OURS).and(DescribedPredicate.not(resideInAnyPackage(PROXY, HARNESS))))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.netty..");

    @ArchTest
    static final ArchRule noVertxWhereAllIsPure = noClasses()
            .that()
            .resideInAnyPackage(PROTOCOL, ROUTING, "dev.trunkline.copy.format..", "dev.trunkline.copy.split..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.vertx..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule theSqlParserOnlyBehindItsAdapter = noClasses()
            .that(resideInAPackage(OURS).and(DescribedPredicate.not(resideInAPackage("dev.trunkline.routing.sql.."))))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("net.sf.jsqlparser..");

    @ArchTest
    static final ArchRule errorsAreMadeInTheirFactories = noClasses()
            .that()
            .haveSimpleNameNotEndingWith("Errors")
            .and()
            .areNotAssignableTo(PgException.class)
            .should()
            .callConstructorWhere(describe(
                    "it makes a PgException",
                    (JavaConstructorCall call) -> call.getTargetOwner().isEquivalentTo(PgException.class)));

    /** Classes of a module depend, as far as ours are concerned, on the module itself and on the given ones. */
    private static ArchRule ours(String module, String... allowed) {
        DescribedPredicate<JavaClass> forbidden = resideInAPackage(OURS)
                .and(DescribedPredicate.not(resideInAPackage(module)))
                .and(DescribedPredicate.not(resideInAnyPackage(allowed)));
        return noClasses()
                .that()
                .resideInAPackage(module)
                .should(dependOnClassesThat(forbidden))
                .allowEmptyShould(true);
    }

    private static ArchRule blind(String from, String... unseen) {
        return noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(unseen)
                .allowEmptyShould(true);
    }
}
