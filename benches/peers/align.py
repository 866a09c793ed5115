#!/usr/bin/env python3
"""Aligns the conversations of a log with a Petri net that is discovered from logs of runs.

    align.py BROKEN.jsonl RUN.jsonl..

Each file has one message a line, as `map run --log` writes and `map conform` reads them. Needs pm4py.
"""

import json
import sys

import pandas
import pm4py


def events(path, case):
    """The events of a log: who says what. Agents are numbered: who speaks first is 0, the others go by their names."""
    records = [json.loads(line) for line in open(path, encoding="utf-8")]
    records = [record for record in records if record.get("event", "send") == "send"]
    first = records[0]["from"]
    names = [first, *sorted({record["from"] for record in records} - {first})]
    for number, record in enumerate(records):
        yield {
            "case": record.get("conversation") if case is None else case,
            "activity": f"{names.index(record['from'])}: {record['performative']}",
            "time": pandas.Timestamp(number, unit="s"),
        }


def log(paths):
    """The cases: each of several files is one, and a single file has one for each conversation."""
    several = len(paths) > 1
    rows = [event for path in paths for event in events(path, path if several else None)]
    return pm4py.format_dataframe(pandas.DataFrame(rows), case_id="case", activity_key="activity", timestamp_key="time")


def main(broken, *runs):
    net, first, last = pm4py.discover_petri_net_inductive(log(runs))
    cases = log([broken])
    alignments = pm4py.conformance_diagnostics_alignments(cases, net, first, last)
    for (name, _), alignment in zip(cases.groupby("case:concept:name", sort=False), alignments):
        moves = alignment["alignment"]
        said = [here for here, there in moves if there == ">>"]
        lacking = [there for here, there in moves if here == ">>" and there is not None]
        print(f"{name}: fitness {alignment['fitness']:.2f}; in the log alone: {said}; in the net alone: {lacking}")


if __name__ == "__main__":
    main(*sys.argv[1:])
