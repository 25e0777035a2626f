"""Conversion between structs of the library and Python values.

A struct is given as a mapping of its fields; a vector or quaternion also as a sequence; an enumeration as the
last part of its name in lower case with hyphens ("accelerated-pgs" is SCREE_METHOD_ACCELERATED_PGS).
"""

from __future__ import annotations

import difflib
import functools
import os
import weakref
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ._binding import ffi, lib

_NUMBERS = {"float": "f4", "double": "f8", "_Bool": "?"}


def names_of(kind: Any) -> dict[str, int]:
    """Returns the values of an enumeration by their names, without the count at its end."""
    common = os.path.commonprefix(list(kind.relements))
    prefix = common[: common.rindex("_") + 1]
    own = {name.removeprefix(prefix): value for name, value in kind.relements.items()}
    return {name.lower().replace("_", "-"): value for name, value in own.items() if not name.endswith("COUNT")}


def name_of(kind: Any, value: int) -> str:
    """Returns the name of a value of an enumeration."""
    return next(name for name, own in names_of(kind).items() if own == value)


def unknown(path: str, found: object, allowed: Iterable[str]) -> ValueError:
    """Returns the error about a name that is not one of those allowed."""
    if not list(allowed):
        return ValueError(f"{path}: {found!r}; there is none")
    close = difflib.get_close_matches(str(found), list(allowed), 1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    return ValueError(f"{path}: {found!r}{hint}; must be one of {', '.join(sorted(allowed))}")


def value_of(kind: Any, value: object, path: str) -> int:
    """Returns the value of an enumeration from its name, or the value itself. Errors: ValueError."""
    names = names_of(kind)
    if isinstance(value, int) and value in names.values():
        return value
    if not isinstance(value, str) or value not in names:
        raise unknown(path, value, names)
    return names[value]


@functools.cache
def members_of(kind: Any) -> dict[str, Any]:
    """Returns the types of the fields of a struct, with those of its unnamed unions."""
    out: dict[str, Any] = {}
    for name, field in kind.fields:
        out.update({name: field.type} if name else members_of(field.type))
    return out


def fill(target: Any, values: Mapping[str, Any], path: str = "") -> None:
    """Sets the fields of a struct. Errors: ValueError for an unknown field or name, TypeError and OverflowError for a value
    that a field cannot hold."""
    members = members_of(ffi.typeof(target[0]) if ffi.typeof(target).kind == "pointer" else ffi.typeof(target))
    for key, value in values.items():
        place = f"{path}.{key}" if path else key
        if key not in members:
            raise unknown(path or "field", key, members)
        kind = members[key]
        if kind.kind == "struct" and isinstance(value, Mapping):
            fill(getattr(target, key), value, place)
            continue
        converted = _converted(target, kind, value, place)
        try:
            setattr(target, key, converted)
        except (TypeError, OverflowError) as error:
            raise type(error)(f"{place}: {value!r}; must be {_allowed(kind)}") from None


def _allowed(kind: Any) -> str:
    """Returns the values of a field that is no struct or enumeration."""
    known = {"float": "a number", "double": "a number", "_Bool": "True or False", "char *": "text"}
    return known.get(kind.cname, "None" if kind.kind == "pointer" else f"a whole number that fits {kind.cname}")


_STRINGS: weakref.WeakKeyDictionary[Any, list[Any]] = weakref.WeakKeyDictionary()  # to which structs refer


def _converted(target: Any, kind: Any, value: Any, path: str) -> Any:
    """Returns a value as cffi assigns it to a field of `target` of a type."""
    if kind.kind == "struct" and not isinstance(value, ffi.CData):
        return _sequence(kind, value, path)
    if kind.kind == "enum":
        return value_of(kind, value, path)
    if kind.kind == "array" and kind.item.cname == "char":
        return str(value).encode()
    if kind.cname == "char *" and isinstance(value, str):
        string = ffi.new("char[]", value.encode())
        _STRINGS.setdefault(target, []).append(string)
        return string
    return ffi.NULL if kind.kind == "pointer" and value is None else value


def numbers(values: Any, count: int, path: str) -> list[float]:
    """Returns `count` numbers, such as those of a vector. Errors: ValueError."""
    try:
        found = [float(value) for value in values]
    except (TypeError, ValueError):
        raise ValueError(f"{path}: {values!r}; must be {count} numbers") from None
    if len(found) != count:
        raise ValueError(f"{path}: {len(found)} numbers; must be {count}")
    return found


def real(values: Any, dtype: npt.DTypeLike, path: str) -> npt.NDArray[Any]:
    """Returns an array of real numbers, or of whole ones for a `dtype` of integers, without a copy if it has the type.
    Errors: TypeError, OverflowError."""
    kinds, wanted = ("iu", "whole") if np.dtype(dtype).kind in "iu" else ("biuf", "real")
    try:
        found = np.asarray(values)
    except ValueError:
        raise TypeError(f"{path}: rows of different lengths; must be an array") from None
    if found.size and found.dtype.kind not in kinds:
        raise TypeError(f"{path}: {found.dtype}; must be {wanted} numbers")
    if wanted == "whole" and found.size:
        least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
        if not least <= int(found.min()) <= int(found.max()) <= most:
            raise OverflowError(f"{path}: {found.min()} to {found.max()}; must be {least} to {most}")
    return found.astype(dtype, copy=False)


def put(target: npt.NDArray[Any], values: Any, path: str) -> None:
    """Fills an array with rows, or with one for all. Errors: TypeError, OverflowError, ValueError."""
    given = real(values, target.dtype, path)
    try:
        target[...] = given
    except ValueError:
        raise ValueError(f"{path}: shape {given.shape}; must be {target.shape}") from None


def _sequence(kind: Any, value: Any, path: str) -> Any:
    """Returns a struct of numbers, such as a vector, from a sequence of as many numbers."""
    if any(field.type.cname != "float" for _, field in kind.fields):
        raise TypeError(f"{path}: {value!r}; must be a dict with any of {', '.join(members_of(kind))}")
    return ffi.new(kind.cname + "*", numbers(value, len(kind.fields), path))[0]


def as_python(value: Any) -> Any:
    """Returns a struct as a dict, a struct of numbers as an array, an array as an array, a string as text."""
    if not isinstance(value, ffi.CData):
        return value
    kind = ffi.typeof(value)
    if kind.kind == "pointer" and kind.item.cname == "char":
        return text(value)
    if kind.kind == "array":
        return text(value) if kind.item.cname == "char" else np.array([as_python(value[i]) for i in range(kind.length)])
    if kind.kind != "struct":
        return value
    if all(field.type.kind == "primitive" and field.type.cname == "float" for _, field in kind.fields):
        return np.array([getattr(value, name) for name, _ in kind.fields], dtype="f4")
    out = {}
    for name, member in members_of(kind).items():
        field = getattr(value, name)
        out[name] = name_of(member, field) if member.kind == "enum" else as_python(field)
    return out


class View(Mapping[str, Any]):
    """The fields of a struct by their names, converted when they are read."""

    def __init__(self, struct: Any) -> None:
        self._struct = struct
        self._kinds = members_of(ffi.typeof(struct))

    def __getitem__(self, name: str) -> Any:
        kind = self._kinds[name]
        value = getattr(self._struct, name)
        return name_of(kind, value) if kind.kind == "enum" else as_python(value)

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)

    def __repr__(self) -> str:
        return repr(dict(self))


