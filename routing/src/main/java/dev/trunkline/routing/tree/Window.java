package dev.trunkline.routing.tree;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A window: in OVER, or defined in a WINDOW clause.
 *
 * @param name the name that is defined or used; null for an anonymous one
 * @param partitionBy what it partitions by
 * @param others what stands in ORDER BY and in the frame
 */
public record Window(@Nullable String name, List<Expression> partitionBy, List<Expression> others) {

    List<Expression> expressions() {
        List<Expression> all = new ArrayList<>(partitionBy);
        all.addAll(others);
        return all;
    }
}
