"""Triangulated surfaces of bodies, and their display in notebooks."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Tuple

import numpy as np
import numpy.typing as npt

from ._binding import ffi, lib
from ._structs import put
from .body import Vector

if TYPE_CHECKING:
    from .world import World

Surface = Tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]
_ROUND = 16  # sides of round shapes


def _revolved(radii: npt.ArrayLike, heights: npt.ArrayLike) -> Surface:
    """Returns the surface that rings of radii at heights make about z; the first and last radius are 0."""
    r, z = np.asarray(radii, "f4"), np.asarray(heights, "f4")
    turn = 2 * np.pi * np.arange(_ROUND) / _ROUND
    points = np.stack((np.outer(r, np.cos(turn)), np.outer(r, np.sin(turn)), np.repeat(z[:, None], _ROUND, axis=1)), axis=-1)
    i = np.arange(len(r) - 1)[:, None] * _ROUND
    a, b = i + np.arange(_ROUND), i + (np.arange(_ROUND) + 1) % _ROUND
    triangles = np.concatenate((np.stack((a, b, b + _ROUND), -1).reshape(-1, 3), np.stack((a, b + _ROUND, a + _ROUND), -1).reshape(-1, 3)))
    return points.reshape(-1, 3).astype("f4"), triangles


@functools.cache
def _ball() -> Surface:
    angles = np.linspace(0, np.pi, _ROUND // 2 + 1)
    return _revolved(np.sin(angles), -np.cos(angles))


@functools.cache
def _cube() -> Surface:
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], "f4")
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, np.array([part for a, b, c, d in sides for part in ((a, b, c), (a, c, d))])


def _piece(kind: int, x: float, y: float, z: float) -> Surface:
    """Returns the surface of a shape that is no clump, compound, mesh, hull or solid, about its own origin."""
    if kind == lib.SCREE_SHAPE_BOX:
        return _cube()[0] * np.array((x, y, z), "f4"), _cube()[1]
    if kind == lib.SCREE_SHAPE_TRIANGLE:
        return np.array([(0, 0, 0), (x, 0, 0), (y, z, 0)], "f4"), np.array([(0, 1, 2)])
    if kind == lib.SCREE_SHAPE_CYLINDER:
        return _revolved((0, x, x, 0), (-y, -y, y, y))
    if kind == lib.SCREE_SHAPE_CONE:
        return _revolved((0, x, 0), (-y / 4, -y / 4, 3 * y / 4))
    if kind == lib.SCREE_SHAPE_CAPSULE:
        angles = np.linspace(0, np.pi / 2, _ROUND // 4 + 1)
        return _revolved(x * np.concatenate((np.sin(angles), np.cos(angles))),
                         np.concatenate((-y - x * np.cos(angles), y + x * np.sin(angles))))
    size = (x, y, z) if kind == lib.SCREE_SHAPE_ELLIPSOID else (x, x, x)
    return _ball()[0] * np.array(size, "f4"), _ball()[1]


def rotated(points: npt.NDArray[np.float32], rotation: Vector) -> npt.NDArray[np.float32]:
    """Returns points turned by a quaternion (x, y, z, w)."""
    q = np.asarray(rotation, "f4")
    return np.asarray(points + 2 * np.cross(q[:3], np.cross(q[:3], points) + q[3] * points), "f4")


def _joined(parts: list[Surface]) -> Surface:
    if not parts:
        return np.zeros((0, 3), "f4"), np.zeros((0, 3), "i8")
    first = np.cumsum([0, *(len(points) for points, _ in parts)])
    return (np.concatenate([points for points, _ in parts]),
            np.concatenate([triangles + start for (_, triangles), start in zip(parts, first)]))


def surface_of_shape(shape: Any) -> Surface:
    """Returns vertices (n, 3) m and triangles (m, 3) of a shape (scree_shape) in its own axes; nothing of a half-space."""
    if shape.kind == lib.SCREE_SHAPE_HALF_SPACE:
        return _joined([])
    parts = []
    for i in range(lib.scree_shape_piece_count(shape)):
        placed = lib.scree_shape_get_piece(shape, i)
        own, size = placed.shape, placed.shape.size
        points, triangles = _piece(own.kind, size.x, size.y, size.z)
        turn, place = placed.rotation, placed.position
        parts.append((rotated(points, (turn.x, turn.y, turn.z, turn.w)) + np.array((place.x, place.y, place.z), "f4"), triangles))
    return _joined(parts)


def surface_of(world: World) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64], npt.NDArray[np.intp]]:
    """Returns the surfaces of all bodies but half-spaces: vertices (n, 3) m, triangles (m, 3), and the body of each
    vertex, (n,)."""
    bodies = world.bodies
    shapes, known, parts, owners = bodies._columns().shapes, {}, [], []
    for body in np.flatnonzero(bodies.types):
        key = bytes(ffi.buffer(ffi.addressof(shapes, int(body))))
        if key not in known:
            known[key] = surface_of_shape(shapes[int(body)])
        points, triangles = known[key]
        parts.append((rotated(points, bodies.rotations[body]) + bodies.positions[body], triangles))
        owners.append(np.full(len(points), body))
    vertices, triangles = _joined(parts)
    return vertices, triangles, np.concatenate(owners) if owners else np.zeros(0, np.intp)


_TITLES = {"height": "height, m", "speed": "speed, m/s"}


def _values(world: World, colour: str | npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Returns the value of each row of World.bodies that a colour shows. Errors: TypeError, ValueError."""
    bodies = world.bodies
    if not isinstance(colour, str):
        values = np.empty(len(bodies.types), "f4")
        put(values, colour, "colour")
        return values
    if colour not in _TITLES:
        raise ValueError(f"colour: {colour!r}; must be one of {', '.join(sorted(_TITLES))}, or values")
    return np.asarray(bodies.positions[:, 2] if colour == "height" else np.linalg.norm(bodies.velocities, axis=1)).copy()


def show(world: World, colour: str | npt.ArrayLike = "speed", *, opacity_of_static: float = 0.2, **plotter: Any) -> Any:
    """Returns a plotter of pyvista with the bodies of a world. `colour`: "speed" (m/s), "height" (m), or a value for each
    row of World.bodies. Static and kinematic bodies are translucent. Keywords are those of pyvista.Plotter."""
    import pyvista

    bodies, values, title = world.bodies, _values(world, colour), _TITLES[colour] if isinstance(colour, str) else "value"
    vertices, triangles, owners = surface_of(world)
    moving = bodies.dynamic[owners]
    make: Any = pyvista.Plotter
    view = make(**plotter)
    bar = {"title": title, "width": 0.5, "position_x": 0.25}
    for chosen, settings in ((moving, {"scalars": "value", "scalar_bar_args": bar}),
                             (~moving, {"color": "grey", "opacity": opacity_of_static})):
        own = triangles[chosen[triangles[:, 0]]] if len(triangles) else triangles
        if len(own) == 0:
            continue
        mesh = pyvista.PolyData(vertices, np.insert(own, 0, 3, axis=1).ravel())
        mesh["value"] = values[owners]
        view.add_mesh(mesh, **settings)
    view.add_axes()
    return view
