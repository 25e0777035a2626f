"""Materials of a world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._binding import ffi, lib
from ._structs import as_python, copied, fill
from .errors import check

if TYPE_CHECKING:
    from .world import World


class Material:
    """A material of a world. `None` in its place stands for the world's default material."""

    def __init__(self, world: World, identity: Any) -> None:
        self._world, self._id = world, copied(identity)

    def get(self) -> dict[str, Any]:
        """Returns the fields of the definition (scree_material_def)."""
        out = ffi.new("scree_material_def *")
        check(lib.scree_material_get_def(self._world._pointer, self._id, out))
        return dict(as_python(out[0]))

    def set(self, **fields: Any) -> None:
        """Changes fields of the definition from the next step on."""
        out = ffi.new("scree_material_def *")
        check(lib.scree_material_get_def(self._world._pointer, self._id, out))
        fill(out, fields)
        check(lib.scree_material_set_def(self._world._pointer, self._id, out))
