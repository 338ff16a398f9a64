package dev.trunkline.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.proxy.catalog.CatalogRows.Edge;
import dev.trunkline.proxy.catalog.CatalogRows.ForeignKeyRow;
import dev.trunkline.proxy.catalog.CatalogRows.FunctionRow;
import dev.trunkline.proxy.catalog.CatalogRows.RelationRow;
import dev.trunkline.routing.catalog.Catalog;
import dev.trunkline.routing.catalog.Function;
import dev.trunkline.routing.catalog.QualifiedName;
import dev.trunkline.routing.catalog.Relation;
import dev.trunkline.routing.catalog.Relation.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CatalogAssemblerTest {

    private static final int SERVER = 180_006;

    private final CatalogRows rows = CatalogRows.empty(SERVER);

    private static QualifiedName name(long oid) {
        return new QualifiedName("s", "r" + oid);
    }

    private void relation(long oid, Kind kind) {
        rows.relations().add(new RelationRow(oid, name(oid), kind, false, false));
    }

    private void tables(long... oids) {
        for (long oid : oids) {
            relation(oid, Kind.TABLE);
        }
    }

    private Relation assembled(long oid) {
        return new CatalogAssembler(rows).catalog(1).relations().get(name(oid));
    }

    @Test
    void carriesVersionAndServer() {
        Catalog catalog = new CatalogAssembler(rows).catalog(7);

        assertThat(catalog).isEqualTo(new Catalog(7, SERVER, Map.of(), Map.of()));
    }

    @Test
    void aCascadeReachesTheFamilyOfWhatItReaches() {
        // 1 <- 2 (child 3, child of 3 is 4); 4 is a child of 5, too; 6 refers to 4 with an action
        tables(1, 2, 3, 4, 5, 6);
        rows.parents().addAll(List.of(new Edge(3, 2), new Edge(4, 3), new Edge(4, 5)));
        rows.foreignKeys().addAll(List.of(new ForeignKeyRow(2, 1, true), new ForeignKeyRow(6, 4, true)));

        assertThat(assembled(1).cascadesTo()).containsExactlyInAnyOrder(name(2), name(3), name(4), name(5), name(6));
    }

    @Test
    void deletingThroughAParentCascadesFromItsChildren() {
        tables(1, 2, 3);
        rows.parents().add(new Edge(2, 1));
        rows.foreignKeys().add(new ForeignKeyRow(3, 2, true));

        assertThat(assembled(1).cascadesTo()).containsExactly(name(3));
    }

    @Test
    void anActionBehindAKeyWithoutOneIsNotReached() {
        tables(1, 2, 3);
        rows.foreignKeys().addAll(List.of(new ForeignKeyRow(2, 1, false), new ForeignKeyRow(3, 2, true)));

        assertThat(assembled(1).cascadesTo()).isEmpty();
        assertThat(assembled(1).referencedBy()).containsExactlyInAnyOrder(name(2), name(3));
    }

    @Test
    void aRingOfKeysEnds() {
        tables(1, 2, 3);
        rows.foreignKeys()
                .addAll(List.of(
                        new ForeignKeyRow(2, 1, true), new ForeignKeyRow(3, 2, true), new ForeignKeyRow(1, 3, true)));

        assertThat(assembled(1).cascadesTo()).containsExactlyInAnyOrder(name(2), name(3));
    }

    @Test
    void aLongChainOfViewsIsFollowed() {
        int length = 3_000;
        tables(1);
        rows.viewReads().add(new Edge(2, 1));
        relation(2, Kind.VIEW);
        for (long view = 3; view < length; view++) {
            relation(view, Kind.VIEW);
            rows.viewReads().add(new Edge(view, view - 1));
        }

        assertThat(assembled(length - 1).reads()).containsExactly(name(1));
    }

    @Test
    void relationsOfTheSystemDropOut() {
        relation(10, Kind.VIEW);
        tables(1);
        rows.viewReads().addAll(List.of(new Edge(10, 1259), new Edge(10, 1)));

        assertThat(assembled(10).reads()).containsExactly(name(1));
    }

    @Test
    void functionsOfOneNameHaveTheWorstOfEach() {
        QualifiedName name = new QualifiedName("s", "f");
        rows.functions().add(new FunctionRow(1, name, true, false));
        rows.functions().add(new FunctionRow(2, name, false, true));

        assertThat(new CatalogAssembler(rows).catalog(1).functions())
                .containsOnly(Map.entry(name, new Function(name, false, false)));
    }
}
