#!/usr/bin/env python3
"""Captures of known work: the test program says what it did through the fake driver, and the trace,
read by Python and by traceq, must say the same.  Then everything that can go wrong: six versions of
CUPTI, refusals, kills at any time, forks, full disks, hostile names, too little memory.

    capture.py [NAME...]     all of the tests in capturing/, or those named

Needs the fakes (make test builds them into $B/capture); without them all is skipped.  Python's
standard library only.
"""
import collections
import concurrent.futures
import gc
import os
import sys

from capturing import ends, limits, nvtx, others, refusals, sealing, work
from capturing.box import APP, FAKE, LIBRARY, run_one

JOBS = 2
TESTS = [work.one_thread, work.four_threads, work.rank, work.versions, work.longer_records, work.thread_ids, work.occupancy, work.graphs,
         work.kinds, work.queries, work.windows, work.delay, work.nvml, nvtx.nvtx, nvtx.nvtx_alone, nvtx.devices_before_work,
         ends.end_normal, ends.end_failed, ends.end_exit, ends.end_kill9, ends.nothing_to_flush, ends.deep_queue, ends.deep_queue_goes_on,
         ends.killed_while_busy, ends.python_children, ends.set_id, ends.first_process, ends.end_segv,
         ends.end_abort, ends.end_term, ends.end_anywhere, ends.end_everywhere, ends.left_behind,
         ends.no_more_waiting, ends.hang_at_exit, ends.slow_at_exit, ends.hang_at_signal,
         ends.hang_always, ends.driver_first, ends.passed_on, ends.fork_first, ends.fork_after,
         ends.fork_kill, ends.exec_again,
         refusals.refused, refusals.some_kinds, refusals.no_privileges, refusals.losses, refusals.torn_buffer, refusals.other_tool,
         refusals.not_run, refusals.wrong_settings, refusals.one_cupti, refusals.too_new, refusals.real_cupti,
         others.other_profiler, others.other_short, others.other_buffers, others.other_kinds, others.other_clock,
         others.other_buffer, others.other_ids, others.other_cupti, others.own_clock, others.nobody_else,
         limits.memory_cap, limits.many_threads, limits.full_disk, limits.no_folder, limits.names_taken, limits.hostile,
         limits.script, sealing.seal, sealing.seal_prefixes, sealing.env_option,
         sealing.check_option]


def main():
    if not os.path.exists(APP) or not os.path.exists(LIBRARY):
        print(f"SKIP: no fakes in {FAKE}: make test builds them")
        print("0 passed, 0 failed, 1 skipped")
        return
    gc.disable()  # looking for circles in traces, which are trees, is half of reading them
    chosen = [t for t in TESTS if len(sys.argv) < 2 or t.__name__ in sys.argv[1:]]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        results = list(pool.map(run_one, chosen))
    count = collections.Counter(r.split()[0] for r in results)
    for r in results:
        if not r.startswith("ok"):
            print(r)
    print(f"{count['ok']} passed, {count['FAIL']} failed, {count['skip']} skipped")
    sys.exit(1 if count["FAIL"] else 0)


if __name__ == "__main__":
    main()
