"""The plugin for pytest."""

from __future__ import annotations

import pytest
from conftest import PLUGINS

TEXT = """//@ verify => deadlock, 3 steps
//@ property silent => holds

talk[
    agent(!A, %asker) = question() => agent(!B, %answerer) then (waitfor answer() <= agent(_, %answerer))
    agent(!B, %answerer) =
        (waitfor question() <= agent(_, %asker)) then ((speaks() then answer() => agent(!A, %asker)) or skip)
]
decision speaks()
property silent: never !B sends answer() to _
"""


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    plugins = [word for name in ["no:cacheprovider", *PLUGINS] for word in ("-p", name)]
    return pytester.runpytest(*plugins, *arguments)


def test_files_are_collected(pytester: pytest.Pytester) -> None:
    pytester.makefile(".map", talk=TEXT, fine="talk[ agent(!A, %a) = skip ]", wrong="talk[ ]", odd="//@ verify --x => y\n" + TEXT)
    result = run(pytester)
    result.assert_outcomes(passed=1, failed=4)
    result.stdout.fnmatch_lines(["*talk.map:1: verify => deadlock, 3 steps", "*found:*", "*property silent => violated*"])


def test_the_chart_of_a_counterexample_is_shown(pytester: pytest.Pytester) -> None:
    pytester.makefile(".map", talk=TEXT)
    pytester.makepyfile(
        test_talk="""
        import pytest
        from maplang import Message
        from maplang.pytest_plugin import conforms

        pytestmark = pytest.mark.protocol("talk.map")

        def test_verify(protocol):
            assert protocol.verify()

        def test_log(protocol):
            conforms(protocol, [Message("!B", "!A", "answer")])

        def test_right(protocol):
            assert protocol.scene == "talk"
            conforms(protocol, [Message("!A", "!B", "question")])
        """
    )
    result = run(pytester, "test_talk.py")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["*- map -*", "*deadlock*", "*question()*"])
    assert result.stdout.str().count("●─ question() ") == 1
    result.stdout.fnmatch_lines(["*the log does not conform*"])


def test_the_fixture_needs_its_marker(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test(protocol): pass")
    run(pytester).stdout.fnmatch_lines(["*needs a marker*"])


def test_what_is_wrong_with_a_dialogue_is_said_without_a_traceback(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("bad.map").write_bytes(b"\xff")
    result = run(pytester, "bad.map")
    result.stdout.fnmatch_lines(["*bad.map: the file is not UTF-8*"])
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.protocol("nowhere.map")
        def test(protocol):
            pass
        """
    )
    result = run(pytester, "test_what_is_wrong_with_a_dialogue_is_said_without_a_traceback.py")
    result.stdout.fnmatch_lines(["*No such file or directory*nowhere.map*"])
    assert "read_bytes" not in result.stdout.str()
