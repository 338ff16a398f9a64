package dev.trunkline.proxy.oracle;

import dev.trunkline.proxy.oracle.Pair.Difference;
import dev.trunkline.proxy.oracle.Worker.Found;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the script that leads to a difference short: leaves out ever smaller parts as long as the difference stays. */
final class Minimizer {

    private final Rig rig;
    private final Found found;
    private final long deadline;
    private List<Step> script;
    private Difference difference;

    Minimizer(Rig rig, Found found, Duration longest) {
        this.rig = rig;
        this.found = found;
        this.deadline = System.nanoTime() + longest.toNanos();
        this.script = found.script();
        this.difference = found.difference();
    }

    /** The shortest script found, and both answers at its end. */
    String shortest() {
        Difference again = replay(script);
        if (again == null) {
            return "it does not show when its worker is replayed alone";
        }
        int part = script.size() / 2;
        while (part > 0 && hasTime()) {
            shorten(part);
            part /= 2;
        }
        return "in " + script.size() + " steps, " + found.modes() + ":\n" + Worker.show(script)
                + difference.getMessage();
    }

    private boolean hasTime() {
        return System.nanoTime() < deadline;
    }

    /** The last step is the one that differs: it stays. */
    private void shorten(int part) {
        for (int end = script.size() - 1; end > 0 && hasTime(); end -= part) {
            List<Step> shorter = new ArrayList<>(script.subList(0, Math.max(0, end - part)));
            shorter.addAll(script.subList(end, script.size()));
            Difference same = replay(shorter);
            if (same != null) {
                script = shorter;
                difference = same;
            }
        }
    }

    private @Nullable Difference replay(List<Step> steps) {
        rig.empty();
        List<Pair> pairs = new ArrayList<>();
        found.modes().forEach(mode -> pairs.add(rig.pair(mode)));
        try {
            for (int i = 0; i < steps.size(); i++) {
                Step step = steps.get(i);
                try {
                    pairs.get(step.session()).run(step);
                } catch (Difference difference) {
                    // An earlier difference is another fault, made by leaving out too much.
                    boolean last = i == steps.size() - 1;
                    return last && difference.isLike(found.difference()) ? difference : null;
                }
            }
            return null;
        } finally {
            pairs.forEach(Pair::close);
        }
    }
}
