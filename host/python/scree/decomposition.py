"""Compounds of convex parts in the place of shapes that are not convex, which then touch each other."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ._structs import real
from .shape import Shape, compound_of_hulls

Points = npt.NDArray[np.float64]
Triangles = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Decomposition:
    """Convex parts in the place of a closed surface.

    `parts`: the vertices, (n, 3) m, and triangles, (m, 3), of each part. `volume_error`: the sum of the parts' volumes
    over that of the surface, less 1. `distance`: the largest distance, m, of the surface from the parts and of the
    parts' outside from the surface, over sampled points."""

    parts: Sequence[tuple[Points, Triangles]]
    volume_error: float
    distance: float

    @property
    def shape(self) -> Shape:
        """The compound of the parts, with its origin at the centre of mass."""
        return compound_of_hulls([points for points, _ in self.parts])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes an OBJ file with one object a part, which a scene names as {"kind": "compound", "file": …}."""
        first = 1
        with open(path, "w", encoding="ascii") as file:
            print(f"# convex parts; volume error {self.volume_error:.4g}, distance {self.distance:.4g} m", file=file)
            for index, (points, triangles) in enumerate(self.parts):
                print(f"o part_{index}", file=file)
                for point in points:
                    print("v", *(f"{x:.9g}" for x in point), file=file)
                for corners in triangles + first:
                    print("f", *corners, file=file)
                first += len(points)


def decompose(vertices: npt.ArrayLike, triangles: npt.ArrayLike, *, concavity: float = 0.05, parts: int | None = None,
              samples: int = 2000, seed: int = 0) -> Decomposition:
    """Returns convex parts for a closed surface of triangles: `vertices` (n, 3) m, `triangles` (m, 3). Needs the package
    coacd, and scipy.

    `concavity`: the largest concavity of a part, 0.01 to 1 of the surface's size. `parts`: the largest number of
    parts; None: no limit. `samples`: points at which the error is measured. Errors: ValueError if the surface is open."""
    import coacd

    points, corners = real(vertices, "f8", "vertices"), real(triangles, "i8", "triangles")
    _validate(points, corners)
    coacd.set_log_level("error")
    found = coacd.run_coacd(coacd.Mesh(points, corners.astype("i4")), threshold=concavity,
                            max_convex_hull=-1 if parts is None else parts, seed=seed)
    hulls = [(np.asarray(hull[0], dtype="f8"), np.asarray(hull[1], dtype="i8")) for hull in found]
    whole = _volume(points, corners)
    return Decomposition(hulls, sum(_volume(*hull) for hull in hulls) / whole - 1, _distance(points, corners, hulls, samples))


def _validate(points: Points, corners: Triangles) -> None:
    for name, rows in (("vertices", points), ("triangles", corners)):
        if rows.ndim != 2 or rows.shape[1] != 3:
            raise ValueError(f"{name}: shape {rows.shape}; must be (n, 3)")
    if not np.isfinite(points).all() or corners.size and not 0 <= corners.min() <= corners.max() < len(points):
        raise ValueError(f"triangles: corners {corners.min()} to {corners.max()}; must be finite vertices, 0 to {len(points) - 1}")
    edges = np.concatenate([corners[:, (i, (i + 1) % 3)] for i in range(3)])
    _, counts = np.unique(edges, axis=0, return_counts=True)
    backwards = {(int(b), int(a)) for a, b in edges}
    open_edges = sum((int(a), int(b)) not in backwards for a, b in edges)
    if open_edges or (counts > 1).any():
        raise ValueError(f"triangles: {open_edges} open edges; must be a closed surface, oriented outwards")
    if not _volume(points, corners) > 0:
        raise ValueError(f"triangles: volume {_volume(points, corners):g} m³; must be oriented outwards")


def _volume(points: Points, corners: Triangles) -> float:
    a, b, c = (points[corners[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def _distance(points: Points, corners: Triangles, hulls: Sequence[tuple[Points, Triangles]], samples: int) -> float:
    from scipy.spatial import ConvexHull

    planes = [ConvexHull(vertices).equations for vertices, _ in hulls]
    size = float(np.ptp(points, axis=0).max())
    outside = _sampled(points, corners, samples)
    outside = outside[~np.any([_holds(each, outside, 1e-6 * size) for each in planes], axis=0)]
    missing = np.min([_to_triangles(outside, *hull) for hull in hulls], axis=0).max(initial=0)
    bulge = 0.0
    for own, hull in enumerate(hulls):
        surface = _sampled(*hull, max(10, samples // len(hulls)))
        inner = [_holds(each, surface, 1e-6 * size) for other, each in enumerate(planes) if other != own]
        if inner:
            surface = surface[~np.any(inner, axis=0)]
        bulge = max(bulge, float(_to_triangles(surface, points, corners).max(initial=0)))
    return max(float(missing), bulge)


def _holds(planes: Points, points: Points, margin: float) -> npt.NDArray[np.bool_]:
    return np.asarray(np.all(points @ planes[:, :3].T + planes[:, 3] <= margin, axis=1))


def _sampled(points: Points, corners: Triangles, count: int) -> Points:
    """Returns the vertices, and `count` points on the triangles by area, the same in each call."""
    random = np.random.default_rng(0)
    a, b, c = (points[corners[:, i]] for i in range(3))
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    chosen = random.choice(len(corners), count, p=areas / areas.sum())
    u, v = np.sqrt(random.uniform(size=count))[:, None], random.uniform(size=count)[:, None]
    return np.vstack((points, (1 - u) * a[chosen] + u * (1 - v) * b[chosen] + u * v * c[chosen]))


def _to_triangles(points: Points, vertices: Points, corners: Triangles) -> Points:
    """Returns the distance of each point from the nearest triangle."""
    a, b, c = (vertices[corners[:, i]] for i in range(3))
    return np.array([np.sqrt(_squared(point, a, b, c).min()) for point in points])


def _squared(point: Points, a: Points, b: Points, c: Points) -> Points:
    """Returns the squared distances of a point from triangles: from the plane where its foot is inside, else from the
    nearest edge."""
    normal = np.cross(b - a, c - a)
    length = np.maximum(np.einsum("ij,ij->i", normal, normal), 1e-300)
    inside = np.ones(len(a), bool)
    edges = np.full(len(a), np.inf)
    for first, second in ((a, b), (b, c), (c, a)):
        edge, away = second - first, point - first
        inside &= np.einsum("ij,ij->i", np.cross(edge, away), normal) >= 0
        share = np.einsum("ij,ij->i", edge, away) / np.maximum(np.einsum("ij,ij->i", edge, edge), 1e-300)
        rest = away - np.clip(share, 0, 1)[:, None] * edge
        edges = np.minimum(edges, np.einsum("ij,ij->i", rest, rest))
    height = np.einsum("ij,ij->i", point - a, normal) ** 2 / length
    return np.where(inside, height, edges)
