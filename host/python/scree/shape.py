"""Shapes, in metres along the body's axes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._binding import ffi, lib
from ._structs import fill, name_of, numbers, real
from .errors import check

Array = npt.ArrayLike


class Shape:
    """A shape of a body: its kind, its lengths and, for some kinds, a geometry that shapes share."""

    def __init__(self, struct: Any, geometry: Any = None) -> None:
        self._struct = struct
        self._geometry = geometry  # keeps it alive
        check(lib.scree_validate_shape(struct))

    @property
    def kind(self) -> str:
        """The name of the kind, such as "sphere"."""
        return name_of(ffi.typeof("scree_shape_kind"), self._struct.kind)

    @property
    def volume(self) -> float:
        """The volume, m³; infinite for half-spaces and meshes."""
        return float(lib.scree_shape_get_volume(self._struct))

    @property
    def radius(self) -> float:
        """The radius of the smallest sphere around the origin of the shape that contains it, m."""
        return float(lib.scree_shape_get_radius(self._struct))

    @property
    def frame(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Origin (m) and axes (x, y, z, w) of a body with this shape in the coordinates of the points, spheres or parts
        from which it was made: a body stands there if it has this position and rotation."""
        origin, axes = ffi.new("scree_vec3 *"), ffi.new("scree_quat *")
        lib.scree_geometry_get_frame(ffi.NULL if self._geometry is None else self._geometry, origin, axes)
        return (origin.x, origin.y, origin.z), (axes.x, axes.y, axes.z, axes.w)

    def scaled(self, factor: float) -> Shape:
        """Returns the shape with all lengths multiplied by `factor` > 0."""
        return Shape(lib.scree_shape_scale(self._struct, factor), self._geometry)

    def __repr__(self) -> str:
        size = self._struct.size
        return f"<scree.Shape {self.kind} ({size.x:g}, {size.y:g}, {size.z:g})>"


def sphere(radius: float) -> Shape:
    """Returns a sphere of `radius` > 0 m."""
    return Shape(lib.scree_shape_sphere(radius))


def box(x: float, y: float, z: float) -> Shape:
    """Returns a box with the half extents `x`, `y`, `z` > 0 m."""
    return Shape(lib.scree_shape_box(x, y, z))


def half_space() -> Shape:
    """Returns the solid below the local plane z = 0; for static and kinematic bodies."""
    return Shape(lib.scree_shape_half_space())


def capsule(radius: float, half_length: float) -> Shape:
    """Returns all points within `radius` m of a segment of `half_length` m on both sides of the origin along z."""
    return Shape(lib.scree_shape_capsule(radius, half_length))


def cylinder(radius: float, half_height: float) -> Shape:
    """Returns a cylinder around z, m."""
    return Shape(lib.scree_shape_cylinder(radius, half_height))


def cone(radius: float, height: float) -> Shape:
    """Returns a cone around z with its tip up, m; its origin is its centre of mass."""
    return Shape(lib.scree_shape_cone(radius, height))


def ellipsoid(x: float, y: float, z: float) -> Shape:
    """Returns an ellipsoid with the semi-axes `x`, `y`, `z` > 0 m."""
    return Shape(lib.scree_shape_ellipsoid(x, y, z))


def _geometry(create: Any, *arguments: Any) -> Any:
    out = ffi.new("scree_geometry **")
    check(create(*arguments, out))
    return ffi.gc(out[0], lib.scree_geometry_release)


def _points(points: Array, name: str) -> tuple[Any, int]:
    rows = np.ascontiguousarray(real(points, "f4", name))
    if rows.ndim != 2 or rows.shape[1] != 3:
        raise ValueError(f"{name}: shape {rows.shape}; must be (n, 3)")
    return ffi.from_buffer("scree_vec3[]", rows), len(rows)


def _surface(create: Any, make: Any, vertices: Array, triangles: Array) -> Shape:
    points, count = _points(vertices, "vertices")
    corners = np.ascontiguousarray(real(triangles, "i4", "triangles"))
    if corners.ndim != 2 or corners.shape[1] != 3:
        raise ValueError(f"triangles: shape {corners.shape}; must be (n, 3)")
    geometry = _geometry(create, points, count, ffi.from_buffer("scree_triangle[]", corners), len(corners))
    return Shape(make(geometry, 1), geometry)


