"""Contact problems of FCLIB files, and the error of a solution, in numpy. Shares no code with scree.

Impulses x are r of the contacts, three rows each, followed by l of the equalities (joints):

    u = W r + V l + q,   0 = V' r + R l + s."""

import h5py
import numpy as np
import scipy.linalg
import scipy.sparse

# Smaller eigenvalues of R, relative to the largest, belong to redundant joints. Frames of joints are in single precision,
# and eigenvalues are proportional to their squares.
REDUNDANT = 1e-11


class Problem:
    """W, V, R, q, s and the friction coefficients mu; without equalities V, R and s are empty."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            if "fclib_local" not in file:
                raise ValueError(f"{path}: no problem in FCLIB's local form")
            root = file["fclib_local"]
            if root["spacedim"][0] != 3:
                raise ValueError(f"{path}: not three components a contact")
            self.W = read_matrix(root["W"])
            self.q = root["vectors/q"][:]
            self.mu = root["vectors/mu"][:]
            self.contacts = len(self.mu)
            joined = "V" in root
            self.V = read_matrix(root["V"]) if joined else scipy.sparse.csr_matrix((3 * self.contacts, 0))
            self.R = read_matrix(root["R"]) if joined else scipy.sparse.csr_matrix((0, 0))
            self.s = root["vectors/s"][:] if joined else np.zeros(0)
        self.equalities = len(self.s)

    def velocities(self, x):
        """Returns the velocities of the contacts' rows, followed by those of the equalities, which should be 0."""
        r, l = np.split(x, [3 * self.contacts])
        return np.append(self.W @ r + self.V @ l + self.q, self.V.T @ r + self.R @ l + self.s)

    def eliminated(self):
        """Returns the problem of the contacts alone, W' = W - V R^-1 V' and q' = q - V R^-1 s, and a function that
        converts its r to impulses x: l = -R^-1 (V' r + s)."""
        if not self.equalities:
            return self, lambda r: r
        inverse = scipy.linalg.pinvh(self.R.toarray(), rtol=REDUNDANT)
        columns = self.V.toarray()
        other = object.__new__(Problem)
        full = self.W.toarray() - columns @ inverse @ columns.T
        other.W = scipy.sparse.csr_matrix((full + full.T) / 2)
        other.q = self.q - columns @ (inverse @ self.s)
        other.mu, other.contacts, other.equalities = self.mu, self.contacts, 0
        other.V, other.R, other.s = self.V[:, :0], self.R[:0, :0], self.s[:0]
        return other, lambda r: np.append(r, -inverse @ (columns.T @ r + self.s))


def read_matrix(group):
    rows, columns, nz = (int(group[name][0]) for name in ("m", "n", "nz"))
    p, i, x = group["p"][:], group["i"][:], group["x"][:]
    if nz == -2:  # compressed rows
        matrix = scipy.sparse.csr_matrix((x[: p[-1]], i[: p[-1]], p), shape=(rows, columns))
    elif nz == -1:  # compressed columns
        matrix = scipy.sparse.csc_matrix((x[: p[-1]], i[: p[-1]], p), shape=(rows, columns))
    else:  # triplets: i rows, p columns
        matrix = scipy.sparse.coo_matrix((x[:nz], (i[:nz], p[:nz])), shape=(rows, columns))
    return matrix.tocsr()


def read_impulses(path, group):
    with h5py.File(path, "r") as file:
        found = file[group]
        return np.append(found["r"][:], found["l"][:] if "l" in found else [])


def read_solution(path):
    """Returns the impulses x of a file."""
    return read_impulses(path, "solution")


def read_guess(path):
    """Returns the initial guess x of a file: in a dump of a world, its own solution."""
    return read_impulses(path, "guesses/1")


def project(x, mu):
    """Projects on the cones |x_T| <= mu x_N, one row per contact."""
    normal, tangent = x[:, 0], x[:, 1:]
    size = np.linalg.norm(tangent, axis=1)
    outside = mu * size <= -normal
    inside = ~outside & (size <= mu * normal)
    between = (mu * size + normal) / (1 + mu * mu)
    y = np.empty_like(x)
    y[:, 0] = np.where(outside, 0, np.where(inside, normal, between))
    scale = np.where(outside, 0, np.where(inside, 1, mu * between / np.where(size > 0, size, 1)))
    y[:, 1:] = tangent * scale[:, None]
    return y


def natural_map(problem, x, rho):
    """Returns the natural map, one row per contact, then the equalities, whose map is their velocity; and all velocities."""
    u = problem.velocities(x)
    rows = 3 * problem.contacts
    shifted = u[:rows].reshape(-1, 3).copy()
    shifted[:, 0] += problem.mu * np.linalg.norm(shifted[:, 1:], axis=1)
    blocks = x[:rows].reshape(-1, 3)
    contacts = blocks - project(blocks - rho[:problem.contacts, None] * shifted, problem.mu)
    return np.append(contacts, np.repeat(rho[problem.contacts:], 3)[:problem.equalities] * u[rows:]), u


def drive(problem):
    return np.append(problem.q, problem.s)


def blocks_of(problem):
    return problem.contacts + -(-problem.equalities // 3)


def siconos_error(problem, x):
    """Siconos 4.4's fc3d_compute_error: the natural map with rho = 1 over max(|q|, |r|, |u|), over equalities as well."""
    map_, u = natural_map(problem, x, np.ones(blocks_of(problem)))
    scale = max(np.linalg.norm(drive(problem)), np.linalg.norm(x), np.linalg.norm(u))
    return np.linalg.norm(map_) / (scale if scale > 2.2e-16 else 1)


def scaled_error(problem, x):
    """The natural map with rho = 3/trace(W_aa), which has no units. Three equalities form a block."""
    diagonal = np.zeros(3 * blocks_of(problem))
    diagonal[:len(x)] = np.append(problem.W.diagonal(), problem.R.diagonal())
    rho = 3 / diagonal.reshape(-1, 3).sum(axis=1)
    map_, _ = natural_map(problem, x, rho)
    scale = max(np.linalg.norm(x), np.linalg.norm(np.repeat(rho, 3)[:len(x)] * drive(problem)))
    return np.linalg.norm(map_) / scale if scale > 0 else 0.0
