"""The stubs say what the native module has, and nothing else; every public thing is documented."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import maplang
from maplang import _native


def declared() -> dict[str, dict[str, list[str]]]:
    tree = ast.parse((Path(maplang.__file__).parent / "_native.pyi").read_text("utf-8"))
    classes: dict[str, dict[str, list[str]]] = {"": {}}

    def parameters(function: ast.FunctionDef) -> list[str]:
        return [it.arg for it in function.args.args if it.arg not in ("self", "cls")]

    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            classes[""][node.name] = parameters(node)
        elif isinstance(node, ast.ClassDef):
            its = (it for it in node.body if isinstance(it, ast.FunctionDef))
            classes[node.name] = {it.name: parameters(it) for it in its if it.name != "__new__"}
    return classes


def parameters_of(function: object) -> list[str]:
    if not callable(function):
        return []
    return [name for name in inspect.signature(function).parameters if name != "self"]


def test_stubs_are_those_of_the_module() -> None:
    stubs = declared()
    classes = {name for name, it in vars(_native).items() if inspect.isclass(it)}
    functions = {name: it for name, it in vars(_native).items() if inspect.isbuiltin(it)}
    assert classes == set(stubs) - {""} and set(functions) == set(stubs[""])
    for name, function in functions.items():
        assert parameters_of(function) == stubs[""][name], name
    for name in classes:
        own = {it: value for it, value in vars(getattr(_native, name)).items() if not it.startswith("__")}
        assert set(own) == set(stubs[name]), name
        for method, value in own.items():
            assert parameters_of(value) == stubs[name][method], (name, method)


def test_everything_public_is_documented() -> None:
    for name in maplang.__all__:
        it = getattr(maplang, name)
        if inspect.isclass(it) or inspect.isfunction(it):
            assert it.__doc__, name
        if inspect.isclass(it) and it.__module__.startswith("maplang"):
            for method, value in vars(it).items():
                if not method.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                    if method != "from_json" and method != "of":
                        assert value.__doc__, f"{name}.{method}"
