"""Frames: states that a run has written to its folder."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._binding import ffi, lib
from ._structs import dtype_of
from .errors import check

if TYPE_CHECKING:
    import pandas
    import xarray


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
    def table(self) -> pandas.DataFrame:
        """The bodies by their ids: type, size, position (m), rotation, velocity (m/s) and spin (rad/s) by components."""
        import pandas

        columns: dict[str, Any] = {"type": self.types} | _components("size_", self.sizes) | _components("", self.positions)
        columns |= _components("q", self.rotations) | _components("v", self.velocities) | _components("w", self.spins)
        return pandas.DataFrame(columns, index=pandas.Index(self.ids, name="id"))

    @property
    def contact_table(self) -> pandas.DataFrame:
        """The contacts: ids a and b, point (m), normal, impulse on b (N s) and torque (N m s) by components, gap (m)."""
        import pandas

        contacts = self.contacts
        columns: dict[str, Any] = {"a": contacts["a"]["index"], "b": contacts["b"]["index"]}
        for name in ("point", "normal", "impulse", "torque"):
            columns |= _components(f"{name}_", contacts[name])
        return pandas.DataFrame(columns | {"gap": contacts["gap"]})

    @property
    def period(self) -> npt.NDArray[np.float32]:
        """0 along each axis, (3,) m, since files of frames do not have the period."""
        return np.zeros(3, "f4")

    @staticmethod
    def _copy(pointer: Any, count: int, kind: str) -> npt.NDArray[Any]:
        if count == 0 or pointer == ffi.NULL:
            return np.zeros(0, dtype_of(kind))
        return np.frombuffer(ffi.buffer(pointer, count * ffi.sizeof(kind)), dtype_of(kind)).copy()


def _components(prefix: str, values: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
    return {prefix + name: values[:, i] for i, name in enumerate("xyzw"[: values.shape[1]])}


def dataset(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> xarray.Dataset:
    """Returns the frames of a run's folder, or given files, with the coordinates time (s) and id: position (m), rotation
    (x, y, z, w), velocity (m/s) and spin (rad/s) of each body, NaN where it did not exist. Needs xarray."""
    import xarray

    files = frames(paths) if isinstance(paths, (str, os.PathLike)) else list(paths)
    read = [Frame(path) for path in files]
    ids = np.unique(np.concatenate([frame.ids for frame in read])) if read else np.zeros(0, "u4")
    series = {}
    for name, unit, axis in (("position", "m", "xyz"), ("rotation", "1", "xyzw"), ("velocity", "m/s", "xyz"), ("spin", "rad/s", "xyz")):
        values = np.full((len(read), len(ids), len(axis)), np.nan, "f4")
        for place, frame in enumerate(read):
            values[place, np.searchsorted(ids, frame.ids)] = getattr(frame, f"{name}s" if name != "velocity" else "velocities")
        part = "component" if axis == "xyzw" else "axis"
        series[name] = xarray.DataArray(values, dims=("time", "id", part), attrs={"units": unit})
    times = xarray.DataArray([frame.time for frame in read], dims="time", attrs={"units": "s"})
    return xarray.Dataset(series, {"time": times, "id": ids, "axis": list("xyz"), "component": list("xyzw")})


def frames(folder: str | os.PathLike[str]) -> list[pathlib.Path]:
    """Returns the files of a run's frames in the order of time, for Frame. Errors: FileNotFoundError, NotADirectoryError."""
    os.listdir(folder)
    return sorted(pathlib.Path(folder).glob("**/frame_*.vtkhdf"))
