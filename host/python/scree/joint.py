"""Joints between two bodies, or a body and the world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ._binding import ffi, lib
from ._structs import as_python, copied, fill, value_of
from .errors import check

if TYPE_CHECKING:
    from .world import World


def joint_definition(kind: str, axes: dict[str, dict[str, Any]], fields: dict[str, Any]) -> Any:
    """Returns a definition with default frames."""
    number = value_of(ffi.typeof("scree_joint_kind"), kind, "kind")
    definition = ffi.new("scree_joint_def *", lib.scree_default_joint_def(number))
    for axis, values in axes.items():
        place = value_of(ffi.typeof("scree_axis"), axis, "axes")
        if not isinstance(values, Mapping):
            raise TypeError(f"axes.{axis}: {values!r}; must be a dict of fields of scree_joint_axis")
        fill(definition.axes[place], values, f"axes.{axis}")
    fill(definition, fields)
    return definition


class Joint:
    """A joint of a world."""

    def __init__(self, world: World, identity: Any) -> None:
        self._world, self._id = world, copied(identity)

    @property
    def state(self) -> dict[str, Any]:
        """Coordinates (m, rad), their rates, force (N), torque (N m), error (m) and others (scree_joint_state)."""
        out = ffi.new("scree_joint_state *")
        check(lib.scree_joint_get_state(self._world._pointer, self._id, out))
        return dict(as_python(out[0]))

    def set_target(self, axis: str, target: float) -> None:
        """Sets the target of the drive of an axis, such as "rotation-x"."""
        check(lib.scree_joint_set_target(self._world._pointer, self._id, value_of(ffi.typeof("scree_axis"), axis, "axis"),
                                         target))

    def apply_force(self, axis: str, force: float) -> None:
        """Adds a force (N) or torque (N m) along a coordinate in the next step."""
        check(lib.scree_joint_apply_force(self._world._pointer, self._id,
                                          value_of(ffi.typeof("scree_axis"), axis, "axis"), force))

    def remove(self) -> None:
        """Removes the joint."""
        check(lib.scree_joint_destroy(self._world._pointer, self._id))
