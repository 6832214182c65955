# What a loop prints by hand: a name, a blank and a number, behind the step they are of.
cat >colon.log <<'END'
[2025-11-30 12:00:00] INFO Step 10: loss 0.69
[2025-11-30 12:00:01] INFO Step 20: loss 0.59
END
cat >bars.log <<'END'
step 1 | loss 2.5 | lr 1e-4 | grad norm 1.25
step 2 | loss 2.25 | lr 2e-4 | grad norm 1.5
END
cat >epochs.log <<'END'
Epoch 1/3: train loss 0.9, val loss 1.0, accuracy 71.5%, saved 3 files
Epoch 2/3: train loss 0.7, val loss 0.8, accuracy 81.5%, saved 3 files
END
cat >words.log <<'END'
Step 1: loaded 3 shards of 40 samples each
Step 2: compiled 12 kernels
END
for f in colon bars epochs words; do
	echo "== $f"
	"$TRACEQ" metrics $f.log --format csv --table keys -q 2>&1 | cut -d, -f1-9
done
