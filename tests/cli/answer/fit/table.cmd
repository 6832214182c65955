# memory by regime and what fits
"$TRACEQ" fit --params 7B --gpu 16GiB
# a name: less than it says
"$TRACEQ" fit --params 7B --gpu T4 --regime infer_fp16
# KV cache of 8,192 tokens, and how many more
"$TRACEQ" fit --params 8B --gpu L4 --layers 32 --hidden 4096 --heads 32 --kv-heads 8 --seq 8192
# divided among the GPUs of a node
"$TRACEQ" fit --params 70B --gpu H100 --gpus 16
# which GPU
"$TRACEQ" fit --params 7B --format md
# how large a model
"$TRACEQ" fit --gpu MI300X --json -q | grep -oE '"(regime|max_params)": ?("[^"]*"|[0-9]+)'
