# share of the GPUs' peak by what files say of GPUs, their number and the format; else by options, else none
mkdir run
"$FIXTURES" artifact trainer-state | sed 's/123456789.0/1.2e16/' >run/trainer_state.json
cat >run/gpu.csv <<'EOF'
timestamp, name, index, utilization.gpu [%], power.draw [W]
2025/11/30 12:00:00.000, NVIDIA A100-SXM4-80GB, 0, 90 %, 300 W
2025/11/30 12:00:01.000, NVIDIA A100-SXM4-80GB, 0, 90 %, 300 W
EOF
rates() {
	"$TRACEQ" metrics run -q "$@" | sed -n '/^throughput/,/^$/p'
}
cat >run/config.json <<'EOF'
{"world_size": 8, "bf16": true, "batch_size": 4, "learning_rate": 1e-5, "num_epochs": 1, "seed": 1}
EOF
rates
echo 'peak: bf16=250T' >traceq.yaml
rates
rates --peak-tflops 1600
rm traceq.yaml
sed -i 's/"bf16": true/"fp32": true/' run/config.json
rates
"$TRACEQ" metrics run -q --no-config --config x
TRACEQ_PEAK=bf15=2T "$TRACEQ" metrics run -q
