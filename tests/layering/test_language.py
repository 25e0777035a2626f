#!/usr/bin/python3
"""Rejects the project's former dialect in comments, messages and pages (CONTRIBUTING.md, "Language").

Each pattern below stands for a habit that outsiders could not read. ALLOWED has the number of hits that a folder may still
have; it may only fall, and a folder that is not listed has none."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(os.environ.get("SCREE_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent.parent))

ALLOWED = {
}

PATTERNS = {
    "a sentence begins with What, Who, Of, Behind, Beside, Likewise or The same": r"(?:^|(?<=[.!?;:] ))(?:What|Who|Of|Behind|Beside|Likewise|The same)\b[^.?]*(?!\?)",
    "a calque": r"\b(?:anew|in place of|seldom|lest|reckons?|reckoned|reckoning|beside|so many|is none to speak of)\b",
    "a person instead of a thing": r"\b(?:nobody|somebody|is told|are told|as told|says? so|(?:is|are) asked|gets? a word|knows|wants|who (?:is|are|has|have|goes|comes))\b",
    "a private word for a standard term": r"\b(?:no number(?! of)|lookouts?|second look|looks? again|led back|foreseen|is in the room|start impulses)\b",
}
COMPILED = {name: re.compile(text) for name, text in PATTERNS.items()}

C_TOKEN = re.compile(r"(/\*.*?\*/|//[^\n]*)|(\"(?:\\.|[^\"\\\n])*\")|'(?:\\.|[^'\\\n])*'", re.S)

def blank(text):
    """Spaces in the place of every character but line ends."""
    return re.sub(r"[^\n]", " ", text)

def c_prose(text):
    """Comments and string literals of C; everything else is blank, so that line numbers stay."""
    out, end = [], 0
    for match in C_TOKEN.finditer(text):
        out.append(blank(text[end:match.start()]))
        comment, string = match.groups()
        if comment:
            inner = re.sub(r"^/\*+<?|\*/$|^//+", lambda m: blank(m.group()), comment)
            inner = "\f" + inner[1:]  # a comment begins a sentence, also after code
            out.append(re.sub(r"(?m)^(\s*)\*(?= |$)", r"\1 ", inner))
        elif string and " " in string:
            out.append(" " + string[1:-1] + " ")
        else:
            out.append(blank(match.group()))
        end = match.end()
    return "".join(out) + blank(text[end:])

def script_prose(text):
    """Comments of shell, Python and CMake, and Python's longer strings."""
    lines = []
    for line in text.split("\n"):
        comment = re.search(r"(?:^|\s)#(?!!)\s?(.*)", line)
        strings = " ".join(s for s in re.findall(r"\"([^\"]*)\"", line) if s.count(" ") > 2)
        lines.append(f"{strings} {comment.group(1) if comment else ''}".strip())
    return "\n".join(lines)

def page_prose(text):
    return re.sub(r"```.*?```|`[^`\n]*`", lambda m: blank(m.group()), text, flags=re.S)

def prose_of(path, text):
    if path.suffix in (".c", ".h", ".cl", ".cpp"):
        return c_prose(text)
    if path.suffix in (".md", ".1"):
        return page_prose(text)
    if path.suffix in (".py", ".sh", ".cmake", ".in") or path.name in ("CMakeLists.txt",) or text.startswith("#!"):
        return script_prose(text)
    return ""

def sentences(prose):
    """Paragraphs with single spaces, each with the line where it begins."""
    for match in re.finditer(r"(?:[^\n\f]*[^\s\f][^\n\f]*\n?)+", prose):
        lead = len(match.group()) - len(match.group().lstrip())
        yield prose.count("\n", 0, match.start() + lead) + 1, " ".join(match.group().split())

def hits(path):
    try:
        text = (ROOT / path).read_text()
    except (UnicodeDecodeError, FileNotFoundError):
        return
    for line, paragraph in sentences(prose_of(path, text)):
        paragraph = re.sub(r"^(?:[-#>*|]+|\d+\.)\s*", "", paragraph)
        for name, pattern in COMPILED.items():
            for match in pattern.finditer(paragraph):
                yield f"{path}:{line}: {name}: {paragraph[max(0, match.start() - 20):match.end() + 20][:120]!r}"

def folder_of(path):
    """host/NAME, or the first folder; the top level is "."."""
    parts = path.parts
    if len(parts) == 1:
        return "."
    return "/".join(parts[:2]) if parts[0] == "host" and len(parts) > 2 else parts[0]

def tracked():
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True, check=False)
    if listed.returncode:
        print("1..0 # SKIP not a git checkout")
        sys.exit(77)
    return [pathlib.Path(name) for name in listed.stdout.split("\n") if name and name != "tests/layering/test_language.py"]

def main():
    found = {}
    for path in tracked():
        if len(sys.argv) > 1 and not any(str(path).startswith(prefix) for prefix in sys.argv[1:]):
            continue
        found.setdefault(folder_of(path), []).extend(hits(path))
    failed = 0
    for folder, lines in sorted(found.items()):
        wrong = len(lines) > ALLOWED.get(folder, 0)
        failed += wrong
        print("not ok" if wrong else "ok", "-", f"{folder}: {len(lines)} hits, {ALLOWED.get(folder, 0)} allowed")
        for line in lines if wrong else []:
            print("#  ", line)
    sys.exit(failed > 0)

main()
