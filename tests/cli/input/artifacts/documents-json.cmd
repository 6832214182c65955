# the JSON that the profiling and metrics document prints (S0-A1, S0-A4 to S0-A6), letter by letter
cat >export.json <<'END'
{
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
END
cat >profiling.json <<'END'
{
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
END
cat >metrics.json <<'END'
{
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
END
cat >logger.json <<'END'
{
  "experiment_name": "verifier_iter1",
  "metric_summaries": {
    "loss": {"count": 3},
    "reward": {"count": 3}
  },
  "score_distribution": {
    "mean_score": 0.78,
    "score_counts": {}
  },
  "raw_metrics": {
    "loss": [0.5, 0.48, 0.45]
  }
}
END
cat >scores.json <<'END'
{
  "total": 5,
  "valid_count": 4,
  "invalid_count": 1,
  "invalid_rate": 0.2,
  "score_counts": {"0.0": 1, "0.5": 1, "1.0": 2},
  "mean_score": 0.625
}
END
cat >rewards.json <<'END'
{
  "reward_mean": 0.72,
  "reward_std": 0.18,
  "rank_distribution": {}
}
END
for f in export profiling metrics logger scores rewards; do
	echo "== $f"
	"$TRACEQ" info $f.json
done
"$TRACEQ" metrics metrics.json
