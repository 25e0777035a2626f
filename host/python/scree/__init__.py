"""scree: contact of rigid bodies, with an error measure for every result. All quantities are in SI units."""

from ._structs import version
from .body import Bodies, Body
from .calibration import Fit, fit
from .contacts import fabric, force_density, normal_forces
from .correlation import pair_correlation
from .decomposition import Decomposition, decompose
from .ensemble import Ensemble, run_all
from .errors import (ArgumentError, CapacityError, DeviceError, Error, FileError, FormatError, HandleError,
                     InfeasibleWarning, Interrupted, NotFiniteError, OutOfMemoryError, UnsupportedError)
from .frames import Frame, dataset, frames
from .joint import Joint
from .material import Material
from .problem import Problem, Solution, solve
from .record import Record, measurements_of
from .scene import Scene
from .shape import (Shape, box, capsule, clump, compound, cone, cylinder, ellipsoid, half_space, height_field, hull,
                    load, mesh, solid, sphere)
from .world import World, load_checkpoint

__all__ = [
    "ArgumentError", "Bodies", "Body", "box", "CapacityError", "capsule", "clump", "compound", "cone", "cylinder",
    "dataset", "decompose", "Decomposition", "DeviceError", "ellipsoid", "Ensemble", "Error", "fabric", "FileError", "Fit", "fit", "force_density",
    "FormatError", "Frame", "frames", "half_space", "HandleError", "height_field", "hull", "InfeasibleWarning", "Interrupted", "Joint", "load",
    "load_checkpoint", "Material", "measurements_of", "mesh", "normal_forces", "NotFiniteError", "OutOfMemoryError",
    "pair_correlation", "Problem", "Record", "run_all", "Scene", "Shape", "solid", "Solution", "solve", "sphere",
    "UnsupportedError", "World",
]
__version__ = version()
