# What week 1's summary prints about batch sizes, and the script that profiles a GPU.
"$FIXTURES" artifact sweep-csv >detailed_metrics.csv
"$TRACEQ" batch detailed_metrics.csv --format seed | cat -E
"$FIXTURES" artifact gpu-profile >gpu_profile.json
"$TRACEQ" batch gpu_profile.json --format seed -q | cat -E
