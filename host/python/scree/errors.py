"""Exceptions: one class for each result code of the library, with the library's message; a warning; Ctrl-C."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._binding import ffi, lib

if TYPE_CHECKING:
    import pandas

    from .ensemble import Ensemble
    from .record import Record


class Error(Exception):
    """A call that failed. `bodies` are the indices of the bodies that the message names, 0 to 2 of them."""

    bodies: tuple[int, ...] = ()


class ArgumentError(Error, ValueError):
    """A parameter is outside its documented range."""


class HandleError(Error, LookupError):
    """An object was destroyed or belongs to another world."""


class OutOfMemoryError(Error, MemoryError):
    """The host or the device is out of memory."""


class CapacityError(Error, OverflowError):
    """A limit set by the caller, or the index range, would be exceeded."""


class DeviceError(Error, RuntimeError):
    """OpenCL is missing, no device matches, a kernel did not build, or the device failed."""


class NotFiniteError(Error, ArithmeticError):
    """A body's state or the residual became NaN or infinite."""


class FileError(Error, OSError):
    """A file or folder could not be opened, read or written, or the disk is full."""


class FormatError(Error, ValueError):
    """The content of a file or scene is invalid; the message gives the place."""


class UnsupportedError(Error, NotImplementedError):
    """This build or backend does not support the operation."""


class InfeasibleWarning(UserWarning):
    """A contact problem has no solution; the impulses that come with the warning are meaningless."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run after its current step.

    `record`: of Scene.run, until that step; `record.world` can go on. `ensemble`: of run_all, with the worlds that ended
    before. The other one is None."""

    def __init__(self, message: str, record: Record | None = None, ensemble: Ensemble | None = None) -> None:
        super().__init__(message)
        self.record, self.ensemble = record, ensemble

    @property
    def table(self) -> pandas.DataFrame:
        """The table of the ensemble. `failure` is "interrupted" for worlds that did not end. Errors: AttributeError if no
        ensemble was interrupted."""
        if self.ensemble is None:
            raise AttributeError("table: an interrupted run has a record; only interrupted ensembles have a table")
        return self.ensemble.table


_CLASSES = {
    lib.SCREE_ERROR_ARGUMENT: ArgumentError,
    lib.SCREE_ERROR_HANDLE: HandleError,
    lib.SCREE_ERROR_MEMORY: OutOfMemoryError,
    lib.SCREE_ERROR_CAPACITY: CapacityError,
    lib.SCREE_ERROR_NO_PLATFORM: DeviceError,
    lib.SCREE_ERROR_NO_DEVICE: DeviceError,
    lib.SCREE_ERROR_KERNEL_BUILD: DeviceError,
    lib.SCREE_ERROR_DEVICE_MEMORY: OutOfMemoryError,
    lib.SCREE_ERROR_DEVICE: DeviceError,
    lib.SCREE_ERROR_NOT_FINITE: NotFiniteError,
    lib.SCREE_ERROR_FILE: FileError,
    lib.SCREE_ERROR_DISK_FULL: FileError,
    lib.SCREE_ERROR_FORMAT: FormatError,
    lib.SCREE_ERROR_UNSUPPORTED: UnsupportedError,
}


def check(result: int) -> None:
    """Raises the exception of a result code other than SCREE_OK."""
    if result == lib.SCREE_OK:
        return
    error = _CLASSES.get(result, Error)(ffi.string(lib.scree_error_get_message()).decode())
    bodies = ffi.new("uint32_t[2]")
    count = lib.scree_error_get_bodies(bodies)
    error.bodies = tuple(bodies[i] for i in range(count))
    raise error
