package dev.trunkline.proxy.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The statements that may be asked for, each with its weight. */
final class Menu {

    /** What a statement does, as far as the transaction around it must care. */
    enum Use {
        READ,
        /** A read whose key is translated. */
        READ_TRANSLATED,
        LOCK,
        WRITE_TENANT,
        WRITE_EVENT,
        WRITE_SENSOR,
        WRITE_DOC,
        WRITE_LABEL,
        /** By a list of keys, which may lie on one shard or on several. */
        WRITE_LIST,
        /** On every shard. */
        WRITE_SEVERAL_SHARDS,
        WRITE_SETTINGS,
        WRITE_TENANTS_TABLE,
        /** May leave something behind on its server: not within transactions. */
        ALONE;

        boolean isRead() {
            return this == READ || this == READ_TRANSLATED;
        }

        /** It stays on the shard that a transaction about this writes. */
        boolean isAtHome(World.Home home) {
            return switch (home) {
                case TENANT -> this == WRITE_TENANT || this == LOCK;
                case EVENT -> this == WRITE_EVENT;
                case SENSOR -> this == WRITE_SENSOR;
                case DOC -> this == WRITE_DOC;
                case LABEL -> this == WRITE_LABEL;
                case TENANTS_TABLE -> this == WRITE_TENANTS_TABLE;
            };
        }
    }

    /** Makes a request, or null when the world has nothing that fits. */
    interface Maker {
        @Nullable
        Request make(World world);
    }

    record Dish(Use use, int weight, Maker maker) {}

    private final List<Dish> dishes = new ArrayList<>();

    /** All that there is. */
    static Menu full() {
        Menu menu = new Menu();
        Reads.addTo(menu);
        Joins.addTo(menu);
        Writes.addTo(menu);
        PlainKeys.addTo(menu);
        Omnisharded.addTo(menu);
        Failures.addTo(menu);
        Refusals.addTo(menu);
        return menu;
    }

    void add(Use use, int weight, Maker maker) {
        dishes.add(new Dish(use, weight, maker));
    }

    /** One of the dishes that fit, by weight. */
    Dish pick(Dice dice, Predicate<Use> fits) {
        int total = 0;
        for (Dish dish : dishes) {
            total += fits.test(dish.use) ? dish.weight : 0;
        }
        int left = dice.below(total);
        for (Dish dish : dishes) {
            left -= fits.test(dish.use) ? dish.weight : 0;
            if (left < 0) {
                return dish;
            }
        }
        throw new IllegalStateException();
    }
}
