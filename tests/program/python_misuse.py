"""Wrong uses of the Python package: each raises one exception that names the place. test_python.py runs this file."""

import gc
import threading
import unittest

import numpy as np

import scree

SPHERE = {"shape": {"kind": "sphere", "radius": 0.1}}


def world():
    return scree.World(backend="native", threads=1)


def ball():
    own = world()
    return own, own.add(scree.sphere(0.1), position=(0, 0, 1))


def refused(expected, message):
    """Makes a test of a call that raises an exception with a message."""
    def decorate(call):
        def test(self):
            self.assertRaisesRegex(expected, message, call)

        return test

    return decorate


class Values(unittest.TestCase):
    shape = refused(TypeError, "shape: 5; must be a Shape")(lambda: world().add(5))
    position = refused(ValueError, "position: 2 numbers; must be 3")(lambda: world().add(scree.sphere(1), position=(0, 1)))
    mass = refused(TypeError, "mass: 'heavy'; must be a number")(lambda: world().add(scree.sphere(1), mass="heavy"))
    groups = refused(OverflowError, "groups: -1; must be a whole number")(lambda: world().add(scree.sphere(1), groups=-1))
    kind = refused(ValueError, "type: 99; must be one of")(lambda: world().add(scree.sphere(1), type=99))
    device = refused(TypeError, "device: 5; must be text")(lambda: scree.World(device=5))
    solver = refused(TypeError, "solver: 'accurate'; must be a dict")(lambda: scree.World(solver="accurate"))
    gravity = refused(ValueError, "gravity: 2 numbers; must be 3")(lambda: setattr(world(), "gravity", (0, -9.81)))
    force = refused(ValueError, "force: 4 numbers; must be 3")(lambda: ball()[1].set_loads((1, 2, 3, 4)))
    joint = refused(TypeError, "axes.rotation-x: 5; must be a dict")(
        lambda: world().add_joint("hinge", ball()[1], None, (0, 0, 0), axes={"rotation-x": 5}))
    joined = refused(TypeError, "a: 0; must be a Body")(lambda: world().add_joint("hinge", 0, None, (0, 0, 0)))
    part = refused(TypeError, r"parts\[0\]: .*; must be \(shape, position, rotation\)")(lambda: scree.compound([scree.sphere(1)]))
    scene = refused(TypeError, "scene: {1, 2}; must be a dict")(lambda: scree.Scene({"bodies": {1, 2}}))
    seed = refused(ValueError, "seed: -1; must be 0 to")(lambda: scree.Scene({"bodies": [SPHERE], "run": {"steps": 1}}).build(-1))
    member = refused(IndexError, "world 0; must be one of the scene's 0 worlds")(lambda: scree.Scene({"bodies": [SPHERE]}).world(0))
    ensemble = refused(ValueError, "scene: no worlds")(lambda: scree.run_all({"bodies": [SPHERE]}))
    fit = refused(ValueError, r"parameters\['x'\]: 0.5; must be 2 numbers")(lambda: scree.fit({"bodies": [SPHERE]}, {"x": 0.5}, {"y": 1}))
    reach = refused(ValueError, "reach: -1, with 0 dynamic bodies")(lambda: scree.pair_correlation(world(), -1))
    folder = refused(FileNotFoundError, "nonexistent")(lambda: scree.dataset("/nonexistent"))


class Arrays(unittest.TestCase):
    complex = refused(TypeError, "position: complex128; must be real numbers")(
        lambda: world().add_all(scree.sphere(1), np.zeros((2, 3)) + 1j))
    rows = refused(ValueError, r"linear_velocity: shape \(2, 3\); must be \(3, 3\)")(
        lambda: world().add_all(scree.sphere(1), 9 * np.eye(3), linear_velocity=np.zeros((2, 3))))
    corners = refused(TypeError, "triangles: float64; must be whole numbers")(lambda: scree.mesh(np.eye(3), [[0, 1, 1.7]]))
    far_corners = refused(OverflowError, "triangles: 0 to 1099511627776")(lambda: scree.mesh(np.eye(3), [[0, 1, 2**40]]))
    index = refused(IndexError, "body 1000000; must exist")(lambda: ball()[0].bodies.radius(10**6))
    mask = refused(ValueError, r"indices: a mask of shape \(2,\); must be \(1,\)")(
        lambda: ball()[0].bodies.set([True, False], position=(0, 0, 0)))
    matrix = refused(TypeError, "W: complex128")(lambda: scree.solve(1j * np.eye(3), [1, 2, 3], 0.5))

    def test_any_strides_are_read(self):
        own, values = world(), np.arange(60.0).reshape(10, 6)[::-1, ::2]
        rows = own.add_all(scree.sphere(1), values, linear_velocity=np.asfortranarray(values))
        for found in (own.bodies.positions, own.bodies.velocities):
            self.assertTrue(np.array_equal(found[rows], values.astype("f4")))

    def test_a_mask_chooses_rows(self):
        own, _ = ball()
        own.add(scree.sphere(0.1), position=(5, 0, 0))
        own.bodies.set([False, True], linear_velocity=(0, 0, 2))
        self.assertEqual(own.bodies.velocities[:, 2].tolist(), [0, 2])

    def test_numpy_values_are_those_of_a_scene(self):
        scene = scree.Scene({"bodies": [{"shape": {"kind": "sphere", "radius": np.float64(0.25)}, "position": np.ones(3)}]})
        self.assertEqual(scene.build().bodies.sizes[0, 0], 0.25)


class Lifetimes(unittest.TestCase):
    def test_an_array_outlives_its_world(self):
        own, _ = ball()
        kept = own.bodies.positions
        own.__init__(backend="native")
        del own
        gc.collect()
        self.assertEqual(kept[0].tolist(), [0, 0, 1])

    def test_dead_bodies_are_refused(self):
        own, body = ball()
        body.remove()
        own.add(scree.sphere(0.1))  # in its place
        for call in (lambda: body.position, body.remove, lambda: own.add_joint("ball", body, None, (0, 0, 0))):
            self.assertRaises(scree.HandleError, call)

    def test_a_stage_does_not_move_an_array(self):
        scene = scree.Scene({"bodies": [SPHERE], "stages": [{"name": name, "until": {"time": 0.05}} for name in "ab"]})
        own = scene.build(backend="native")
        kept = own.bodies.positions
        self.assertRaises(BufferError, scene.run, own)
        self.assertEqual(len(kept), 1)

    def test_one_thread_at_a_time(self):
        """While one steps, calls of another either come between two steps, or raise."""
        own, _ = ball()
        errors, done = [], threading.Event()

        def step():
            while not done.is_set():
                try:
                    own.step(100)
                except RuntimeError as error:
                    errors.append(str(error))

        other = threading.Thread(target=step)
        other.start()
        for i in range(2000):
            try:
                own.add(scree.sphere(0.1), position=(i % 50, 1 + i // 50, 1))
                own.contacts  # noqa: B018
            except (RuntimeError, BufferError) as error:
                errors.append(str(error))
        done.set()
        other.join()
        self.assertIn("world: in use by another thread; must be used by one at a time", errors)


for group in (Values, Arrays):
    for name in [name for name, value in vars(group).items() if getattr(value, "__name__", "") == "test"]:
        setattr(group, f"test_{name}_is_refused", vars(group)[name])
