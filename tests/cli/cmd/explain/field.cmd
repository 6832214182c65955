# Words of the field lead somewhere, by the name that people know.
for word in TTFT ITL TPOT prefill decode NCCL pageable pinned busbw algbw amp bf16 TF32 median p50 TP DDP MoE GPU \
	"GPU time" "device work" "KV cache"; do
	printf '%s: ' "$word"
	"$TRACEQ" explain "$word" | head -n 1
done
