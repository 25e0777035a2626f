#!/usr/bin/python3
"""Every relative link of a page leads to an existing file and heading."""

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


found = list(pages())
wrong = [line for page in found for line in wrong_links(page)]
print("not ok" if wrong or len(found) < 10 else "ok", f"1 - the links of {len(found)} pages lead somewhere")
for line in wrong:
    print("#  ", line)
print("1..1")
sys.exit(bool(wrong) or len(found) < 10)
