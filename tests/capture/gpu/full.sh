#!/bin/bash
# What capture costs and holds on a machine with an NVIDIA GPU (9 minutes).  Each part has its own
# time limit, so that one that hangs cannot eat the rest.  PyTorch is used where it is installed.
# From the root of a built tree: bash tests/capture/gpu/full.sh [FOLDER for traces]
set -u
out=${1:-/tmp/traceq-full}
T=build/release/traceq
mkdir -p "$out"
nvcc -arch=native -o "$out/work" tests/capture/gpu/work.cu || exit 1

echo "== 100,000 empty kernels: off and on, alternating, seconds"
for _ in 1 2 3 4 5; do
	/usr/bin/time -f "off %e" timeout 60 "$out/work" n=25000 t=4 >/dev/null
	rm -f "$out"/many.json.gz
	/usr/bin/time -f "on  %e" timeout 60 $T capture -o "$out/many.json.gz" -- "$out/work" n=25000 t=4 \
		>"$out/many.did"
done
timeout 60 python3 tests/capture/gpu/compare.py "$out/many.json.gz" "$out/many.did"
timeout 60 $T check "$out/many.json.gz"

echo "== late start: how long switching CUPTI on stalls the program"
for _ in 1 2 3 4 5; do
	rm -f "$out"/late.json.gz
	timeout 60 $T capture --delay 2s --warmup 1s -o "$out/late.json.gz" -- "$out/work" n=400000 end=hold
	timeout 60 $T top "$out/late.json.gz" | sed -n 2p
done

echo "== overhead CUPTI tells of itself"
timeout 60 python3 - "$out/many.json.gz" <<'P'
import collections, gzip, json, sys
n, us = collections.Counter(), collections.Counter()
for e in json.load(gzip.open(sys.argv[1]))["traceEvents"]:
    if e.get("cat") == "overhead":
        n[e["name"]] += 1
        us[e["name"]] += e["dur"]
for name in n:
    print(f"{name}: {n[name]} times, {us[name]:.0f} us")
P

if python3 -c 'import torch; assert torch.cuda.is_available()' 2>/dev/null; then
	cat >"$out/train.py" <<'P'
import os, statistics, sys, time, torch
layer = torch.nn.TransformerEncoderLayer(1024, 16, batch_first=True)
model = torch.nn.TransformerEncoder(layer, 3).cuda().bfloat16()
opt = torch.optim.AdamW(model.parameters())
x = torch.randn(16, 512, 1024, device="cuda", dtype=torch.bfloat16)
times = []
for step in range(200):
    began = time.perf_counter()
    with torch.cuda.nvtx.range(f"step {step}"):
        model(x).float().square().mean().backward()
        opt.step()
        opt.zero_grad()
    torch.cuda.synchronize()
    times.append(time.perf_counter() - began)
maps = {line.split()[-1] for line in open("/proc/self/maps") if "libcupti" in line}
print(f"{sys.argv[1]} median step {statistics.median(times[20:]) * 1e3:.3f} ms, "
      f"libcupti in the process: {len(maps)}")
P
	echo "== PyTorch, 200 steps, off and on, alternating (target: below 3 %)"
	for _ in 1 2 3 4 5; do
		timeout 60 python3 "$out/train.py" off
		rm -f "$out"/torch.json.gz
		timeout 60 $T capture -o "$out/torch.json.gz" -- python3 "$out/train.py" on
	done
	timeout 60 $T summary "$out/torch.json.gz"
	echo "== torch.profiler within capture: either it records no device work, and says so (until August"
	echo "   2026), or capture says that another user of CUPTI has taken over and calls its file incomplete"
	rm -f "$out"/both.json.gz
	timeout 60 $T capture -o "$out/both.json.gz" -- python3 -c '
import torch
with torch.profiler.profile() as p:
    torch.ones(1000, device="cuda").sum().item()
print("device events of torch.profiler:", sum(e.device_type.name == "CUDA" for e in p.events()))'
else
	echo "skip: no PyTorch with CUDA here"
fi
