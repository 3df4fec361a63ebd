# SPDX-License-Identifier: MIT
"""What compare.py and growth.py share: running the executables, CSV files, and charts."""
import csv
import statistics
import subprocess
import sys
from pathlib import Path

PHYS2D = "phys2d"  # the engine that the others are compared with


def read_programs(list_file):
    """The executables by engine, and the remarks, of the list that CMake has written."""
    lines = Path(list_file).read_text().splitlines()
    paths = [Path(line) for line in lines if not line.startswith("#")]
    programs = {path.stem.removeprefix("peer_"): path for path in paths}
    return programs, [line.lstrip("# ") for line in lines if line.startswith("#")]


def call(*command):
    """The CSV that a program prints, as a list of dictionaries; its complaint ends the script."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr.strip() or f"{command[0]} ended with {done.returncode}.")
    return list(csv.DictReader(done.stdout.splitlines()))


def number(text):
    """Not a number where there is nothing."""
    return int(text) if text.isdigit() else float(text or "nan")


def play(program, scene, size, steps):
    """Figures of one run: the engine's name, and numbers."""
    (row,) = call(program, scene, size, steps)
    return {name: text if name == "engine" else number(text) for name, text in row.items()}


def medians(rows):
    """One row of the medians of all; its names are those of the first."""
    return {
        name: first if isinstance(first, str) else statistics.median(row[name] for row in rows)
        for name, first in rows[0].items()
    }


def write_csv(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def pyplot():
    """matplotlib's pyplot in this project's style, or None where matplotlib is missing."""
    try:
        import matplotlib
    except ImportError:
        print("There is no chart, because matplotlib is missing (Debian: python3-matplotlib).")
        return None
    matplotlib.use("svg")
    matplotlib.rcParams.update({
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titleweight": "bold",
        "svg.fonttype": "path",  # looks the same wherever it is shown
        "svg.hashsalt": PHYS2D,  # equal figures make equal files
    })
    from matplotlib import pyplot
    return pyplot


def save_chart(figure, path):
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight", facecolor="white")
    print(f"The chart is in {path}.")
