"""Bodies: one as an object, all of a world as arrays. All quantities are in SI units."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from ._binding import ffi, lib
from ._structs import as_python, copied, dtype_of, fill, listed, numbers, put, real
from .errors import check

if TYPE_CHECKING:
    from .world import World

Vector = Union[Sequence[float], npt.NDArray[Any]]


def vector(values: Vector, path: str) -> list[float]:
    """Returns the three numbers of a vector as cffi takes them. Errors: ValueError."""
    return numbers(values, 3, path)


class Body:
    """A body of a world."""

    STATE = ("position", "rotation", "linear_velocity", "angular_velocity")
    VECTORS = (*STATE, "inertia", "force", "torque", "surface_velocity")

    def __init__(self, world: World, identity: Any) -> None:
        self._world, self._id = world, copied(identity)

    def __repr__(self) -> str:
        return f"<scree.Body {self.index}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Body) and bytes(ffi.buffer(ffi.new("scree_body_id *", self._id))) == bytes(
            ffi.buffer(ffi.new("scree_body_id *", other._id)))

    def __hash__(self) -> int:
        return hash((self._id.index, self._id.generation, self._id.world))

    @property
    def index(self) -> int:
        """The index of the body's row in the arrays of World.bodies."""
        return int(self._id.index) - 1

    @property
    def alive(self) -> bool:
        """Whether the body still exists."""
        return bool(lib.scree_body_is_valid(self._world._pointer, self._id))

    def _state(self) -> Any:
        out = ffi.new("scree_body_state *")
        check(lib.scree_body_get_state(self._world._pointer, self._id, out))
        return out

    def _vector(self, field: str) -> npt.NDArray[np.float32]:
        state = self._state()
        return np.asarray(as_python(getattr(state, field)))

    def set_state(self, **fields: Vector) -> None:
        """Sets any of position (m), rotation (x, y, z, w), linear_velocity (m/s) and angular_velocity (rad/s)."""
        state = self._state()
        fill(state, fields)
        check(lib.scree_body_set_state(self._world._pointer, self._id, state))

    @property
    def position(self) -> npt.NDArray[np.float32]:
        """The centre of mass, (3,) m, a copy."""
        return self._vector("position")

    @position.setter
    def position(self, value: Vector) -> None:
        self.set_state(position=value)

    @property
    def rotation(self) -> npt.NDArray[np.float32]:
        """The rotation from body to world axes as a quaternion (x, y, z, w), a copy."""
        return self._vector("rotation")

    @rotation.setter
    def rotation(self, value: Vector) -> None:
        self.set_state(rotation=value)

    @property
    def velocity(self) -> npt.NDArray[np.float32]:
        """The velocity of the centre of mass, (3,) m/s, a copy."""
        return self._vector("linear_velocity")

    @velocity.setter
    def velocity(self, value: Vector) -> None:
        self.set_state(linear_velocity=value)

    @property
    def spin(self) -> npt.NDArray[np.float32]:
        """The angular velocity in world axes, (3,) rad/s, a copy."""
        return self._vector("angular_velocity")

    @spin.setter
    def spin(self, value: Vector) -> None:
        self.set_state(angular_velocity=value)

    @property
    def mass(self) -> float:
        """The mass, kg; 0 if the body is not dynamic."""
        out = ffi.new("float *")
        check(lib.scree_body_get_mass(self._world._pointer, self._id, out, ffi.NULL))
        return float(out[0])

    def get(self) -> dict[str, Any]:
        """Returns the fields of the definition (scree_body_def) with the current state."""
        out = ffi.new("scree_body_def *")
        check(lib.scree_body_get_def(self._world._pointer, self._id, out))
        return dict(as_python(out[0]))

    def set_loads(self, force: Vector = (0, 0, 0), torque: Vector = (0, 0, 0)) -> None:
        """Sets the force (N) and torque (N m) that act in every step, world axes."""
        check(lib.scree_body_set_loads(self._world._pointer, self._id, vector(force, "force"), vector(torque, "torque")))

    def apply_impulse(self, impulse: Vector, point: Vector | None = None) -> None:
        """Changes the velocities at once by an impulse (N s) at the centre of mass or at a world point (m)."""
        kick = vector(impulse, "impulse")
        if point is None:
            check(lib.scree_body_apply_impulse(self._world._pointer, self._id, kick))
        else:
            check(lib.scree_body_apply_impulse_at(self._world._pointer, self._id, kick, vector(point, "point")))

    def remove(self) -> None:
        """Removes the body, its contacts and its joints."""
        self._world._may_change()
        check(lib.scree_body_destroy(self._world._pointer, self._id))


class _Export:
    """Memory of a world that arrays refer to."""

    def __init__(self, world: World, address: int, count: int, dtype: npt.DTypeLike, stride: int) -> None:
        item = np.dtype(dtype)
        self._pointer = world._pointer  # keeps the memory alive
        self.__array_interface__ = {
            "version": 3, "shape": (count, *item.shape), "typestr": item.base.str, "data": (address, True),
            "strides": (stride, *(item.base.itemsize for _ in item.shape)),
        }


