"""Fails if components include each other in a circle.

A component is a header with the source of the same folder and name.
"""

import pathlib
import re
import sys
import tempfile

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


def components_of(root):
    """Returns, for each component, the set of components that it includes.

    Example: subjects/calls.hpp and subjects/calls.cpp are the component "subjects/calls".
    """
    files = [file for suffix in ("[ch]pp", "h", "c") for file in root.rglob("*." + suffix)]
    names = {file.relative_to(root).as_posix() for file in files}
    included = {}
    for name in sorted(name for name in names if not name.startswith("build/")):
        component = included.setdefault(name.rpartition(".")[0], set())
        for header in INCLUDE.findall((root / name).read_text(encoding="utf-8")):
            beside = (pathlib.PurePosixPath(name).parent / header).as_posix()
            for found in (header, beside):
                if found in names:
                    component.add(found.rpartition(".")[0])
                    break
    return included


def circles(included):
    """Returns the circles found by depth-first search: at least one per group of components that include each other."""
    found = []
    finished = set()
    for start in sorted(included):
        if start in finished:
            continue
        path, waiting = [start], [iter(sorted(included[start] - {start}))]
        while path:
            following = next(waiting[-1], None)
            if following is None:
                finished.add(path.pop())
                waiting.pop()
            elif following in path:
                found.append(path[path.index(following):])
            elif following not in finished:
                path.append(following)
                waiting.append(iter(sorted(included.get(following, set()) - {following})))
    return found


def test_finds_a_planted_circle():
    """Tests a circle that only the sources close. The compiler accepts it, because the headers form no circle."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "core").mkdir()
        (root / "core/a.hpp").write_text("#pragma once\n")
        (root / "core/a.cpp").write_text('#include "core/a.hpp"\n  # include "core/b.hpp"\n')
        (root / "core/b.hpp").write_text('#include "core/c.hpp"\n')
        (root / "core/c.hpp").write_text("#include <vector>\n")
        assert circles(components_of(root)) == [], "no circle was planted yet"
        (root / "core/c.cpp").write_text('#include "c.hpp"\n#include "a.hpp"\n')
        assert circles(components_of(root)) == [["core/a", "core/b", "core/c"]], circles(components_of(root))


def main(root):
    test_finds_a_planted_circle()
    included = components_of(pathlib.Path(root))
    if len(included) < 100:
        sys.exit(f"circles: {root}: got {len(included)} components, expected the tree of Demeter")
    found = circles(included)
    for circle in found:
        print("circle: " + " -> ".join([*circle, circle[0]]), file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main(sys.argv[1])
