# Hugging Face's Trainer: dicts between bars that rewrite their line, evaluation, summary.
printf '  0%%|          | 0/30 [00:00<?, ?it/s]\r 33%%|###3      | 10/30 [00:05<00:10,  2.00it/s]\r' >log
cat >>log <<'L'
{'loss': 0.69, 'grad_norm': 1.2, 'learning_rate': 5e-05, 'epoch': 0.1}
{'loss': nan, 'grad_norm': '1.3', 'learning_rate': 4e-05, 'epoch': 0.2}
{'eval_loss': 0.61, 'eval_runtime': 1.25, 'eval_samples_per_second': 80.0, 'eval_steps_per_second': 10.0, 'epoch': 0.2}
{'train_runtime': 12.5, 'train_samples_per_second': 24.0, 'train_steps_per_second': 2.4, 'train_loss': 0.65, 'epoch': 0.3}
L
"$TRACEQ" info log
