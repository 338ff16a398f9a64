package dev.trunkline.conf.load;

/** Something that must hold between several keys of a configuration. */
interface Rule {

    /** Records what does not hold; sections that have a fault of their own are left out. */
    void check(Draft draft, Faults faults);
}
