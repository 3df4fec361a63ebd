# SPDX-License-Identifier: MIT
"""Plays the same scenes in phys2d and in other engines, and tells times and quality of each.

The engines take turns on a scene, so that whatever slows the machine down slows all of them. Times
are medians over the runs: of the median step of a phase, of the mean and the worst of all steps,
and of the rays after each of the last ten steps. Ratios are medians of the ratios within
a turn."""
import argparse
import math
import statistics
from pathlib import Path

import measured

SMOKE_STEPS = 60
PHASES = {"falling": "first half of the steps", "settled": "last 100 steps"}
TIMES = (*PHASES, "mean", "worst", "rays")
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7")  # told apart by the colour-blind too
TICKS = (1, 2, 5, 10, 15, 30, 60, 100)
HEADER = (f"{'scene (moving bodies)':<26}{'engine':<17}"
          + "".join(f"{f'{time} ms':>12}{'ratio':>7}" for time in TIMES)
          + f"{'contacts':>10}{'penetration mm':>18}  at the end")


def parse_arguments():
    parser = argparse.ArgumentParser(prog="script/bench peers", description=__doc__)
    parser.add_argument("--programs", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--scenes", type=lambda text: text.split(","), help="for example pile,gas")
    parser.add_argument("--engines", type=lambda text: text.split(","), default=[],
                        help="only these beside phys2d, for example box2d_3")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--smoke", action="store_true",
                        help="small scenes, once: do the engines agree about what there is?")
    return parser.parse_args()


def choose(arguments, programs):
    """The engines and the scenes that are asked for."""
    listed = measured.call(programs[measured.PHYS2D], "--list")
    scenes = {row["scene"]: row for row in listed}
    unknown = [name for name in arguments.engines if name not in programs]
    unknown += [name for name in arguments.scenes or [] if name not in scenes]
    if unknown:
        raise SystemExit(f"There is no {' and no '.join(unknown)}. "
                         f"Engines: {', '.join(programs)}. Scenes: {', '.join(scenes)}.")
    engines = {name: path for name, path in programs.items()
               if name == measured.PHYS2D or not arguments.engines or name in arguments.engines}
    return engines, [scenes[name] for name in arguments.scenes or scenes]


def compare(engines, scene, size, steps, repetitions):
    """A row of figures for each engine, phys2d's first."""
    turns = [[measured.play(path, scene, size, steps) for path in engines.values()]
             for _ in range(repetitions)]
    rows = []
    for runs in zip(*turns):
        row = {"scene": scene, "size": size, "steps": steps, "repetitions": repetitions}
        row.update(measured.medians(runs))
        for time in TIMES:
            row[f"{time}_ratio"] = statistics.median(
                run[f"{time}_ms"] / turn[0][f"{time}_ms"] for run, turn in zip(runs, turns))
        rows.append(row)
    return rows


def flaws(rows):
    """What cannot be true of engines that play the same scene."""
    for row in rows:
        who = f"{row['engine']}, {row['scene']}"
        if (row["bodies"], row["moving"]) != (rows[0]["bodies"], rows[0]["moving"]):
            yield f"{who}: not as many bodies as in {rows[0]['engine']}"
        if not row["penetration_mean_mm"] < 300.0:
            yield f"{who}: bodies overlap by more than 30 cm on average"
        if abs(row["rays_hit"] - rows[0]["rays_hit"]) > 0.2:
            yield f"{who}: rays hit more or less often than in {rows[0]['engine']}"
        if row["energy_left"] > 1.05:
            yield f"{who}: energy comes from nowhere"


def ratio_of(row, time, is_first):
    """Of a peer to the first engine, which has none."""
    return "" if is_first else f"{row[f'{time}_ratio']:.1f}"


def table_lines(rows):
    for row in rows:
        is_first = row is rows[0]
        scene = f"{row['scene']} ({row['moving']:,.0f})" if is_first else ""
        times = "".join(f"{row[f'{time}_ms']:>12.3f}{ratio_of(row, time, is_first):>7}"
                        for time in TIMES)
        penetration = f"{row['penetration_mean_mm']:.2f} / {row['penetration_max_mm']:.1f}"
        rest = (f"{row['rms_speed']:.2g} m/s" if math.isnan(row["energy_left"])
                else f"energy {row['energy_left']:.1%}")
        lost = f", {row['lost']:,.0f} lost" if row["lost"] > 0 else ""
        yield (f"{scene:<26}{row['engine']:<17}{times}{row['contacts']:>10,.0f}{penetration:>18}"
               f"  {rest}{lost}")


