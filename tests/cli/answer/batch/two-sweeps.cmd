# Of several sweeps in a folder one is shown, and how many are not is said in words that agree.
mkdir run
"$FIXTURES" artifact sweep-raw-csv >run/detailed_metrics.csv
"$FIXTURES" artifact baseline-metrics >run/baseline_metrics.json
"$TRACEQ" batch run | grep 'left out'
"$FIXTURES" artifact gpu-profile >run/gpu_profile.json
"$TRACEQ" batch run | grep 'left out'
