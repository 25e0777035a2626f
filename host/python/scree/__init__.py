"""scree: contact of rigid bodies, with an error measure for every result. All quantities are in SI units."""

from ._structs import version
from .body import Bodies, Body
from .contacts import fabric, force_density, normal_forces
from .correlation import pair_correlation
from .errors import (ArgumentError, CapacityError, DeviceError, Error, FileError, FormatError, HandleError,
                     NotFiniteError, OutOfMemoryError, UnsupportedError)
from .frames import Frame, frames
from .joint import Joint
from .material import Material
from .problem import Problem, Solution, solve
from .record import Record, measurements_of
from .scene import Scene
from .shape import (Shape, box, capsule, clump, compound, cone, cylinder, ellipsoid, half_space, height_field, hull,
                    load, mesh, solid, sphere)
from .world import World, load_checkpoint

__version__ = version()
