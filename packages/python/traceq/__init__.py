"""traceq from Python: what the commands answer, as rows.

    import traceq
    traceq.top("trace.json.gz", n=10)          # a DataFrame where pandas is, else a list of dicts
    traceq.gate("baseline/", "tonight/").passed

Options are those of the commands, with underscores: ``--what-if X`` is ``what_if="X"``, a flag is ``True``, one
that may be given several times a list.  Nothing is rounded: keys end in their unit (``self_gpu_ns``).
"""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Union

__all__ = ["Error", "Gate", "answer", "diagnose", "diff", "export", "find", "gate", "kernels", "metrics",
           "ranks", "rows", "run", "sql", "summary", "top"]

Path = Union[str, "os.PathLike[str]"]
Rows = Any  # pandas.DataFrame, or List[Dict[str, Any]] where pandas is not installed


class Error(RuntimeError):
    """traceq had no answer: its words, and its exit code."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True)
class Gate:
    """May tonight's run pass, and what was checked."""
    passed: bool
    checks: Rows


def find() -> str:
    """The program: $TRACEQ, what was installed with this module, or what PATH has."""
    here = [os.environ.get("TRACEQ", "")]
    for scheme in (None, "posix_user"):
        folder = sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts")
        here.append(os.path.join(folder, "traceq"))
    for path in here + [shutil.which("traceq") or ""]:
        if path and os.access(path, os.X_OK):
            return path
    raise Error("the program traceq is not installed, nor named by $TRACEQ", 2)


def _words(options: Dict[str, Any]) -> List[str]:
    words: List[str] = []
    for key, value in options.items():
        name = f"-{key}" if len(key) == 1 else "--" + key.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is None or one is False:
                continue
            words.append(name)
            if one is not True:
                words.append(str(one))
    return words


def run(command: str, *files: Path, no: Sequence[int] = (), **options: Any) -> "subprocess.CompletedProcess[str]":
    """traceq COMMAND OPTIONS FILES.  Error where it exits with another code than 0 or one of `no`."""
    words = [find(), command, *_words(options), "--", *map(os.fspath, files)]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          encoding="utf-8", errors="surrogateescape", check=False)
    if done.returncode != 0 and done.returncode not in no:
        raise Error(done.stderr.strip() or f"traceq {command}: exit code {done.returncode}", done.returncode)
    return done


def answer(command: str, *files: Path, no: Sequence[int] = (), **options: Any) -> Dict[str, Any]:
    """The whole answer: its tables with all columns, and its notes (the contract: docs/json.md)."""
    done = run(command, *files, no=no, format="json", **options)
    return dict(json.loads(done.stdout), exit_code=done.returncode)


def _frame(table: List[Dict[str, Any]], frame: Optional[bool]) -> Rows:
    if frame is False:
        return table
    try:
        import pandas
    except ImportError:
        if frame:
            raise
        return table
    return pandas.DataFrame(table)


def _pick(said: Dict[str, Any], table: Optional[str], frame: Optional[bool]) -> Rows:
    """Of several files the rows say which one they are of."""
    chosen = [t for t in said["tables"] if table is None or t["id"] == table]
    if not chosen:
        known = ", ".join(dict.fromkeys(t["id"] for t in said["tables"]))
        raise Error(f"the answer has no table '{table}', but {known or 'none'}", 2)
    chosen = [t for t in chosen if t["id"] == chosen[0]["id"]]
    if len(chosen) == 1:
        return _frame(chosen[0]["rows"], frame)
    return _frame([{"input": said["inputs"][t["input"]], **row} for t in chosen for row in t["rows"]], frame)


def rows(command: str, *files: Path, table: Optional[str] = None, frame: Optional[bool] = None,
         **options: Any) -> Rows:
    """The rows of the answer's table of that id; without one, of its first.

    frame: False for a list of dicts, True for a DataFrame; None takes what there is."""
    return _pick(answer(command, *files, **options), table, frame)


def top(*files: Path, table: Optional[str] = "ops", frame: Optional[bool] = None, **options: Any) -> Rows:
    """The heaviest operators; table="device" for kernels, copies and sets."""
    return rows("top", *files, table=table, frame=frame, **options)


def kernels(*files: Path, table: Optional[str] = "kernels", frame: Optional[bool] = None, **options: Any) -> Rows:
    """Kernels: time, launches, occupancy."""
    return rows("kernels", *files, table=table, frame=frame, **options)


def summary(*files: Path, **options: Any) -> Dict[str, Any]:
    """The verdict, steps, and where a step goes."""
    return answer("summary", *files, **options)


def diagnose(*files: Path, table: Optional[str] = "changes", frame: Optional[bool] = None, **options: Any) -> Rows:
    """What could be saved."""
    return rows("diagnose", *files, table=table, frame=frame, **options)


def metrics(*files: Path, table: Optional[str] = None, frame: Optional[bool] = None, **options: Any) -> Rows:
    """Series of training logs."""
    return rows("metrics", *files, table=table, frame=frame, **options)


def ranks(*files: Path, table: Optional[str] = None, frame: Optional[bool] = None, **options: Any) -> Rows:
    """Who makes the other ranks of a job wait."""
    return rows("ranks", *files, table=table, frame=frame, **options)


def diff(before: Path, after: Path, *, table: Optional[str] = None, frame: Optional[bool] = None,
         **options: Any) -> Rows:
    """What changed between two runs or folders of runs."""
    return rows("diff", before, after, table=table, frame=frame, **options)


def gate(before: Path, after: Path, *, frame: Optional[bool] = None, **options: Any) -> Gate:
    """Whether the new run may pass.  Error where that cannot be said."""
    said = answer("gate", before, after, no=(1,), **options)
    return Gate(said["exit_code"] == 0, _pick(said, "checks", frame))


def sql(query: str, *files: Path, frame: Optional[bool] = None, **options: Any) -> Rows:
    """SQLite's SELECT over the columns of traces (docs/schema.md)."""
    return rows("sql", *files, query, frame=frame, **options)


def export(output: Path, *files: Path, **options: Any) -> None:
    """The columns as a folder of Parquet files, or as an SQLite database (docs/schema.md)."""
    run("export", *files, output=os.fspath(output), **options)
