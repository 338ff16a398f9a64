"""What the checks of the Python drivers share."""

import sys
import traceback

PLACE = sys.argv[1]
SHARDED = PLACE == "sharded"
ITEMS = ["anvil", "rocket skates", "giant magnet"]
TENANTS = ["acme", "wayne-labs", "initech", "acme-tokyo", "wayne"]


class Checks:
    """Counts what differs."""

    def __init__(self):
        self.differences = 0

    def passed(self, name):
        print(f"ok: {name}", flush=True)

    def differs(self, name):
        self.differences += 1
        print(f"DIFFERS: {name}")
        print("  " + traceback.format_exc().replace("\n", "\n  "), flush=True)

    def end(self):
        if self.differences:
            print(f"{self.differences} differences")
            sys.exit(1)


def same(expected, actual):
    assert expected == actual, f"expected {expected!r}, got {actual!r}"