class Bodies:
    """The bodies of a world as arrays: row i belongs to the body with index i, free rows have type 0.

    Arrays are views of the world's memory without copies, read-only, and show the last step when they are
    read from here; an array that is kept may lag behind. While an array is in use, calls that would move the
    memory raise BufferError; `copy()` an array to keep it."""

    def __init__(self, world: World) -> None:
        self._world = world

    def _ids(self) -> list[Any]:
        return listed("scree_body_id", lib.scree_body_list, self._world._pointer)

    def _columns(self) -> Any:
        out = ffi.new("scree_body_columns *")
        check(lib.scree_world_get_columns(self._world._pointer, out))
        return out

    def _view(self, address: Any, stride: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        count = self._columns().count
        if count == 0:
            return np.empty((0, *np.dtype(dtype).shape), np.dtype(dtype).base)
        export = _Export(self._world, int(ffi.cast("uintptr_t", address)), count, dtype, stride)
        self._world._exports.add(export)
        return np.asarray(export)

    def _column(self, name: str, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        columns = self._columns()  # which the column does not keep alive
        column = getattr(columns, name)
        return self._view(column.base, column.stride, dtype)

    def __len__(self) -> int:
        """The number of living bodies."""
        return int(lib.scree_body_count(self._world._pointer))

    def __iter__(self) -> Iterator[Body]:
        return (Body(self._world, identity) for identity in self._ids())

    def _living(self, index: int) -> Any:
        """Returns the columns. Errors: IndexError unless they have a body with this index."""
        columns = self._columns()
        if not 0 <= operator.index(index) < columns.count or columns.types[index] == 0:
            raise IndexError(f"body {index}; must exist")
        return columns

    def __getitem__(self, index: int) -> Body:
        columns = self._living(index)
        identity = ffi.new("scree_body_id *", {"index": index + 1, "generation": columns.generations[index],
                                               "world": lib.scree_world_get_number(self._world._pointer)})
        return Body(self._world, identity[0])

    @property
    def types(self) -> npt.NDArray[np.uint8]:
        """0: free, 1: static, 2: kinematic, 3: dynamic; (n,)."""
        return self._view(self._columns().types, 1, "u1")

    @property
    def dynamic(self) -> npt.NDArray[np.bool_]:
        """Whether a row is a dynamic body, (n,); a copy."""
        return np.asarray(self.types == 1 + lib.SCREE_BODY_DYNAMIC, dtype=np.bool_)

    @property
    def positions(self) -> npt.NDArray[np.float32]:
        """Centres of mass, (n, 3) m."""
        return self._column("positions", ("f4", (3,)))

    @property
    def rotations(self) -> npt.NDArray[np.float32]:
        """Rotations from body to world axes, quaternions (x, y, z, w), (n, 4)."""
        return self._column("rotations", ("f4", (4,)))

    @property
    def velocities(self) -> npt.NDArray[np.float32]:
        """Velocities of the centres of mass, (n, 3) m/s."""
        return self._column("velocities", ("f4", (3,)))

    @property
    def spins(self) -> npt.NDArray[np.float32]:
        """Angular velocities in world axes, (n, 3) rad/s."""
        return self._column("spins", ("f4", (3,)))

    @property
    def masses(self) -> npt.NDArray[np.float32]:
        """Masses, (n,) kg; 0: not dynamic."""
        return self._column("masses", "f4")

    @property
    def sizes(self) -> npt.NDArray[np.float32]:
        """Sizes of the shapes, (n, 3) m, as the kind of each shape defines them (scree_shape_kind)."""
        base = ffi.cast("char *", self._columns().shapes) + ffi.offsetof("scree_shape", "size")
        return self._view(base, ffi.sizeof("scree_shape"), ("f4", (3,)))

    def radius(self, index: int) -> float:
        """The radius of the smallest sphere around a body's centre that contains its shape, m."""
        return float(lib.scree_shape_get_radius(self._living(index).shapes[index]))

    def set(self, indices: npt.ArrayLike | None = None, **states: npt.ArrayLike) -> None:
        """Sets any of position, rotation, linear_velocity and angular_velocity, one row for each of `indices`, or one for
        all. `indices`: (n,) indices, or a mask of the rows; None: all living bodies, in the order of their indices. Nothing
        changes if a row is refused. Errors: IndexError, TypeError, ValueError."""
        identities = self._ids() if indices is None else [self[int(i)]._id for i in self._rows(indices)]
        ids, count = ffi.new("scree_body_id[]", identities), len(identities)
        rows = np.zeros(count, dtype_of("scree_body_state"))
        buffer = ffi.from_buffer("scree_body_state[]", rows)
        check(lib.scree_body_get_states(self._world._pointer, ids, count, buffer))
        for name, values in states.items():
            if name not in Body.STATE:
                raise ValueError(f"{name}: no state of a body; must be one of {', '.join(Body.STATE)}")
            put(rows[name], values, name)
        check(lib.scree_body_set_states(self._world._pointer, ids, count, buffer))

    def _rows(self, indices: npt.ArrayLike) -> npt.NDArray[np.intp]:
        chosen = np.asarray(indices)
        total = self._columns().count
        if chosen.dtype == np.bool_ and chosen.shape != (total,):
            raise ValueError(f"indices: a mask of shape {chosen.shape}; must be ({total},)")
        rows = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else real(chosen, np.intp, "indices")
        if rows.ndim != 1:
            raise ValueError(f"indices: shape {rows.shape}; must be (n,)")
        return rows
