# SPDX-License-Identifier: MIT
"""What a body and step cost phys2d, from a thousand bodies to a million.

Every size is played for as many steps, and begins as dense. Times are those of
the last steps (100, or half of them), medians over the runs."""
import argparse
from pathlib import Path

import measured

SIZES = (1_000, 10_000, 100_000, 1_000_000)
SCENES = {"pile_wide": "#0072b2", "swarm": "#e69f00", "gas": "#009e73"}


def parse_arguments():
    parser = argparse.ArgumentParser(prog="script/bench growth", description=__doc__)
    parser.add_argument("--programs", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="number of bodies")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--repetitions", type=int, default=3)
    return parser.parse_args()


def grow(program, size, steps, repetitions):
    """A row a scene: the scenes take turns."""
    turns = [[measured.play(program, scene, size, steps) for scene in SCENES]
             for _ in range(repetitions)]
    rows = []
    for scene, runs in zip(SCENES, zip(*turns)):
        figures = measured.medians(runs)
        rows.append({"scene": scene, "size": size, "steps": steps, "repetitions": repetitions,
                     "ns_a_body": 1e6 * figures["settled_ms"] / figures["moving"], **figures})
    return rows


def draw(tables, path):
    pyplot = measured.pyplot()
    if pyplot is None:
        return
    figure, axes = pyplot.subplots(layout="constrained", figsize=(7, 4.5))
    for rows in zip(*tables):
        scene = rows[0]["scene"]
        sizes = [row["size"] for row in rows]
        axes.plot(sizes, [row["ns_a_body"] for row in rows], "o-", color=SCENES[scene], label=scene)
    axes.set_xscale("log")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.set_ylim(bottom=0.0)
    axes.grid(axis="y", alpha=0.3)
    axes.set_xlabel("bodies")
    axes.set_ylabel("ns a body and step, one thread")
    axes.legend(frameon=False)
    axes.set_title("What a body costs as worlds grow")
    measured.save_chart(figure, path)


def main():
    arguments = parse_arguments()
    programs, _ = measured.read_programs(arguments.programs)
    print("ns a body and step\nbodies" + "".join(f"{scene:>12}" for scene in SCENES))
    tables = []
    for size in SIZES:
        if size > arguments.largest:
            break
        rows = grow(programs[measured.PHYS2D], size, arguments.steps, arguments.repetitions)
        tables.append(rows)
        print(f"{size:>9,}" + "".join(f"{row['ns_a_body']:>12.1f}" for row in rows), flush=True)
        measured.write_csv(arguments.out / "growth.csv", [row for rows in tables for row in rows])
    print(f"The figures are in {arguments.out / 'growth.csv'}.")
    draw(tables, arguments.out / "growth.svg")


if __name__ == "__main__":
    main()
