"""Runs one of these scripts, `python3 tests/oracle NAME`, as if it were called itself.

Answers as JSON are millions of small objects that live as long as the script needs them; looking
for circles among them took a tenth of the time of all oracles, so it is done seldom.
"""
import gc
import os
import runpy
import sys

gc.set_threshold(100000, 50, 100)
del sys.argv[0]
sys.argv[0] = os.path.join(os.path.dirname(os.path.abspath(__file__)), sys.argv[0] + ".py")
runpy.run_path(sys.argv[0], run_name="__main__")
