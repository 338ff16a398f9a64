package dev.trunkline.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.routing.catalog.Catalog;
import dev.trunkline.routing.catalog.QualifiedName;
import dev.trunkline.routing.catalog.Relation;
import dev.trunkline.routing.catalog.Relation.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LookupRelationsTest {

    private static final QualifiedName TENANTS = new QualifiedName("public", "tenants");
    private static final QualifiedName ORDERS = new QualifiedName("public", "orders");
    private static final QualifiedName VIEW = new QualifiedName("public", "mapping");
    private static final QualifiedName STORED = new QualifiedName("public", "stored_mapping");
    private static final QualifiedName PART = new QualifiedName("parts", "tenants_1");

    private final Map<QualifiedName, Relation> relations = new HashMap<>();

    LookupRelationsTest() {
        add(TENANTS, Kind.PARTITIONED_TABLE, List.of());
        add(ORDERS, Kind.TABLE, List.of());
        add(VIEW, Kind.VIEW, List.of());
        add(STORED, Kind.MATERIALIZED_VIEW, List.of());
        add(PART, Kind.TABLE, List.of(TENANTS));
    }

    private void add(QualifiedName name, Kind kind, List<QualifiedName> ancestors) {
        relations.put(
                name,
                new Relation(
                        name, kind, List.of(), List.of(), List.of(), ancestors, List.of(), List.of(), false, false));
    }

    private List<QualifiedName> faults(Set<String> omnisharded, QualifiedName... behind) {
        return LookupRelations.notOmnisharded(
                List.of(behind), new Catalog(1, 180000, relations, Map.of()), omnisharded);
    }

    @Test
    void tablesMustBeDeclared() {
        assertThat(faults(Set.of("tenants"), TENANTS, ORDERS)).containsExactly(ORDERS);
        assertThat(faults(Set.of(), TENANTS, ORDERS)).containsExactly(ORDERS, TENANTS);
    }

    @Test
    void aViewIsWhatItReads() {
        assertThat(faults(Set.of("tenants"), VIEW, TENANTS)).isEmpty();
        assertThat(faults(Set.of("mapping"), VIEW, ORDERS)).containsExactly(ORDERS);
    }

    @Test
    void aStoredViewHasRowsOfItsOwn() {
        assertThat(faults(Set.of("tenants"), STORED)).containsExactly(STORED);
        assertThat(faults(Set.of("stored_mapping"), STORED)).isEmpty();
    }

    @Test
    void aPartitionIsAsItsParent() {
        assertThat(faults(Set.of("tenants"), TENANTS, PART)).isEmpty();
    }

    @Test
    void whatTheCatalogDoesNotKnowMustBeDeclared() {
        QualifiedName created = new QualifiedName("public", "created_since");
        assertThat(faults(Set.of("tenants"), created)).containsExactly(created);
    }
}
