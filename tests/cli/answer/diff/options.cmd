"$FIXTURES" copy-bound --steps 8 >a.json && "$FIXTURES" healthy --steps 8 --seed 3 >b.json
for how in "--sort ratio" "--sort name" "--by op" "--by kernel" "--by shape" --only-changed \
	"-f Memcpy" "-v Memcpy" --exact-names "--warmup 2"; do
	echo "== $how"
	# shellcheck disable=SC2086
	"$TRACEQ" diff a.json b.json -n 3 $how | sed -n '/^device work/,/^$/p'
done
