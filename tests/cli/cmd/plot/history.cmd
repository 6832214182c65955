# a history allows its own chart; samples of nvidia-smi are no history, though they are rows
for i in $(seq 10 31); do echo "2025-10-$i,c$i,64.$i"; done | sed '1i date,commit,step_time_ms' >nightly.csv
"$TRACEQ" plot --list nightly.csv | grep -E 'yes |no +top-kernels'
"$FIXTURES" artifact smi-long --rows 50 >smi.csv
"$TRACEQ" plot --list smi.csv | grep -E 'yes |no +history'
