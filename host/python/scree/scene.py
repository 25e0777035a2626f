"""Scenes: descriptions of worlds and runs, as of `scree run`, from a file or a dict."""

from __future__ import annotations

import json
import operator
import os
import pathlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ._binding import ffi, lib
from ._interrupt import noted
from ._structs import as_python, fill, name_of, text
from .errors import Interrupted, check
from .record import Record
from .world import World, validate


def _plain(value: Any) -> Any:
    """Returns a number or an array of NumPy as JSON has it."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"scene: {value!r}; must be a dict, list, text, number, True, False or None")


class Scene:
    """A validated scene.

    >>> import scree
    >>> scene = scree.Scene({"run": {"steps": 50}, "bodies": [
    ...     {"shape": {"kind": "half-space"}, "type": "static"},
    ...     {"shape": {"kind": "sphere", "radius": 0.1}, "position": [0, 0, 0.2]}]})
    >>> record = scene.run()
    >>> len(record.column("time"))
    50
    """

    _source: bytes | str | os.PathLike[str] | None = None  # the text, or the path of the file

    def __init__(self, source: str | os.PathLike[str] | Mapping[str, Any]) -> None:
        out = ffi.new("scree_scene **")
        if isinstance(source, Mapping):
            content = self._source = json.dumps(source, default=_plain).encode()
            check(lib.scree_scene_parse(content, len(content), b"scene", out))
        else:
            self._source = source
            check(lib.scree_scene_load(os.fsencode(source), out))
        self._pointer = ffi.gc(out[0], lib.scree_scene_destroy)

    @property
    def warnings(self) -> list[str]:
        """Warnings about the files that the scene names."""
        count = lib.scree_scene_warning_count(self._pointer)
        return [text(lib.scree_scene_get_warning(self._pointer, i)) for i in range(count)]

    @property
    def stages(self) -> list[str]:
        """The names of the stages."""
        count = lib.scree_scene_stage_count(self._pointer)
        return [text(lib.scree_scene_get_stage_name(self._pointer, i)) for i in range(count)]

    @property
    def backend(self) -> str:
        """The kind of the backend, such as "auto"."""
        return name_of(ffi.typeof("scree_backend_kind"), lib.scree_scene_get_world_def(self._pointer).backend)

    @property
    def world_count(self) -> int:
        """The number of worlds of `worlds`; 0 without it."""
        return int(lib.scree_scene_get_worlds_def(self._pointer).count)

    @property
    def varied(self) -> dict[str, npt.NDArray[np.float64]]:
        """The values of the numbers that vary in the worlds of `worlds`, by their paths, (world_count,) each."""
        worlds, seed = lib.scree_scene_get_worlds_def(self._pointer), self._seed
        return {text(lib.scree_scene_get_varied_path(self._pointer, i)): np.array(
            [lib.scree_scene_get_varied_value(self._pointer, i, world, seed) for world in range(worlds.count)])
            for i in range(worlds.varied)}

    def world(self, index: int) -> Scene:
        """Returns the scene of one of the worlds of `worlds`, from 0, with its values and its seed. Errors: IndexError."""
        if not 0 <= operator.index(index) < self.world_count:
            raise IndexError(f"world {index}; must be one of the scene's {self.world_count} worlds")
        out = ffi.new("scree_scene **")
        check(lib.scree_scene_make_world(self._pointer, index, self._seed, out))
        own = Scene.__new__(Scene)
        own._pointer = ffi.gc(out[0], lib.scree_scene_destroy)
        return own

    def _text(self) -> tuple[Any, pathlib.Path | None]:
        """Returns the content of the scene, and the folder to which the names of files in it refer; None: the current one.
        Errors: ValueError for the scene of a world."""
        if self._source is None:
            raise ValueError("scene: a world of an ensemble; must be a scene from a file or a dict")
        if isinstance(self._source, bytes):
            return json.loads(self._source), None
        path = pathlib.Path(self._source).resolve()
        return json.loads(path.read_text(encoding="utf-8-sig")), path.parent

    @property
    def seeds(self) -> list[int]:
        """The seeds of the worlds of `worlds`: that of the scene plus the number of the world, or those of `vary`."""
        varied = self.varied.get("seed")
        return [self._seed + world if varied is None else int(varied[world]) for world in range(self.world_count)]

    def _validate_worlds(self) -> None:
        """Reads the scene of each set of values. Errors: those of a scene, for a value out of range; ValueError without
        worlds."""
        if self.world_count == 0:
            raise ValueError('scene: no worlds; must have "worlds"')
        for index in range(0, self.world_count, max(1, lib.scree_scene_get_worlds_def(self._pointer).repeats)):
            self.world(index)

    @property
    def _seed(self) -> int:
        return int(lib.scree_scene_get_run_def(self._pointer).seed)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the run (scree_run_def)."""
        return dict(as_python(lib.scree_scene_get_run_def(self._pointer)))

    def build(self, seed: int | None = None, **world: Any) -> World:
        """Returns a world with the contents of the scene. `seed` replaces that of the scene's generators;
        keywords replace fields of its world, as those of World."""
        chosen = self._seed if seed is None else operator.index(seed)
        if not 0 <= chosen < 2**64:
            raise ValueError(f"seed: {seed}; must be 0 to 2**64 - 1")
        definition = ffi.new("scree_world_def *", lib.scree_scene_get_world_def(self._pointer))
        fill(definition, world)
        out = ffi.new("scree_world **")
        check(lib.scree_world_create(definition, out))
        built = World._of(out[0])
        check(lib.scree_scene_build(self._pointer, built._pointer, chosen))
        return built

    def run(self, world: World | None = None, *, seed: int | None = None, progress: bool = False) -> Record:
        """Runs the scene to its end, with its stages, and returns the statistics of its steps and the rows of
        its measurements. `world`: goes on with this world of the scene; None: builds one. Ctrl-C ends a run after the
        current step and raises Interrupted with its `record`, whose world can go on."""
        own = self.build(seed) if world is None else world
        validate("world", own, World)
        record = Record(own)
        with noted() as interrupt:
            self._run(own, record, progress, lambda: interrupt.asked)
        if interrupt.asked:
            raise Interrupted(f"run: interrupted after step {lib.scree_world_step_count(own._pointer)}", record=record)
        return record

    def _run(self, world: World, record: Record, progress: bool, stop: Callable[[], bool]) -> bool:
        """Runs until `stop` returns True after a step, or to the end; returns whether it reached that."""
        if self.stages:
            return self._run_stages(world, record, progress, stop)

        def after() -> bool:
            record.add()
            return stop()

        record.begin()
        length = lib.scree_span_get_steps(lib.scree_scene_get_run_def(self._pointer).length, world.time_step)
        done = lib.scree_world_step_count(world._pointer)
        world._advance(max(0, length - done), progress, after)
        return bool(lib.scree_world_step_count(world._pointer) >= length)

    def _run_stages(self, world: World, record: Record, progress: bool, stop: Callable[[], bool]) -> bool:
        stage, begin, left = ffi.new("int *"), ffi.new("double *"), ffi.new("uint64_t *")
        definition = ffi.new("scree_resume_def *", lib.scree_default_resume_def())
        definition.seed = self._seed
        names = self.stages

        def is_over() -> bool:
            record.add()
            return stop() or bool(lib.scree_scene_stage_is_over(self._pointer, stage[0], begin[0], world._pointer,
                                                                world._statistics))

        while True:
            check(lib.scree_scene_get_stage(world._pointer, stage, begin))
            check(lib.scree_scene_get_stage_steps(self._pointer, world._pointer, left))
            record.begin(names[stage[0]])
            world._advance(left[0], progress, is_over)
            if stop():
                return False
            check(lib.scree_measurement_end_rows(world._pointer))
            record.add_rows()
            if stage[0] + 1 == len(names):
                return True
            world._may_change()
            check(lib.scree_scene_end_stage(self._pointer, world._pointer))
            check(lib.scree_scene_enter_stage(self._pointer, world._pointer, stage[0] + 1, definition))
