"""Statistics of the contacts of one step: forces of pairs, their distribution, directions and fabric."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


class State(Protocol):
    """A world, or a frame of a run."""

    @property
    def contacts(self) -> npt.NDArray[Any]:
        """The contacts of the last step (scree_contact)."""

    @property
    def time_step(self) -> float:
        """The time step, s."""

    @property
    def centres(self) -> npt.NDArray[np.float32]:
        """Centres of mass of the dynamic bodies, (n, 3) m."""

    @property
    def period(self) -> npt.NDArray[np.float32]:
        """The period along each axis, (3,) m; 0: none."""


def normal_forces(state: State) -> Array:
    """Returns the normal forces between pairs of bodies that push each other, (n,) N: the mean over the step, summed
    over the contact points of a pair."""
    contacts = state.contacts
    points = np.einsum("ij,ij->i", contacts["impulse"].astype("f8"), contacts["normal"].astype("f8"))
    pairs = np.stack((contacts["a"]["index"], contacts["b"]["index"]), axis=1)
    _, place = np.unique(pairs, axis=0, return_inverse=True)
    forces = np.bincount(place.reshape(-1), points) / state.time_step
    return np.asarray(forces[forces > 0])


def force_density(state: State, classes: int = 20, limit: float = 5) -> tuple[Array, Array]:
    """Returns the probability density P(f) of the normal force over its mean: the middles of `classes` equal classes
    from 0 to `limit`, and the densities, (classes,) each. What lies above `limit` counts in the total."""
    forces = normal_forces(state)
    edges = np.linspace(0, limit, classes + 1)
    counts, _ = np.histogram(forces / forces.mean() if len(forces) else forces, edges)
    return (edges[1:] + edges[:-1]) / 2, counts / (max(1, len(forces)) * (limit / classes))


def directions(state: State) -> Array:
    """Returns the unit normals of the contact points with a force, (n, 3)."""
    contacts = state.contacts
    pushing = np.einsum("ij,ij->i", contacts["impulse"], contacts["normal"]) > 0
    return np.asarray(contacts["normal"][pushing], dtype="f8")


def fabric(state: State) -> Array:
    """Returns the fabric tensor, the mean of n nᵀ over the contact points with a force, (3, 3); NaN without any."""
    normals = directions(state)
    if len(normals) == 0:
        return np.full((3, 3), np.nan)
    return np.asarray(normals.T @ normals / len(normals))
