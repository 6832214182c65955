"""What the generator's answers say of steps: its marks on the CPU, or where they are cut on the device."""
import functools
import os
import subprocess
import tempfile

from judging import ledger


def spans(answers, on_device):
    """(start, end) of each step; on the device from its first work to that of the next, over all devices."""
    rows = answers["step_rows"]
    if not on_device or not rows:
        return [(r["start_ns"], r["start_ns"] + r["wall_ns"]) for r in rows]
    work = [r["devices"].values() for r in rows]
    starts = [min(d["launched_first_ns"] for d in w) for w in work]
    return list(zip(starts, starts[1:] + [max(d["launched_last_ns"] for d in work[-1])]))


@functools.lru_cache(maxsize=None)
def runs_ahead(scenario, steps):
    """Whether a scenario's steps are cut on the device, by its events and not by the program."""
    with tempfile.NamedTemporaryFile() as f:
        subprocess.run([os.environ["FIXTURES"], scenario, "--steps", str(steps)], stdout=f, check=True)
        return ledger.Run(f.name).steps.on_device
