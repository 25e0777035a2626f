"""Worlds: what a step advances. All quantities are in SI units."""

from __future__ import annotations

import operator
import os
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._binding import ffi, lib
from ._structs import (View, as_python, copied, defined, dtype_of, fill, listed, members_of, put, real, text,
                       unknown, value_of)
from .body import Bodies, Body, Vector, vector
from .errors import check
from .joint import Joint, joint_definition
from .material import Material
from .shape import Shape


def _bar(count: int, progress: bool) -> Iterable[int]:
    if not progress:
        return range(count)
    from tqdm import tqdm

    return tqdm(range(count), unit="step")


_MAKERS = {"Material": "a Material, which World.add_material returns", "Body": "a Body, which World.add returns",
           "Shape": "a Shape, such as scree.sphere(0.1)", "World": "a World"}


def validate(name: str, value: object, kind: type) -> None:
    """Raises TypeError unless `value` is of a class of this package."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: {value!r}; must be {_MAKERS[kind.__name__]}")


def _validate_fields(fields: Iterable[str]) -> None:
    """Raises ValueError for a name that is no keyword of World.add."""
    allowed = {*members_of(ffi.typeof("scree_body_def")), *Body.STATE} - {"shape"}
    for name in fields:
        if name not in allowed:
            raise unknown("field", name, allowed)


class World:
    """A world of rigid bodies.

    The keywords are the fields of scree_world_def: gravity (m/s²), time_step (s), backend ("auto", "native",
    "opencl", "reference"), threads, solver (a dict, such as {"iterations": 100, "tolerance": 1e-4}), material
    (a dict, the default material), period (m) and others. A world is used from one thread at a time: a call raises
    RuntimeError while another thread is in one.

    >>> import scree
    >>> world = scree.World(time_step=0.01, backend="native")
    >>> floor = world.add(scree.half_space(), type="static")
    >>> ball = world.add(scree.sphere(0.1), position=(0, 0, 1))
    >>> report = world.step(200)
    >>> bool(abs(ball.position[2] - 0.1) < 1e-3)
    True
    """

    def __init__(self, **definition: Any) -> None:
        out = ffi.new("scree_world **")
        check(lib.scree_world_create(defined("scree_world_def", lib.scree_default_world_def(), definition), out))
        self._take(out[0])

    def _take(self, pointer: Any) -> None:
        self._pointer = ffi.gc(pointer, lib.scree_world_destroy)
        self._exports: weakref.WeakSet[Any] = weakref.WeakSet()
        self._statistics = ffi.new("scree_statistics *")

    @classmethod
    def _of(cls, pointer: Any) -> World:
        world = cls.__new__(cls)
        world._take(pointer)
        return world

    def _may_change(self) -> None:
        """Raises BufferError if an array refers to memory that the caller is about to move."""
        if len(self._exports) > 0:
            raise BufferError("bodies: an array of their state is in use; delete it or use a copy before this call")

    # --- contents -----------------------------------------------------------------------------------------------

    def add_material(self, **fields: Any) -> Material:
        """Adds a material: friction, restitution, density (kg/m³), … (scree_material_def)."""
        identity = ffi.new("scree_material_id *")
        definition = defined("scree_material_def", lib.scree_default_material_def(), fields)
        check(lib.scree_material_create(self._pointer, definition, identity))
        return Material(self, identity[0])

    def set_pair(self, a: Material, b: Material, **fields: Any) -> None:
        """Sets properties of contacts between two materials (scree_material_pair_def), in either order; the others
        stay."""
        validate("a", a, Material)
        validate("b", b, Material)
        pair = ffi.new("scree_material_pair_def *")
        check(lib.scree_material_get_pair(self._pointer, a._id, b._id, pair))
        fill(pair, fields)
        check(lib.scree_material_set_pair(self._pointer, a._id, b._id, pair))

    def add(self, shape: Shape, *, material: Material | None = None, **fields: Any) -> Body:
        """Adds a body. Keywords: type ("dynamic", "static", "kinematic"), position (m), rotation (x, y, z, w),
        linear_velocity (m/s), angular_velocity (rad/s), mass (kg) and other fields of scree_body_def. Errors: TypeError
        for a material that is not of `add_material`, ValueError for an unknown field."""
        self._may_change()
        _validate_fields(fields)
        identity = ffi.new("scree_body_id *")
        check(lib.scree_body_create(self._pointer, self._body(shape, material, fields), identity))
        return Body(self, identity[0])

    @staticmethod
    def _body(shape: Shape, material: Material | None, fields: dict[str, Any]) -> Any:
        definition = ffi.new("scree_body_def *", lib.scree_default_body_def())
        state = {name: fields[name] for name in fields if name in Body.STATE}
        fill(definition, {name: value for name, value in fields.items() if name not in state})
        fill(definition.state, state)
        validate("shape", shape, Shape)
        definition.shape = shape._struct
        if material is not None:
            validate("material", material, Material)
            definition.material = material._id
        return definition

    def add_all(self, shape: Shape | Sequence[Shape], position: npt.ArrayLike, *, scale: npt.ArrayLike = 1,
                material: Material | None = None, **fields: Any) -> npt.NDArray[np.intp]:
        """Adds n bodies in one call, or none if one is refused, and returns their indices, (n,).

        `position`: (n, 3) m. `shape`: of all, or n shapes. `scale`: (n,) factor of the lengths of a shape. Other
        keywords as `add`; values of state and numbers may be arrays with n rows."""
        self._may_change()
        places = real(position, "f4", "position")
        if places.ndim != 2 or places.shape[1] != 3:
            raise ValueError(f"position: shape {places.shape}; must be (n, 3)")
        _validate_fields(fields)
        rows = self._rows(shape, material, fields, len(places))
        rows["state"]["position"] = places
        scales = np.empty(len(rows), "f4")
        put(scales, scale, "scale")
        rows["shape"]["size"] *= scales[:, None]
        ids = np.zeros(len(rows), dtype_of("scree_body_id"))
        check(lib.scree_body_create_all(self._pointer, ffi.from_buffer("scree_body_def[]", rows), len(rows),
                                        ffi.from_buffer("scree_body_id[]", ids)))
        return ids["index"].astype(np.intp) - 1

    def _rows(self, shape: Shape | Sequence[Shape], material: Material | None, fields: dict[str, Any],
              count: int) -> npt.NDArray[Any]:
        """Returns definitions of bodies as a structured array."""
        arrays = {name: value for name, value in fields.items() if np.ndim(value) > (name in Body.VECTORS)}
        single = {name: value for name, value in fields.items() if name not in arrays}
        shapes = list(shape) if isinstance(shape, Iterable) else [shape]
        if len(shapes) not in (1, count):
            raise ValueError(f"shape: {len(shapes)} shapes; must be 1 or {count}")
        rows = np.zeros(count, dtype_of("scree_body_def"))
        for i, one in enumerate(shapes):
            definition = ffi.buffer(self._body(one, material, single))
            rows[i : i + 1 if len(shapes) > 1 else count] = np.frombuffer(definition, rows.dtype)
        for name, value in arrays.items():
            put((rows["state"] if name in Body.STATE else rows)[name], value, name)
        return rows

    def add_joint(self, kind: str, a: Body | None, b: Body | None, point: Vector, *, x: Vector = (1, 0, 0),
                  y: Vector = (0, 0, 0), axes: dict[str, dict[str, Any]] | None = None, **fields: Any) -> Joint:
        """Adds a joint ("hinge", "slider", "ball", …) at a world point (m) with its axis along `x`. None for a or b:
        the world. `axes`: fields of scree_joint_axis by the name of an axis, such as {"rotation-x": {"drive":
        "velocity", "target": 1.0, "max_force": 5}}."""
        definition = joint_definition(kind, axes or {}, fields)
        for side, body in (("a", a), ("b", b)):
            if body is not None:
                validate(side, body, Body)
                setattr(definition, side, body._id)
        check(lib.scree_joint_get_frame(self._pointer, definition, vector(point, "point"), vector(x, "x"), vector(y, "y")))
        identity = ffi.new("scree_joint_id *")
        check(lib.scree_joint_create(self._pointer, definition, identity))
        return Joint(self, identity[0])

    @property
    def bodies(self) -> Bodies:
        """The bodies, as objects and as arrays."""
        return Bodies(self)

    @property
    def joints(self) -> list[Joint]:
        """The joints, with broken ones."""
        return [Joint(self, identity) for identity in listed("scree_joint_id", lib.scree_joint_list, self._pointer)]

    # --- steps --------------------------------------------------------------------------------------------------

    def step(self, count: int = 1, *, progress: bool = False,
             each: Callable[[Mapping[str, Any]], bool | None] | None = None) -> Mapping[str, Any]:
        """Makes `count` steps and returns the statistics of the last one (scree_statistics).

        `progress` shows a bar (needs tqdm). `each` is called with the statistics after each step and ends the run
        if it returns True. Ctrl-C raises KeyboardInterrupt after a whole step, and the world can go on. Other threads run
        meanwhile. Errors: ValueError if `count` < 0."""
        if operator.index(count) < 0:
            raise ValueError(f"count: {count}; must be >= 0")
        self._advance(count, progress, None if each is None else lambda: bool(each(self.statistics)))
        return self.statistics

    def _advance(self, count: int, progress: bool, after: Callable[[], bool] | None) -> None:
        """Makes up to `count` steps, until `after` returns True after one."""
        if lib.scree_flow_list(self._pointer, ffi.NULL, 0) > 0:
            self._may_change()
        for _ in _bar(count, progress):
            check(lib.scree_world_step(self._pointer, self._statistics))
            if after is not None and after():
                break

    @property
    def statistics(self) -> Mapping[str, Any]:
        """The statistics of the last step that this object made (scree_statistics); dict() converts all of them."""
        return View(copied(self._statistics[0]))

    @property
    def time(self) -> float:
        """The simulated time, s."""
        return float(lib.scree_world_get_time(self._pointer))

    @property
    def time_step(self) -> float:
        """The time step, s."""
        return float(lib.scree_world_get_def(self._pointer).time_step)

    @time_step.setter
    def time_step(self, value: float) -> None:
        check(lib.scree_world_set_time_step(self._pointer, value))

    @property
    def period(self) -> npt.NDArray[np.float32]:
        """The period along each axis, (3,) m; 0: none."""
        definition = lib.scree_world_get_def(self._pointer)
        return np.asarray(as_python(definition.period))

    @property
    def gravity(self) -> npt.NDArray[np.float32]:
        """The gravity of the last step, (3,) m/s²; setting it ends a schedule."""
        definition = lib.scree_world_get_def(self._pointer)
        return np.asarray(as_python(definition.gravity))

    @gravity.setter
    def gravity(self, value: Vector) -> None:
        check(lib.scree_world_set_gravity(self._pointer, vector(value, "gravity")))

    @property
    def solver(self) -> dict[str, Any]:
        """The settings of the solver (scree_solver_def), a copy."""
        definition = lib.scree_world_get_def(self._pointer)
        return dict(as_python(definition.solver))

    def set_solver(self, preset: str | None = None, **fields: Any) -> None:
        """Changes settings of the solver; `preset` ("balanced", "accurate", …) sets all of them before."""
        world = lib.scree_world_get_def(self._pointer)
        definition = ffi.new("scree_solver_def *", world.solver)
        if preset is not None:
            holder = ffi.new("scree_solver_def *", lib.scree_default_solver_def())
            kinds = ffi.typeof("scree_preset")
            holder[0] = lib.scree_solver_def_with_preset(holder[0], value_of(kinds, preset, "preset"))
            definition = holder
        fill(definition, fields)
        check(lib.scree_world_set_solver(self._pointer, definition))

    @property
    def contacts(self) -> npt.NDArray[Any]:
        """The contacts of the last step as a structured array with the fields of scree_contact, a copy: a and b
        (ids), point (m), normal, impulse (N s on b), gap (m), …"""
        rows = np.zeros(lib.scree_contact_count(self._pointer), dtype_of("scree_contact"))
        lib.scree_contact_list(self._pointer, ffi.from_buffer("scree_contact[]", rows), len(rows))
        return rows

    @property
    def centres(self) -> npt.NDArray[np.float32]:
        """Centres of mass of the dynamic bodies, (n, 3) m, a copy."""
        return np.asarray(self.bodies.positions[self.bodies.dynamic])

    @property
    def device(self) -> str:
        """The backend, such as "native, 2 threads"; "" before it is chosen."""
        return text(lib.scree_world_get_device_name(self._pointer))

    @property
    def hash(self) -> int:
        """A hash of the state; equal worlds have equal hashes."""
        return int(lib.scree_world_get_hash(self._pointer))

    # --- queries ------------------------------------------------------------------------------------------------

    def cast_ray(self, origin: Vector, direction: Vector, distance: float = float("inf")) -> dict[str, Any] | None:
        """Returns the first body that a ray enters: body, distance (m), point (m) and normal; None if there is
        none."""
        ray = ffi.new("scree_ray *")
        fill(ray, {"origin": origin, "direction": direction, "distance": distance})
        hit = ffi.new("scree_ray_hit *")
        check(lib.scree_world_cast_ray(self._pointer, ray, ffi.NULL, hit))
        if hit.body.index == 0:
            return None
        return {"body": Body(self, hit.body), "distance": hit.distance, "point": as_python(hit.point),
                "normal": as_python(hit.normal)}

    def overlap_sphere(self, centre: Vector, radius: float) -> list[Body]:
        """Returns the bodies that share a point with a sphere, m."""
        count = ffi.new("int *")
        arguments = (self._pointer, vector(centre, "centre"), radius, ffi.NULL)
        check(lib.scree_world_overlap_sphere(*arguments, ffi.NULL, 0, count))
        out = ffi.new("scree_body_id[]", count[0])
        check(lib.scree_world_overlap_sphere(*arguments, out, len(out), count))
        return [Body(self, out[i]) for i in range(len(out))]

    # --- files --------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a checkpoint, from which `load_checkpoint` goes on with the same bits."""
        check(lib.scree_checkpoint_save(self._pointer, os.fsencode(path)))

    def copy(self) -> World:
        """Returns a world with the same state."""
        out = ffi.new("scree_world **")
        check(lib.scree_world_clone(self._pointer, out))
        return World._of(out[0])

    def picture(self, path: str | os.PathLike[str], **view: Any) -> None:
        """Draws the world as a PNG file; keywords are the fields of scree_view."""
        frame = ffi.new("scree_frame *")
        check(lib.scree_frame_from_world(self._pointer, frame))
        try:
            check(lib.scree_snapshot_save(frame, defined("scree_view", lib.scree_default_view(), view), os.fsencode(path)))
        finally:
            lib.scree_frame_release(frame)

    def show(self, colour: str | npt.ArrayLike = "speed", **plotter: Any) -> Any:
        """Shows the bodies in a notebook or a window, and returns pyvista's plotter. `colour`: "speed", "height", or a
        value for each row of `bodies`. Keywords are those of pyvista.Plotter. Needs pyvista."""
        from .surface import show

        view = show(self, colour, **plotter)
        view.show()
        return view


def load_checkpoint(path: str | os.PathLike[str], **runtime: Any) -> World:
    """Returns the world of a checkpoint. Keywords: backend, pipeline, device, threads."""
    definition = defined("scree_world_def", lib.scree_default_world_def(), runtime)
    out = ffi.new("scree_world **")
    check(lib.scree_checkpoint_load(os.fsencode(path), definition, out))
    return World._of(out[0])
