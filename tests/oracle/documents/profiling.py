"""What "Profiling & Metrics - Explained" prints: exports of profilers and trackers, and the dicts
that its comments show, as print() writes them."""
import json

from documents.case import Case, worse_json

PROFILING_RESULTS = """{
  "memory": {
    "peak_allocated_gb": 15.2,
    "mean_allocated_gb": 12.8
  },
  "timing": {
    "iteration": {"mean_sec": 0.425}
  },
  "throughput": {
    "samples_per_sec": 9.4
  }
}
"""

PROFILING_JSON = """{
  "timestamp": "2025-11-30T12:00:00",
  "device": 0,
  "memory": {
    "peak_allocated_gb": 15.2,
    "mean_allocated_gb": 12.8,
    "baseline_gb": 10.5
  },
  "timing": {
    "iteration": {
      "mean_sec": 0.425,
      "count": 1000
    }
  },
  "throughput": {
    "samples_per_sec": 9.4,
    "tokens_per_sec": 12032
  }
}
"""

# timer.get_summary() inside an export; its "..." is what every timer has
TIMERS = """{
  "device": "cpu",
  "timing": {
    "forward": {"mean_sec": 0.125, "count": 100},
    "backward": {"mean_sec": 0.250, "count": 100},
    "optimizer": {"mean_sec": 0.050, "count": 100},
    "iteration": {"mean_sec": 0.425, "count": 100}
  },
  "throughput": {
    "samples_per_sec": 8.5,
    "tokens_per_sec": 10920
  }
}
"""

METRICS_JSON = """{
  "experiment_name": "verifier_training",
  "metric_summaries": {
    "loss": {
      "mean": 0.342,
      "std": 0.089,
      "min": 0.123,
      "max": 0.789
    }
  },
  "score_distribution": {
    "mean_score": 0.78,
    "score_counts": {"0.0": 45, "0.5": 123, "1.0": 832}
  }
}
"""

# logger.export_all(): the document leaves out what is in {...} and behind the third loss
TRAINING_LOGGER = """{
  "experiment_name": "verifier_iter1",
  "metric_summaries": {
    "loss": {"count": 3, "mean": 0.4766666666666666, "min": 0.45, "max": 0.5},
    "reward": {"count": 3, "mean": 0.72}
  },
  "score_distribution": {
    "mean_score": 0.78,
    "score_counts": {"0.0": 45, "0.5": 123, "1.0": 832}
  },
  "raw_metrics": {
    "loss": [0.5, 0.48, 0.45]
  }
}
"""

SCORES = """{
  "total": 5,
  "valid_count": 4,
  "invalid_count": 1,
  "invalid_rate": 0.2,
  "score_counts": {"0.0": 1, "0.5": 1, "1.0": 2},
  "mean_score": 0.625
}
"""

REWARDS = """{
  "reward_mean": 0.72,
  "reward_std": 0.18,
  "rank_distribution": {"mean": 1.5, "std": 1.118033988749895}
}
"""

# get_measurements(): the dict of measure(), a list of them
MEASUREMENTS = """[
  {"timestamp": 1764504000.0, "tag": "baseline", "allocated_gb": 10.5, "reserved_gb": 11.0,
   "max_allocated_gb": 10.5, "max_reserved_gb": 11.0},
  {"timestamp": 1764504001.0, "tag": "after_forward", "allocated_gb": 12.5, "reserved_gb": 14.0,
   "max_allocated_gb": 15.2, "max_reserved_gb": 16.0}
]
"""

# What a loop prints of each of these, as Python writes a dict.
DICTS = """\
{'allocated_gb': 12.5, 'reserved_gb': 14.0, 'max_allocated_gb': 15.2, 'max_reserved_gb': 16.0}
{'loss': 0.5, 'reward': 0.8, 'kl_div': 0.01}
{'samples_per_sec': 8.5, 'tokens_per_sec': 10920}
"""
WORSE_DICTS = """\
{'allocated_gb': 25.0, 'reserved_gb': 28.0, 'max_allocated_gb': 30.4, 'max_reserved_gb': 32.0}
{'loss': 1.5, 'reward': 0.3, 'kl_div': 0.05}
{'samples_per_sec': 4.5, 'tokens_per_sec': 5460}
"""

GPU_PROFILE = """{
  "timestamp": "40_profile_gpu.py",
  "device": 0,
  "gpu_info": {
    "available": true,
    "device_count": 1,
    "devices": [
      {"index": 0, "name": "Tesla T4", "total_memory_gb": 16.0, "compute_capability": "7.5"}
    ]
  },
  "memory_profile": {
    "num_measurements": 1,
    "mean_allocated_gb": 1.25,
    "peak_allocated_gb": 1.25,
    "mean_reserved_gb": 1.5,
    "peak_reserved_gb": 1.5,
    "baseline_gb": 1.25,
    "device": "cuda:0"
  },
  "model_estimates": {
    "DeepSeek-Math-7B": {"num_params": 7000000000, "inference_gb": 13.038516044616699,
                         "training_gb": 78.23109626770019},
    "DeepSeek-V3 (active)": {"num_params": 37000000000, "inference_gb": 68.91787052154541,
                             "training_gb": 413.5072231292725}
  },
  "throughput_benchmark": {
    "batch_1": {"batch_size": 1, "samples_per_sec": 10.0, "memory_gb": 7.0},
    "batch_2": {"batch_size": 2, "samples_per_sec": 5.0, "memory_gb": 9.0},
    "batch_4": {"batch_size": 4, "samples_per_sec": 2.5, "memory_gb": 13.0},
    "batch_8": {"batch_size": 8, "samples_per_sec": 1.25, "memory_gb": 21.0}
  },
  "compatibility": {
    "DeepSeek-Math-7B (inference)": {"required_gb": 14, "fits": true},
    "DeepSeek-Math-7B (training)": {"required_gb": 60, "fits": false},
    "DeepSeek-V3 active (training)": {"required_gb": 296, "fits": false}
  }
}
"""

