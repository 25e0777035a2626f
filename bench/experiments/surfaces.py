#!/usr/bin/python3
"""Makes the meshes of bench/scenes: surfaces between rings of points, as OBJ files in metres.

bench/experiments/surfaces.py writes funnel.obj, chute.obj and hourglass.obj into bench/scenes."""

import math
import pathlib

SCENES = pathlib.Path(__file__).resolve().parent.parent / "scenes"


def circle(radius, z, sides):
    return [(radius * math.cos(2 * math.pi * i / sides), radius * math.sin(2 * math.pi * i / sides), z) for i in range(sides)]


def trough(x, z, slope, radius, sides):
    """Half a circle, open above, across a direction that descends along x by an angle in degrees."""
    angle = math.radians(slope)
    ring = []
    for i in range(sides + 1):
        across = math.pi * i / sides
        below = -radius * math.sin(across)
        ring.append((x + below * math.sin(angle), radius * math.cos(across), z + below * math.cos(angle)))
    return ring


def between(rings, closed):
    """Vertices and triangles between rings with equal numbers of points; a ring of one point is a tip."""
    vertices = [point for ring in rings for point in ring]
    triangles, first = [], 0
    for ring, following in zip(rings, rings[1:]):
        sides = max(len(ring), len(following))
        for i in range(sides if closed else sides - 1):
            j = (i + 1) % sides
            a, b = (first + min(k, len(ring) - 1) for k in (i, j))
            c, d = (first + len(ring) + min(k, len(following) - 1) for k in (i, j))
            triangles += [corners for corners in ((a, b, d), (a, d, c)) if len(set(corners)) == 3]
        first += len(ring)
    return vertices, triangles


def write(file, description, mesh):
    """Writes an OBJ file."""
    vertices, triangles = mesh
    lines = [f"# {description}; written by bench/experiments/surfaces.py"]
    lines += [f"v {x:.6g} {y:.6g} {z:.6g}" for x, y, z in ([round(c, 7) + 0.0 for c in vertex] for vertex in vertices)]
    lines += ["f " + " ".join(str(corner + 1) for corner in triangle) for triangle in triangles]
    file.write_text("\n".join(lines) + "\n", encoding="ascii")


def funnel():
    """An outlet 30 mm wide at z = 0, a cone of 30 degrees about its axis, and a tube of 90 mm above it."""
    return between([circle(radius, z, 32) for radius, z in ((0.015, 0), (0.045, 0.052), (0.045, 0.15))], closed=True)


def chute():
    """A slide 100 mm wide from the origin down, which flattens from 50 to 15 degrees."""
    rings, x, z = [], 0.0, 0.0
    for i in range(13):
        slope = 50 - 35 * i / 12
        rings.append(trough(x, z, slope, 0.05, 12))
        x += 0.025 * math.cos(math.radians(slope))
        z -= 0.025 * math.sin(math.radians(slope))
    return between(rings, closed=False)


def hourglass():
    """Two bulbs 60 mm wide and a neck of 18 mm at z = 0, closed at both ends."""
    def radius(z):
        return 0.009 + 0.021 * math.sin(min(1.0, (abs(z) / 0.04)) * math.pi / 2) ** 2
    heights = [0.004 * i for i in range(-10, 11)]
    ends = [(0.030, 0.058), (0.025, 0.066), (0.013, 0.071)]
    profile = [(r, -z) for r, z in reversed(ends)] + [(radius(z), z) for z in heights] + ends
    rings = [circle(r, z, 32) for r, z in profile]
    return between([[(0, 0, -0.072)]] + rings + [[(0, 0, 0.072)]], closed=True)


if __name__ == "__main__":
    write(SCENES / "funnel.obj", "A funnel", funnel())
    write(SCENES / "chute.obj", "A chute", chute())
    write(SCENES / "hourglass.obj", "An hourglass", hourglass())
