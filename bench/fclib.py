"""Contact problems of FCLIB files, and how wrong a solution is, in numpy: shares nothing with scree."""

import h5py
import numpy as np
import scipy.sparse


class Problem:
    """u = W r + q, three rows a contact (normal first), with friction coefficients mu."""

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


def read_solution(path):
    """The impulses r of a file."""
    with h5py.File(path, "r") as file:
        return file["solution/r"][:]


def project(x, mu):
    """On the cones |x_T| <= mu x_N, one row a contact."""
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


def natural_map(problem, r, rho):
    u = problem.W @ r + problem.q
    shifted = u.reshape(-1, 3).copy()
    shifted[:, 0] += problem.mu * np.linalg.norm(shifted[:, 1:], axis=1)
    blocks = r.reshape(-1, 3)
    return blocks - project(blocks - rho[:, None] * shifted, problem.mu), u


def siconos_error(problem, r):
    """Siconos 4.4's fc3d_compute_error: the natural map with rho = 1 over max(|q|, |r|, |u|)."""
    map_, u = natural_map(problem, r, np.ones(problem.contacts))
    scale = max(np.linalg.norm(problem.q), np.linalg.norm(r), np.linalg.norm(u))
    return np.linalg.norm(map_) / (scale if scale > 2.2e-16 else 1)


def scaled_error(problem, r):
    """rho = 3/trace(W_aa): free of units."""
    rho = 3 / problem.W.diagonal().reshape(-1, 3).sum(axis=1)
    map_, _ = natural_map(problem, r, rho)
    scale = max(np.linalg.norm(r), np.linalg.norm(np.repeat(rho, 3) * problem.q))
    return np.linalg.norm(map_) / scale if scale > 0 else 0.0
