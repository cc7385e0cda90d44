"""``python -m fuzz table 17`` repeats one seed; ``python -m fuzz array 0 500`` runs a range."""

import sys
import tempfile
from collections import Counter
from pathlib import Path

from fuzz.manners import Unmannerly
from fuzz.seeds import CHECKS


def main(what: str, first: int, end: int) -> int:
    outcomes: Counter = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, end):
            try:
                outcomes[CHECKS[what](seed, Path(folder))] += 1
            except Unmannerly as error:
                outcomes["unmannerly"] += 1
                print(f"{what} {seed}: {error}")
    print(dict(outcomes))
    return int(outcomes["unmannerly"] > 0)


if __name__ == "__main__":
    seeds = [int(number) for number in sys.argv[2:]]
    sys.exit(main(sys.argv[1], seeds[0], seeds[-1] + (len(seeds) == 1)))
