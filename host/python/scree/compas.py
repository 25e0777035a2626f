"""A backend for compas_dem: masonry models solved by scree. Needs the package compas_dem.

    from scree import compas

    problem.set_solver(compas.solver(duration=2))
    results = problem.solve()

Importing this module makes `Problem.solve` of compas_dem accept the solver "scree". The blocks are rigid and convex, the
contacts frictional without cohesion; supports stand still or move as prescribed. The run integrates the motion from rest:
a stable model comes to rest with the forces of equilibrium, one that is not falls."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from compas.geometry import Frame, Line, Point, Polygon, Transformation
from compas_dem.analysis.resolve import resolve_centroidal_displacements, resolve_centroidal_loads
from compas_dem.interactions import EdgeContact, FrictionContact, VertexContact
from compas_dem.problem import Problem, Results, Solver

from .body import Body
from .shape import hull
from .world import World

NAME = "scree"
Array = npt.NDArray[np.float64]
_RELEASE = 0.98  # of the duration, after which instantaneous loads fade, as in the other backends of compas_dem


def solver(duration: float = 1, time_step: float = 1 / 200, *, preset: str = "accurate", backend: str = "native",
           threads: int = 0) -> Any:
    """Returns the configuration of a solver for Problem.set_solver: simulated time and time step, s; preset of the
    accuracy; backend and threads of the world."""
    own = Solver()
    own.name = NAME
    own.parameters = {"duration": duration, "time_step": time_step, "preset": preset, "backend": backend, "threads": threads}
    return own


def solve(problem: Any, model: Any, duration: float = 1, time_step: float = 1 / 200, preset: str = "accurate",
          backend: str = "native", threads: int = 0) -> Any:
    """Solves a problem and returns its results. `metadata` has mu, residual, kinetic_energy (J), travel (the largest
    displacement of a block, m) and n_steps. Errors: ValueError for a block that is not convex, a contact model with
    cohesion, and a displacement that is prescribed in part; those of World."""
    law = problem.contact_properties.contact_model
    if getattr(law, "c", None) or getattr(law, "t_c", None):
        raise ValueError(f"contact model: c {law.c}, t_c {law.t_c}; must be 0 or None, cohesion is not supported")
    world = World(time_step=time_step, backend=backend, threads=threads, material={"friction": law.mu})
    world.set_solver(preset)
    steps = max(1, round(duration / time_step))
    displacements = resolve_centroidal_displacements(problem.boundary_conditions)
    bodies = {block.graphnode: _add(world, block, displacements.get(block.graphnode), steps * time_step)
              for block in model.elements()}
    first = {node: _pose(body) for node, body in bodies.items()}
    loads = _Loads(resolve_centroidal_loads(model, problem.boundary_conditions), bodies)
    report = world.statistics
    for step in range(steps):
        loads.apply((step + 1) / steps)
        report = world.step()
    results = Results(model_id=str(model.guid), problem_id=str(problem.guid))
    travel = 0.0
    for node, body in bodies.items():
        matrix = _moved(first[node], _pose(body))
        travel = max(travel, float(np.linalg.norm(_pose(body)[0] - first[node][0])))
        results.set_node(node, "transformation", Transformation.from_matrix(matrix.tolist()))
    _write_contacts(results, world, model.graph, {body.index + 1: node for node, body in bodies.items()})
    results.metadata |= {"mu": law.mu, "n_steps": steps, "travel": travel, "kinetic_energy": report["kinetic_energy"],
                         "residual": report["solve"]["residual"]}
    return results


def _register() -> None:
    """Makes Problem.solve accept the solver, once."""
    usual = Problem.solve
    if getattr(usual, "scree", False):
        return

    @functools.wraps(usual)
    def accepting(self: Any, **options: Any) -> Any:
        if self._solver is None or self._solver.name != NAME:
            return usual(self, **options)
        self._check_model_validity(self.model)
        return solve(self, self.model, **self._solver.parameters | options)

    accepting.scree = True  # type: ignore[attr-defined]
    Problem.solve = accepting


_register()


# --- the model ----------------------------------------------------------------------------------------------------------


def _add(world: World, block: Any, moved: dict[str, Any] | None, duration: float) -> Body:
    """Adds a block: static or kinematic if it is a support or its displacement is prescribed."""
    vertices, faces = block.modelgeometry.to_vertices_and_faces(triangulated=True)
    points = np.asarray(vertices, dtype="f8")
    shape = hull(points)
    volume = _volume(points, faces)
    if abs(shape.volume - volume) > 1e-3 * shape.volume:
        raise ValueError(f"block {block.graphnode}: volume {volume:.6g} m³, of its convex hull {shape.volume:.6g} m³; must be convex")
    position, rotation = shape.frame
    fields: dict[str, Any] = {"position": position, "rotation": rotation}
    speeds = _speeds(block, moved, duration)
    if speeds is None:
        return world.add(shape, mass=_mass(block, volume), **fields)
    if not np.any(speeds):
        return world.add(shape, type="static", **fields)
    return world.add(shape, type="kinematic", linear_velocity=speeds[:3], angular_velocity=speeds[3:], **fields)


def _speeds(block: Any, moved: dict[str, Any] | None, duration: float) -> Array | None:
    """Returns the prescribed velocity and spin; None if the block moves by forces."""
    values = [value for key in ("translation", "rotation") for value in ((moved or {}).get(key) or [None] * 3)]
    if block.is_support:
        values = [value or 0.0 for value in values]
    if all(value is None for value in values):
        return None
    if any(value is None for value in values):
        raise ValueError(f"block {block.graphnode}: displacement {values}; all six components must be prescribed, or none")
    return np.asarray(values, dtype="f8") / duration


def _volume(points: Array, faces: Iterable[Any]) -> float:
    corners = points[np.asarray(list(faces))]
    return float(abs(np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum()) / 6)


def _mass(block: Any, volume: float) -> float:
    if block.material is None or not block.material.density:
        raise ValueError(f"block {block.graphnode}: no density; must have a material with one")
    return float(block.material.density) * volume


class _Loads:
    """Forces and moments at the centroids, by the time of the run from 0 to 1."""

    def __init__(self, loads: dict[int, Any], bodies: dict[int, Body]) -> None:
        self._rows = []
        for node, entry in loads.items():
            ramped, instant = (np.array([*part["force"], *part["moment"]])
                               for part in (entry["by_loading_type"][kind] for kind in ("ramp", "instantaneous")))
            if np.any(ramped) or np.any(instant):
                self._rows.append((bodies[node], ramped, instant))

    def apply(self, time: float) -> None:
        for body, ramped, instant in self._rows:
            load = ramped * min(1, time / _RELEASE) + instant * min(1, (1 - time) / (1 - _RELEASE))
            body.set_loads(load[:3], load[3:])


# --- the results --------------------------------------------------------------------------------------------------------


def _pose(body: Body) -> tuple[Array, Array]:
    """Returns the position, and the rotation as a matrix."""
    x, y, z, w = np.asarray(body.rotation, dtype="f8") / np.linalg.norm(body.rotation)
    matrix = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                       [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                       [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    return np.asarray(body.position, dtype="f8"), matrix


def _moved(before: tuple[Array, Array], after: tuple[Array, Array]) -> Array:
    """Returns the 4×4 matrix of a motion between two poses."""
    matrix = np.eye(4)
    matrix[:3, :3] = after[1] @ before[1].T
    matrix[:3, 3] = after[0] - matrix[:3, :3] @ before[0]
    return matrix


def _write_contacts(results: Any, world: World, graph: Any, nodes: dict[int, int]) -> None:
    contacts = world.contacts
    contacts = contacts[np.any(contacts["impulse"] != 0, axis=1)]
    pairs = np.stack((contacts["a"]["index"], contacts["b"]["index"]), axis=1)
    for a, b in np.unique(pairs, axis=0):
        own = contacts[np.all(pairs == (a, b), axis=1)]
        pair = nodes[int(a)], nodes[int(b)]
        edge = pair if graph.has_edge(pair) else pair[::-1] if graph.has_edge(pair[::-1]) else (min(pair), max(pair))
        if not graph.has_edge(edge):
            results.metadata.setdefault("added_edges", []).append(list(edge))
        sign = 1 if edge[0] == pair[1] else -1  # forces and normals of scree are those on b
        _write_contact(results, edge, own["point"].astype("f8"), sign * own["impulse"].astype("f8") / world.time_step,
                       sign * own["normal"].astype("f8"))


def _write_contact(results: Any, edge: tuple[int, int], points: Array, forces: Array, normals: Array) -> None:
    """Writes the points of a contact with the forces on the block edge[0] and the normals towards it."""
    normal = normals.mean(axis=0) / np.linalg.norm(normals.mean(axis=0))
    first = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    away = points - points.mean(axis=0)
    order = np.argsort(np.arctan2(away @ second, away @ first))
    points, forces = points[order], forces[order]
    local = [{"c_np": max(n, 0.0), "c_nn": max(-n, 0.0), "c_u": u, "c_v": v}
             for u, v, n in (forces @ np.stack((first, second, normal), axis=1)).tolist()]
    places = [Point(*point) for point in points.tolist()]
    frame = Frame(Point(*points.mean(axis=0).tolist()), first.tolist(), second.tolist())
    whole = forces.sum(axis=0)
    results.set_edge(edge, "contact_data", _contact(places, frame, local))
    if len(places) >= 3:
        results.set_edge(edge, "contact_polygon", Polygon(places))
    else:
        results.set_edge(edge, "contact_geometry", places[0] if len(places) == 1 else Line(*places))
    for name, value in {
        "face_contact": len(places) >= 3, "edge_contact": len(places) == 2, "point_contact": len(places) == 1,
        "contact_points": points.tolist(), "contact_frame": frame, "force_vector": forces.tolist(),
        "force_normal": [each["c_np"] - each["c_nn"] for each in local],
        "force_tangent1": [each["c_u"] for each in local], "force_tangent2": [each["c_v"] for each in local],
        "resultant_global": whole.tolist(), "force_magnitude": float(np.linalg.norm(whole)),
        "resultant_local": [float(whole @ axis) for axis in (first, second, normal)],
        "nodal_force_magnitudes": np.linalg.norm(forces, axis=1).tolist(),
    }.items():
        results.set_edge(edge, name, value)


def _contact(places: list[Any], frame: Any, forces: list[dict[str, float]]) -> Any:
    if len(places) == 1:
        return VertexContact(point=places[0], frame=frame, forces=forces)
    if len(places) == 2:
        return EdgeContact(points=places, frame=frame, forces=forces)
    contact = FrictionContact(points=places)
    contact._frame = frame
    contact.forces = forces
    return contact
