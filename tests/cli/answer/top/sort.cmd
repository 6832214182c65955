# torch's words and the short ones.
"$FIXTURES" healthy --steps 2 >t.json
for key in self_cpu_time_total cpu_time_total self_cuda_time_total cuda_time count self cpu gpu calls avg name; do
	echo "== $key"
	"$TRACEQ" top t.json --sort "$key" -n 2 --cat cpu_op --format csv --table ops | cut -d, -f1-10
done