def draw(tables, path):
    """Bars of the ratios: a panel a phase, a group a scene, a bar a peer."""
    pyplot = measured.pyplot()
    if pyplot is None:
        return
    peers = list(dict.fromkeys(row["engine"] for rows in tables for row in rows[1:]))
    colours = dict(zip(peers, COLOURS))
    lines = sum(len(rows) for rows in tables)
    figure, panels = pyplot.subplots(1, 2, sharex=True, sharey=True, layout="constrained",
                                     figsize=(11, 1.5 + 0.21 * lines))
    for axes, phase in zip(panels, ("falling", "settled")):
        draw_scale(axes)
        draw_bars(axes, tables, colours, f"{phase}_ratio")
        axes.set_title(f"{phase}: {PHASES[phase]}")
    label_scenes(panels[0], tables)
    figure.suptitle("Time of a step, as a multiple of phys2d's", size=14)
    figure.legend(handles=[pyplot.Rectangle((0, 0), 1, 1, color=colours[peer], label=peer)
                           for peer in peers],
                  loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=len(peers), frameon=False)
    measured.save_chart(figure, path)


def draw_scale(axes):
    """Logarithmic: twice as fast is as far from 1 as half as fast."""
    axes.set_xscale("log")
    axes.set_xticks(TICKS, [f"{tick}×" for tick in TICKS])
    axes.minorticks_off()
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    for ratio, style in ((1, "-"), (10, "--"), (15, ":")):
        axes.axvline(ratio, color="black", linestyle=style, linewidth=0.9, zorder=0)


def draw_bars(axes, tables, colours, column):
    line = 0
    for rows in tables:
        for row in rows[1:]:
            ratio = row[column]
            axes.barh(line, ratio - 1.0, 0.85, left=1.0, color=colours[row["engine"]])
            axes.annotate(f"{ratio:.1f}", (max(ratio, 1.0), line), (4, 0), va="center", size=8,
                          textcoords="offset points",
                          bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5})
            line += 1
        line += 1  # a gap between groups
    axes.set_ylim(line - 1.4, -0.6)
    ratios = [row[column] for rows in tables for row in rows]
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, 0.8 * min(ratios)), max(high, 1.4 * max(ratios)))


def label_scenes(axes, tables):
    starts = [sum(len(rows) for rows in tables[:i]) for i in range(len(tables))]
    labels = [f"{rows[0]['scene']} ({rows[0]['moving']:,.0f})\n"
              f"{rows[0]['falling_ms']:.2f} | {rows[0]['settled_ms']:.2f} ms" for rows in tables]
    axes.set_yticks([start + (len(rows) - 2) / 2 for start, rows in zip(starts, tables)], labels)
    axes.set_ylabel("scene (moving bodies), and phys2d's time: falling | settled")


def main():
    arguments = parse_arguments()
    out = arguments.out / "smoke" if arguments.smoke else arguments.out
    programs, remarks = measured.read_programs(arguments.programs)
    engines, scenes = choose(arguments, programs)
    print(*remarks, HEADER, sep="\n")
    tables = []
    for scene in scenes:
        if arguments.smoke:
            rows = compare(engines, scene["scene"], scene["small_size"], SMOKE_STEPS, 1)
        else:
            rows = compare(engines, scene["scene"], scene["size"], scene["steps"],
                           arguments.repetitions)
        tables.append(rows)
        print(*table_lines(rows), sep="\n", flush=True)
        measured.write_csv(out / "peers.csv", [row for rows in tables for row in rows])
    print(f"The figures are in {out / 'peers.csv'}.")
    if len(engines) > 1:
        draw(tables, out / "peers.svg")
    complaints = [flaw for rows in tables for flaw in flaws(rows)]
    if complaints:
        raise SystemExit("\n".join(complaints))


if __name__ == "__main__":
    main()
