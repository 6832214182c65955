# a history allows its own chart; samples of nvidia-smi are no history, though they are rows
for i in $(seq 10 31); do echo "2025-10-$i,c$i,64.$i"; done | sed '1i date,commit,step_time_ms' >nightly.csv
"$TRACEQ" plot --list nightly.csv | grep -E 'yes |no +top-kernels'
"$FIXTURES" artifact smi-long --rows 50 >smi.csv
"$TRACEQ" plot --list smi.csv | grep -E 'yes |no +history'
# a store is a history, though its lines could be read otherwise
for i in 1 2 3; do
	"$FIXTURES" healthy --seed "$i" --steps 2 >r.json
	"$TRACEQ" baseline add store r.json >/dev/null
done
"$TRACEQ" plot --list store | grep -E 'yes |no +(history|step-time)'
