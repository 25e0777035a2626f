"""Reads a series with VTK's own readers and compares every value with the formulas of test_series.c.

    series_reader.py frames.xdmf [fields=NAME,...] STEP:BODIES:CONTACTS ...

Without fields= the frames contain every field.

Debian's python3-vtk9 reads each frame (vtkHDFReader); the index needs an XDMF reader, which only ParaView's copy of
VTK has (python3-paraview), and is otherwise compared as XML. Exit status 77: no VTK.
"""
import os
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

try:
    from vtkmodules.vtkIOHDF import vtkHDFReader
    from vtkmodules.util.numpy_support import vtk_to_numpy
    import h5py
    import numpy as np
except Exception as missing:  # an installed but incompatible library raises other exceptions
    print("skipped, because", missing)
    sys.exit(77)

FLOAT = np.float32
ALWAYS = {"position", "id", "generation", "type", "shape", "extent", "body_a", "generation_a", "body_b", "generation_b"}
chosen = None


def select(values):
    """Returns the arrays that the frames should contain."""
    return {name: value for name, value in values.items() if chosen is None or name in ALWAYS or name in chosen}



def bodies(step, count):
    """Returns the values of make_frame, in single precision where it uses it."""
    i = np.arange(count)
    x, s = i.astype(FLOAT), FLOAT(step)
    ones = np.ones(count, FLOAT)
    sphere, box = i % 2 == 1, (i % 2 == 0) & (i > 0)
    size = np.zeros((count, 3), FLOAT)
    size[sphere, 0] = x[sphere] / FLOAT(3)
    size[box] = np.stack([x + FLOAT(0.5), x + FLOAT(1.5), x + FLOAT(2.5)], 1)[box]
    extent = 2 * size
    extent[sphere] = extent[sphere, :1]
    return select({
        "position": np.stack([x / FLOAT(7), s / FLOAT(11) * ones, x * s / FLOAT(13)], 1),
        "id": 3 * i + 1,
        "generation": i + 2,
        "type": i % 3,
        "shape": np.where(i == 0, 2, np.where(box, 1, 0)),
        "extent": extent,
        "mass": x / FLOAT(17),
        "material": i % 5,
        # radius of the sphere of equal volume
        "radius": np.where(sphere, size[:, 0], np.cbrt(6 / np.pi * size.astype(float).prod(1))),
        "orientation": np.stack([x, FLOAT(0.1) * ones, FLOAT(0.2) * ones, FLOAT(0.3) * ones], 1),
        "velocity": np.stack([x, -x, s / FLOAT(3) * ones], 1),
        "angular_velocity": np.stack([s * ones, x / FLOAT(9), -s * ones], 1),
        "kinetic_energy": i / 3.0 + step,
        "contact_count": 2 * i + step,
        "periods": np.stack([i, -i, 0 * i + 3], 1),
    })


def contacts(step, count):
    i = np.arange(count)
    x, s = i.astype(FLOAT), FLOAT(step)
    ones = np.ones(count, FLOAT)
    return select({
        "position": np.stack([x, s * ones, x / FLOAT(3)], 1),
        "body_a": i + 1,
        "generation_a": 0 * i + 1,
        "body_b": i + 2,
        "generation_b": 0 * i + 4,
        "normal": np.stack([0 * ones, FLOAT(0.6) * ones, FLOAT(0.8) * ones], 1),
        "impulse": np.stack([x / FLOAT(5), s * ones, FLOAT(0.25) * ones], 1),
        "torque": np.stack([x / FLOAT(19), -s * ones, FLOAT(0.5) * ones], 1),
        "gap": -x / FLOAT(1000),
        "offset": np.stack([x, 0 * ones, -x], 1),
    })


def compare(grid, expected, where):
    """Asserts equality, exact except for the radius, which is a cube root."""
    arrays = grid.GetPointData()
    names = {arrays.GetArrayName(i) for i in range(arrays.GetNumberOfArrays())}
    assert names == set(expected) - {"position"}, (where, names)
    for name, values in expected.items():
        array = grid.GetPoints().GetData() if name == "position" else arrays.GetArray(name)
        found = vtk_to_numpy(array)
        assert found.shape == values.shape, (where, name, found.shape, values.shape)
        if name == "radius":
            assert np.allclose(found, values, rtol=1e-6), (where, name, found, values)
        else:
            assert np.array_equal(found, values), (where, name, found, values)
    assert grid.GetNumberOfCells() == len(expected["position"]), where


def read_frame(path):
    reader = vtkHDFReader()
    assert reader.CanReadFile(path), path
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def check_frame(folder, step, body_count, contact_count):
    path = os.path.join(folder, "frame_%08d.vtkhdf" % step)
    grid = read_frame(path)
    compare(grid, bodies(step, body_count), "bodies of %s" % path)
    field = grid.GetFieldData()
    assert field.GetArray("step").GetValue(0) == step
    assert field.GetArray("time").GetValue(0) == step / 30.0
    if not contact_count:
        return
    # The contacts have the same layout; a link with the name that the reader expects lets it open them.
    with tempfile.TemporaryDirectory() as place:
        link = os.path.join(place, "contacts.vtkhdf")
        with h5py.File(link, "w") as file:
            file["VTKHDF"] = h5py.ExternalLink(path, "/contacts")
        compare(read_frame(link), contacts(step, contact_count), "contacts of %s" % path)


def check_text(index, column, frames):
    """Checks the index without an XDMF reader: times, files and extents."""
    grids = ElementTree.parse(index).findall("./Domain/Grid/Grid")
    found = [(float(g.find("Time").get("Value")), g.find("Geometry/DataItem").text.split(":")[0],
              g.find("Geometry/DataItem").get("Dimensions")) for g in grids]
    expected = [(f[0] / 30.0, "frame_%08d.vtkhdf" % f[0], "%d 3" % f[column]) for f in frames if f[column]]
    assert found == expected, (found, expected)


def check_index(reader, index, make, listed):
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
    reader.SetFileName(index)
    reader.UpdateInformation()
    times = reader.GetExecutive().GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    # The older reader reports no time steps for a single grid.
    assert len(listed) == 1 or np.allclose(times, [f[0] / 30.0 for f in listed], atol=1e-9), times
    for i, (step, count) in enumerate(listed):
        where = "%s of step %d in %s" % (reader.GetClassName(), step, index)
        reader.UpdateTimeStep(times[i] if times else step / 30.0)
        compare(reader.GetOutputDataObject(0), make(step, count), where)


def main():
    global chosen
    index = os.path.abspath(sys.argv[1])
    rest = sys.argv[2:]
    if rest[0].startswith("fields="):
        chosen = rest.pop(0)[len("fields="):].split(",")
    frames = [tuple(int(part) for part in argument.split(":")) for argument in rest]
    folder = os.path.dirname(index)
    for step, body_count, contact_count in frames:
        check_frame(folder, step, body_count, contact_count)
    used = ["vtkHDFReader"]
    for column, name, make in ((1, "frames.xdmf", bodies), (2, "contacts.xdmf", contacts)):
        path = os.path.join(folder, name)
        check_text(path, column, frames)
        listed = [(f[0], f[column]) for f in frames if f[column]]
        for module, kind in (("vtkIOXdmf2", "vtkXdmfReader"), ("vtkIOXdmf3", "vtkXdmf3Reader")):
            try:
                reader = getattr(__import__("vtkmodules." + module, fromlist=[kind]), kind)()
            except ImportError:
                continue
            if listed:
                check_index(reader, path, make, listed)
                used.append(kind)
    print("compared %d frames with %s" % (len(frames), ", ".join(used)))


main()
