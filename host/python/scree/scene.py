"""Scenes: descriptions of worlds and runs, as of `scree run`, from a file or a dict."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from ._binding import ffi, lib
from ._structs import as_python, fill, text
from .errors import check
from .record import Record
from .world import World


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

    def __init__(self, source: str | os.PathLike[str] | Mapping[str, Any]) -> None:
        out = ffi.new("scree_scene **")
        if isinstance(source, Mapping):
            content = json.dumps(source).encode()
            check(lib.scree_scene_parse(content, len(content), b"scene", out))
        else:
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
    def settings(self) -> dict[str, Any]:
        """The settings of the run (scree_run_def)."""
        return dict(as_python(lib.scree_scene_get_run_def(self._pointer)))

    def build(self, seed: int | None = None, **world: Any) -> World:
        """Returns a world with the contents of the scene. `seed` replaces that of the scene's generators;
        keywords replace fields of its world, as those of World."""
        definition = ffi.new("scree_world_def *", lib.scree_scene_get_world_def(self._pointer))
        own = dict(world)
        device = own.pop("device", None)
        name = ffi.new("char[]", device.encode()) if device is not None else definition.device
        fill(definition, own)
        definition.device = name
        out = ffi.new("scree_world **")
        check(lib.scree_world_create(definition, out))
        built = World._of(out[0])
        chosen = lib.scree_scene_get_run_def(self._pointer).seed if seed is None else seed
        check(lib.scree_scene_build(self._pointer, built._pointer, chosen))
        return built

    def run(self, world: World | None = None, *, seed: int | None = None, progress: bool = False) -> Record:
        """Runs the scene to its end, with its stages, and returns the statistics of its steps and the rows of
        its measurements. `world`: goes on with this world of the scene; None: builds one. Ctrl-C ends a run
        after a whole step; `record.world` can then go on."""
        own = self.build(seed) if world is None else world
        record = Record(own)
        try:
            if self.stages:
                self._run_stages(own, record, progress)
            else:
                settings = lib.scree_scene_get_run_def(self._pointer)
                length = lib.scree_span_get_steps(settings.length, own.time_step)
                done = lib.scree_world_step_count(own._pointer)
                own.step(max(0, length - done), progress=progress, each=record.add)
        except KeyboardInterrupt:
            record.interrupted = True
        return record

    def _run_stages(self, world: World, record: Record, progress: bool) -> None:
        stage, begin, left = ffi.new("int *"), ffi.new("double *"), ffi.new("uint64_t *")
        definition = ffi.new("scree_resume_def *", lib.scree_default_resume_def())
        definition.seed = lib.scree_scene_get_run_def(self._pointer).seed
        names = self.stages
        while True:
            check(lib.scree_scene_get_stage(world._pointer, stage, begin))
            check(lib.scree_scene_get_stage_steps(self._pointer, world._pointer, left))
            record.stage = names[stage[0]]

            def is_over(statistics: dict[str, Any]) -> bool:
                record.add(statistics)
                return bool(lib.scree_scene_stage_is_over(self._pointer, stage[0], begin[0], world._pointer,
                                                          world._statistics))

            world.step(left[0], progress=progress, each=is_over)
            check(lib.scree_measurement_end_rows(world._pointer))
            if stage[0] + 1 == len(names):
                return
            check(lib.scree_scene_end_stage(self._pointer, world._pointer))
            check(lib.scree_scene_enter_stage(self._pointer, world._pointer, stage[0] + 1, definition))
