package dev.trunkline.routing.tree;

import java.util.ArrayList;
import java.util.List;

/** Lists of expressions. */
final class Expressions {

    private Expressions() {}

    static List<Expression> with(Expression first, List<Expression> others) {
        List<Expression> all = new ArrayList<>(others.size() + 1);
        all.add(first);
        all.addAll(others);
        return all;
    }

    static List<Expression> concat(List<Expression> one, List<Expression> other) {
        List<Expression> all = new ArrayList<>(one);
        all.addAll(other);
        return all;
    }
}