@functools.cache
def dtype_of(kind: Any) -> np.dtype[Any]:
    """Returns the NumPy type with the layout of a struct; structs of floats alone are vectors."""
    kind = ffi.typeof(kind) if isinstance(kind, str) else kind
    if kind.kind == "primitive":
        return np.dtype(_NUMBERS.get(kind.cname) or f"{'u' if kind.cname.startswith('u') else 'i'}{ffi.sizeof(kind)}")
    if kind.kind == "enum":
        return np.dtype("u4")
    if kind.kind == "pointer":
        return np.dtype(np.uintp)
    if kind.kind == "array":
        return np.dtype((dtype_of(kind.item), (kind.length,)))
    members = [(name, field) for name, field in kind.fields if name]
    if all(field.type.cname == "float" for _, field in members):
        return np.dtype(("f4", (len(members),)))
    return np.dtype({"names": [name for name, _ in members],
                     "formats": [dtype_of(field.type) for _, field in members],
                     "offsets": [field.offset for _, field in members],
                     "itemsize": ffi.sizeof(kind)})


def defined(kind: str, default: Any, values: Mapping[str, Any]) -> Any:
    """Returns a pointer to a definition: the default with other values for some fields."""
    definition = ffi.new(f"{kind} *", default)
    fill(definition, values)
    return definition


def copied(struct: Any) -> Any:
    """Returns a copy of a struct that owns its memory; parts of a struct or array do not keep it alive."""
    return ffi.new(f"{ffi.typeof(struct).cname} *", struct)[0]


def listed(kind: str, call: Any, *arguments: Any) -> list[Any]:
    """Returns the items of a call that writes up to `capacity` of them and returns their number."""
    out = ffi.new(f"{kind}[]", call(*arguments, ffi.NULL, 0))
    call(*arguments, out, len(out))
    return [copied(out[i]) for i in range(len(out))]


def text(pointer: Any) -> str:
    """Returns a string of the library; "" for null."""
    return "" if pointer == ffi.NULL else ffi.string(pointer).decode()


def version() -> str:
    """Returns the version of the library, such as "0.2.0"."""
    return text(lib.scree_version_name())
