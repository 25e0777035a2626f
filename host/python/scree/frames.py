"""Frames: states that a run has written to its folder."""

from __future__ import annotations

import os
import pathlib
from typing import Any

import numpy as np
import numpy.typing as npt

from ._binding import ffi, lib
from ._structs import dtype_of
from .errors import check


class Frame:
    """The state of a world at one time, read from a file. Arrays are copies with one row a living body."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        frame = ffi.new("scree_frame *")
        check(lib.scree_frame_load(os.fsencode(path), frame))
        try:
            self.time_step = float(frame.time_step)
            self.step, self.time = int(frame.step), float(frame.time)
            states = self._copy(frame.states, frame.count, "scree_body_state")
            self.ids: npt.NDArray[Any] = self._copy(frame.ids, frame.count, "scree_body_id")["index"]
            self.positions: npt.NDArray[np.float32] = states["position"]
            self.rotations: npt.NDArray[np.float32] = states["rotation"]
            self.velocities: npt.NDArray[np.float32] = states["linear_velocity"]
            self.spins: npt.NDArray[np.float32] = states["angular_velocity"]
            self.types: npt.NDArray[Any] = self._copy(frame.types, frame.count, "scree_body_type")
            self.sizes: npt.NDArray[np.float32] = self._copy(frame.shapes, frame.count, "scree_shape")["size"]
            self.contacts: npt.NDArray[Any] = self._copy(frame.contacts, frame.contact_count, "scree_contact")
        finally:
            lib.scree_frame_release(frame)

    @property
    def centres(self) -> npt.NDArray[np.float32]:
        """Centres of mass of the dynamic bodies, (n, 3) m."""
        return np.asarray(self.positions[self.types == lib.SCREE_BODY_DYNAMIC])

    @property
    def period(self) -> npt.NDArray[np.float32]:
        """0 along each axis, (3,) m, since files of frames do not have the period."""
        return np.zeros(3, "f4")

    @staticmethod
    def _copy(pointer: Any, count: int, kind: str) -> npt.NDArray[Any]:
        if count == 0 or pointer == ffi.NULL:
            return np.zeros(0, dtype_of(kind))
        return np.frombuffer(ffi.buffer(pointer, count * ffi.sizeof(kind)), dtype_of(kind)).copy()


def frames(folder: str | os.PathLike[str]) -> list[pathlib.Path]:
    """Returns the files of a run's frames in the order of time, for Frame."""
    return sorted(pathlib.Path(folder).glob("**/frame_*.vtkhdf"))
