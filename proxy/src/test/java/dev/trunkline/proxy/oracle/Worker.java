package dev.trunkline.proxy.oracle;

import dev.trunkline.proxy.oracle.Pair.Difference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;

/** Some sessions in one thread, step by step, until time is up or the first difference. */
final class Worker implements Callable<Void>, AutoCloseable {

    /** How much of a script is shown beside a difference. */
    private static final int SHOWN_STEPS = 25;

    private final Rig rig;
    private final Traffic traffic;
    private final BooleanSupplier goesOn;
    private final List<Mode> modes;
    private final List<Pair> pairs = new ArrayList<>();
    private final List<Step> script = new ArrayList<>();

    Worker(Rig rig, World world, List<Mode> modes, BooleanSupplier goesOn) {
        this.rig = rig;
        this.traffic = new Traffic(world, Menu.full(), modes);
        this.goesOn = goesOn;
        this.modes = List.copyOf(modes);
        modes.forEach(mode -> pairs.add(rig.pair(mode)));
    }

    @Override
    public Void call() {
        while (goesOn.getAsBoolean()) {
            Step step = traffic.next(pairs.stream().map(Pair::block).toList());
            script.add(step);
            try {
                pairs.get(step.session()).run(step);
            } catch (Difference difference) {
                throw new Found(rig, modes, List.copyOf(script), difference);
            }
            traffic.succeeded(step);
        }
        return null;
    }

    /** Ends every transaction: what is not committed by now is undone on both sides. */
    @Override
    public void close() {
        pairs.forEach(Pair::close);
    }

    /** A difference, and how it came about. */
    static final class Found extends AssertionError {

        private static final long serialVersionUID = 1;

        private final transient List<Mode> modes;
        private final transient List<Step> script;
        private final transient Difference difference;

        Found(Rig rig, List<Mode> modes, List<Step> script, Difference difference) {
            super(
                    "step " + script.size() + ", " + rig + "\n" + difference.getMessage() + "\nthe steps before, "
                            + modes + ":\n" + show(script),
                    difference);
            this.modes = modes;
            this.script = script;
            this.difference = difference;
        }

        List<Mode> modes() {
            return modes;
        }

        List<Step> script() {
            return script;
        }

        Difference difference() {
            return difference;
        }
    }

    /** The last steps of a script, one a line. */
    static String show(List<Step> script) {
        StringBuilder text = new StringBuilder();
        int from = Math.max(0, script.size() - SHOWN_STEPS);
        for (Step step : script.subList(from, script.size())) {
            text.append("  session ").append(step.session()).append(": ");
            if (step instanceof Step.Ask ask) {
                text.append(ask.request());
            } else if (step instanceof Step.Vanish vanish) {
                text.append(vanish.way()).append(vanish.unanswered() == null ? "" : " after " + vanish.unanswered());
            }
            text.append('\n');
        }
        return text.toString();
    }
}