# The example output: what it says of the models, line for line but for its widths.
CONSOLE = """\
DeepSeek-Math-7B            13.0 GB              78.2 GB
DeepSeek-Math-70B          130.4 GB             782.3 GB
DeepSeek-V3 (active)        68.9 GB             413.5 GB
DeepSeek-Math-7B (inference)       14.0 GB       ✓ Fits
DeepSeek-Math-7B (training)        60.0 GB       ✗ Too large
DeepSeek-V3 active (training)     296.0 GB       ✗ Too large
"""

# What profilers and trackers return, as json.dump writes it: over several lines, and as one.
RETURNED = {
    "measure": {"allocated_gb": 12.5, "reserved_gb": 14.0, "max_allocated_gb": 15.2,
                "max_reserved_gb": 16.0},
    "timers": {"forward": {"mean_sec": 0.125, "count": 100},
               "backward": {"mean_sec": 0.250, "count": 100},
               "optimizer": {"mean_sec": 0.050, "count": 100}},
    "throughput": {"samples_per_sec": 8.5, "tokens_per_sec": 10920},
    "loss": {"count": 1000, "mean": 0.342, "std": 0.089, "min": 0.123, "max": 0.789, "p95": 0.512},
    "nothing": {"memory": {}, "timing": {}, "throughput": {}},
}

# The example output of 40_profile_gpu.py, as printed.
PRINTED = """\
============================================================
Model Memory Requirements
============================================================

Model                     Inference (fp16)     Training (fp16+Adam)     
----------------------------------------------------------------------
DeepSeek-Math-7B            13.0 GB              78.2 GB
DeepSeek-Math-70B          130.4 GB             782.3 GB
DeepSeek-V3 (active)        68.9 GB             413.5 GB

============================================================
Model Compatibility Check
============================================================

Available GPU Memory: 16.00 GB

Model                             Required        Status         
-----------------------------------------------------------------
DeepSeek-Math-7B (inference)       14.0 GB       ✓ Fits
DeepSeek-Math-7B (training)        60.0 GB       ✗ Too large
DeepSeek-V3 active (training)     296.0 GB       ✗ Too large
"""

EPOCHS = {
    "experiments/logs/verifier_iter1/epoch0_metrics.json": METRICS_JSON,
    "profiling_epoch0.json": PROFILING_JSON,
    "profiling_epoch1.json": PROFILING_JSON.replace("0.425", "0.437"),
}

CASES = [
    Case("profiling_results.json", PROFILING_RESULTS, worse_json(PROFILING_RESULTS)),
    Case("profiling.json", PROFILING_JSON, worse_json(PROFILING_JSON)),
    Case("timers.json", TIMERS, worse_json(TIMERS)),
    Case("metrics.json", METRICS_JSON, worse_json(METRICS_JSON), but={"diagnose"}, gated=False),
    Case("step_100_metrics.json", TRAINING_LOGGER, worse_json(TRAINING_LOGGER), but={"diagnose"},
         gated=False, only_warns=True),
    Case("scores.json", SCORES, worse_json(SCORES), but={"diagnose"}, gated=False),
    Case("rewards.json", REWARDS, worse_json(REWARDS), but={"diagnose"}, gated=False),
    Case("measurements.json", MEASUREMENTS, worse_json(MEASUREMENTS), but={"diagnose"}),
    Case("train.log", DICTS, WORSE_DICTS, ["12.5", "14.0", "15.2", "16.0", "0.5", "0.8", "0.01",
                                           "8.5", "10920"],
         but={"diagnose"}, gated=False),
    # whose throughput is a formula: nothing was measured
    Case("gpu_profile.json", GPU_PROFILE, worse_json(GPU_PROFILE), but={"diagnose"},
         also={"batch", "fit"}, gated=False),
    Case("epochs/", EPOCHS, {name: worse_json(text) for name, text in EPOCHS.items()}),
    Case("profile_gpu.log", PRINTED, None, ["13.0", "78.2", "130.4", "782.3", "68.9", "413.5",
                                            "16.0", "14.0", "60.0", "296.0"],
         but={"diagnose", "metrics", "report"}, also={"fit"}, gated=False),
    *(Case(f"{name}-{indent}.json", json.dumps(it, indent=indent) + "\n", None, gated=False,
           but={"diagnose", "metrics", "report"} if name == "nothing" else {"diagnose"})
      for name, it in RETURNED.items() for indent in (2, None)),
]
