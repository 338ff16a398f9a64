package dev.trunkline.proxy.oracle;

import java.util.List;

/**
 * What a client asks for before it waits for the answer.
 *
 * @param statements more than one only for a pipeline or a string of statements
 * @param ordered the order of the rows is the same on every server
 * @param promised the proxy must not refuse it
 */
record Request(Form form, How how, List<Sql> statements, boolean ordered, boolean promised) {

    enum How {
        /** One statement by the protocol of the session. */
        ALONE,
        /** BEGIN, COMMIT and the like, which a driver may carry out by its own means. */
        CONTROL,
        /** Several statements before one Sync. */
        PIPELINE,
        /** Several statements in one Query. */
        STRING
    }

    static Request of(Form form, Sql sql) {
        return new Request(form, How.ALONE, List.of(sql), false, form.isPromised());
    }

    static Request control(Form form, Sql sql) {
        return new Request(form, How.CONTROL, List.of(sql), false, form.isPromised());
    }

    /** The same; its rows come in order. */
    Request inOrder() {
        return new Request(form, how, statements, true, promised);
    }

    /** The same, under another form, save those that the proxy judges by itself; what was not promised stays so. */
    Request under(Form other) {
        boolean judged = form == Form.NULL_KEY || form == Form.UNMAPPED_KEY;
        return new Request(judged ? form : other, how, statements, ordered, promised && other.isPromised());
    }

    /** The first, or only, statement. */
    Sql sql() {
        return statements.get(0);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(form.name()).append(how == How.ALONE ? "" : " " + how);
        statements.forEach(sql -> text.append("  ").append(sql));
        return text.toString();
    }
}
