#!/usr/bin/python3
"""bench/figures writes its pages from stored sections: those that were measured as tables, the others as commands."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ.get("SCREE_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent.parent))
FOLDER = tempfile.TemporaryDirectory()
OUT = pathlib.Path(FOLDER.name)
SECTION = {"commit": "abc1234", "date": "2026-01-02", "machine": "a processor", "processors": 2, "lanes": 8, "seconds": 5.0, "setting": "usual",
           "pictures": [], "table": ["| law |", "|---|", "| a table |"]}
number = failures = 0


def check(name, good, detail=""):
    global number, failures
    number += 1
    failures += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}" + ("" if good else f"\n#   {detail}"))


def figures(*words):
    return subprocess.run([sys.executable, ROOT / "bench/figures", *words, "--out", OUT], capture_output=True, text=True, check=False)


def store(name, **changes):
    (OUT / "results" / f"{name}.json").write_text(json.dumps({**SECTION, **changes}))


done = figures("--render")
pages = {page: (OUT / f"{page}.md").read_text() for page in ("performance", "accuracy", "experiments")} if done.returncode == 0 else {}
check("pages without results show the commands", len(pages) == 3 and "Not measured yet. Command: `bench/figures laws`" in pages["accuracy"], done.stderr)
check("long sections name their option", "`bench/figures growth --all`" in pages.get("performance", ""), pages)

store("laws")
store("problems", skipped="no file")
done = figures("--render")
page = (OUT / "accuracy.md").read_text()
check("a measured section has its table and stamp", "| a table |" in page and "a processor, 2 processors, 8 lanes; commit abc1234, 2026-01-02" in page, page)
check("a section that cannot be measured shows the reason", "Not measured: no file." in page, page)
check("a section without a result shows its command", "`bench/figures hanging`" in page, page)
done = figures("nosuch")
check("an unknown section is refused", done.returncode == 2 and "nosuch" in done.stderr and "laws" in done.stderr, done.stderr)
print(f"1..{number}")
sys.exit(failures > 0)
