# A log of one line so far is a log; settings in one line are none, and an answer of a service is only numbers.  A first
# line in JSON does not make a document of the text below it.
read_as() { printf '%s\n' "$2" >"$1"; "$TRACEQ" info "$1" -q 2>&1 | sed -n '1p; 3p; /^Series/,/^no room/p'; }
read_as train.jsonl '{"epoch": 1, "loss": 0.5}'
read_as raw.jsonl '{"timestamp": 1764504000.0, "tag": "baseline", "allocated_gb": 1.5, "reserved_gb": 2.0, "max_allocated_gb": 1.6, "max_reserved_gb": 2.1}'
echo "== a line of JSON, then text"
read_as mixed.log '{"batch_size": 8, "learning_rate": 0.001, "epochs": 3}
[2025-11-30 12:00:00] INFO step: 1 loss: 0.9
[2025-11-30 12:00:01] INFO step: 2 loss: 0.8'
read_as rows.log '{"epoch": 1, "loss": 0.5}
saved to checkpoints/epoch_1.pt
epoch: 2, loss: 0.4'
echo "== none"
read_as service.json '{"status": "ok", "latency_ms": 12, "id": 7}'
read_as tokenizer.json '{"model_max_length": 512, "version": 3}'
read_as deepspeed.json '{"train_batch_size": 8, "gradient_accumulation_steps": 2}'
read_as note.txt '{"version": 3}
Dear reader, this is a letter.'
true
