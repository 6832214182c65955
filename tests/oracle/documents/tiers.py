"""rlhf-canary's thresholds, by tier: each figure a little within its limit passes, a little beyond it
fails, as compare/stats.py has it.  Beyond: strictly greater."""
import json

from documents import canary

# step time %, tokens/s %, memory MB and %, steps at least
TIERS = {"default": (10, 8, 500, 20, 20), "smoke": (15, 12, 1000, 20, 10),
         "perf": (8, 5, 300, 20, 50), "nightly": (5, 3, 200, 20, 100)}
LOSSES = [round(0.7 - 0.001 * i, 4) for i in range(100)]


def metrics(step=1.0, rate=1.0, mem_mb=0.0, count=150, loss=1.0, base_mb=6144.5, **stability):
    """The base, times a factor or plus MB."""
    m = json.loads(canary.metrics(step=0.8123 * step, rate=5042.5 * rate, mem=base_mb + mem_mb))
    m["perf"]["step_time"]["count"] = count
    m["stability"].update(loss_values=[v * loss for v in LOSSES],
                          final_loss=LOSSES[-1] * loss, **stability)
    return json.dumps(m)


def cases():
    """(tier, name of the check, state, base, new)"""
    base, small = metrics(), metrics(base_mb=100.0)
    for tier, (step, rate, mb, pct, count) in TIERS.items():
        def pair(check, within, beyond, state="FAIL", base=base):
            yield tier, check, {"pass"}, base, within
            yield tier, check, {state}, base, beyond
        yield from pair("step_time", metrics(step=1 + (step - 0.5) / 100),
                        metrics(step=1 + (step + 0.5) / 100))
        yield from pair("tokens_per_sec", metrics(rate=1 - (rate - 0.5) / 100),
                        metrics(rate=1 - (rate + 0.5) / 100))
        yield from pair("peak_memory", metrics(mem_mb=mb - 1), metrics(mem_mb=mb + 1))
        yield from pair("peak_memory", metrics(base_mb=100.0, mem_mb=pct - 1),
                        metrics(base_mb=100.0, mem_mb=pct + 1), base=small)
        yield from pair("nan_steps", metrics(nan_steps=0), metrics(nan_steps=1))
        yield from pair("inf_steps", metrics(inf_steps=0), metrics(inf_steps=1))
        yield from pair("loss_diverged", metrics(loss_diverged=False), metrics(loss_diverged=True))
        yield from pair("loss_final", metrics(loss=1.49), metrics(loss=1.51))
        yield from pair("step_time", metrics(count=count), metrics(step=2, count=count - 1),
                        base=metrics(count=count))
