#!/usr/bin/python3
"""Every relative link of a page leads to an existing file and heading, every file that it names exists, and no merge is half done."""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ.get("SCREE_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent.parent))


def pages():
    """Yields the repository's pages, without those of build trees."""
    for folder in [".", "bench", "host", "kernels", "tests"]:
        for page in (ROOT / folder).glob("*.md" if folder == "." else "**/*.md"):
            yield page


def anchors(page):
    """Returns the anchors that GitHub makes from headings."""
    heads = re.findall(r"^#+ +(.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def wrong_links(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            yield f"{page.relative_to(ROOT)}: {target} is not there"
        elif anchor and anchor not in anchors(file):
            yield f"{page.relative_to(ROOT)}: {target} has no such heading"


def missing_files(page):
    """Yields source files between backquotes that do not exist in the repository, in host/ or next to the page."""
    if page.name == "CHANGELOG.md":  # names former files
        return
    for path in re.findall(r"`([\w/.-]+/[\w.-]+\.(?:c|h|cl|py|sh|json|txt))`", page.read_text()):
        made_up = re.search("NAME|SUBJECT|DIR", path) or path.startswith(("build/", "out/", "../"))
        if not made_up and not any((place / path).exists() for place in (ROOT, ROOT / "host", ROOT / "include", page.parent)):
            yield f"{page.relative_to(ROOT)}: `{path}` is not there"


def conflicts(page):
    for line in re.findall(r"^(?:<<<<<<<|>>>>>>>) .*$", page.read_text(), re.MULTILINE):
        yield f"{page.relative_to(ROOT)}: {line}"


found = list(pages())
number = failures = 0
for name, check in (("links lead somewhere", wrong_links), ("named files exist", missing_files), ("merges are complete", conflicts)):
    wrong = [line for page in found for line in check(page)] + ([] if len(found) > 10 else [f"{len(found)} pages"])
    number += 1
    failures += bool(wrong)
    print("not ok" if wrong else "ok", f"{number} - {len(found)} pages: {name}")
    for line in wrong:
        print("#  ", line)
print(f"1..{number}")
sys.exit(failures > 0)