def hull(points: Array) -> Shape:
    """Returns the convex hull of `points`, (n, 3) m, n ≥ 4. Its origin is its centre of mass."""
    geometry = _geometry(lib.scree_hull_create, *_points(points, "points"))
    return Shape(lib.scree_shape_hull(geometry, 1), geometry)


def mesh(vertices: Array, triangles: Array) -> Shape:
    """Returns a sheet of triangles for bodies that forces do not move: `vertices` (n, 3) m, `triangles` (m, 3)
    indices of vertices."""
    return _surface(lib.scree_mesh_create, lib.scree_shape_mesh, vertices, triangles)


def solid(vertices: Array, triangles: Array) -> Shape:
    """Returns the interior of a closed surface of triangles, as `mesh`."""
    return _surface(lib.scree_solid_create, lib.scree_shape_solid, vertices, triangles)


def clump(positions: Array, radii: Array) -> Shape:
    """Returns overlapping spheres with centres `positions`, (n, 3) m, and `radii`, n > 0 m."""
    centres, sizes = real(positions, "f4", "positions"), real(radii, "f4", "radii")
    if centres.ndim != 2 or centres.shape[1] != 3 or sizes.shape != (len(centres),):
        raise ValueError(f"positions, radii: shapes {centres.shape}, {sizes.shape}; must be (n, 3), (n,)")
    spheres = np.ascontiguousarray(np.column_stack((centres, sizes)))
    geometry = _geometry(lib.scree_clump_create, ffi.from_buffer("scree_clump_sphere[]", spheres), len(spheres))
    return Shape(lib.scree_shape_clump(geometry, 1), geometry)


def compound(parts: Sequence[tuple[Shape, Sequence[float], Sequence[float]]]) -> Shape:
    """Returns rigidly connected convex parts: (shape, position in m, rotation as (x, y, z, w)) each."""
    children = ffi.new("scree_compound_child[]", [lib.scree_default_compound_child() for _ in parts])
    for i, (child, part) in enumerate(zip(children, parts)):
        if not isinstance(part, Sequence) or len(part) != 3 or not isinstance(part[0], Shape):
            raise TypeError(f"parts[{i}]: {part!r}; must be (shape, position, rotation)")
        child.shape = part[0]._struct
        fill(child, {"position": part[1], "rotation": part[2]}, f"parts[{i}]")
    geometry = _geometry(lib.scree_compound_create, children, len(parts))
    return Shape(lib.scree_shape_compound(geometry, 1), geometry)


def height_field(heights: Array, spacing: tuple[float, float]) -> Shape:
    """Returns a mesh over a grid of `heights`, (rows along y, columns along x) m, `spacing` m apart along x and
    y, with its origin in the middle at height 0."""
    grid = np.ascontiguousarray(real(heights, "f4", "heights"))
    if grid.ndim != 2:
        raise ValueError(f"heights: {grid.ndim} dimensions; must be 2")
    geometry = _geometry(lib.scree_height_field_create, ffi.from_buffer("float[]", grid), grid.shape[1], grid.shape[0],
                         *numbers(spacing, 2, "spacing"))
    return Shape(lib.scree_shape_mesh(geometry, 1), geometry)


def load(path: str | os.PathLike[str], kind: str = "mesh", origin: Sequence[float] = (0, 0, 0)) -> Shape:
    """Returns the mesh, hull or solid (`kind`) of an STL or OBJ file, or the compound of the objects of an OBJ file, each
    a convex part. `origin` is a place near the surface in the file's units, which is subtracted before coordinates are
    rounded to single precision."""
    creators = {"mesh": (lib.scree_mesh_load, lib.scree_shape_mesh), "hull": (lib.scree_hull_load, lib.scree_shape_hull),
                "solid": (lib.scree_solid_load, lib.scree_shape_solid),
                "compound": (lib.scree_compound_load, lib.scree_shape_compound)}
    if kind not in creators:
        raise ValueError(f"kind: {kind!r}; must be one of {', '.join(sorted(creators))}")
    create, make = creators[kind]
    definition = ffi.new("scree_surface_def *", lib.scree_default_surface_def())
    definition.origin = numbers(origin, 3, "origin")
    geometry = _geometry(create, os.fsencode(path), definition)
    return Shape(make(geometry, 1), geometry)


def compound_of_hulls(hulls: Sequence[Array]) -> Shape:
    """Returns the compound of the convex hulls of sets of points in common coordinates, (n, 3) m each."""
    parts = []
    for points in hulls:
        own = hull(points)
        parts.append((own, *own.frame))
    return compound(parts)
