# Counts of scores that cannot be counts (too many, fewer than none) are not added up.
cat >scores.json <<'END'
{"total": 4, "valid_count": 1e300, "invalid_count": -3, "invalid_rate": 0,
 "score_counts": {"1.0": 8e18, "2.0": 8e18, "3.0": -4, "4.0": 5}, "mean_score": 4}
END
"$TRACEQ" metrics -q scores.json
