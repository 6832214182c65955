# What each container and producer is called.
for how in '--layout kineto' '--layout kineto2021 --gzip' '--layout jax --zlib' '--layout ascend' \
	'--layout chrome --utf16le' '--layout ndjson --bom' '--layout open-array'; do
	# shellcheck disable=SC2086
	"$FIXTURES" healthy --steps 1 $how >t
	echo "== $how"
	"$TRACEQ" info t 2>&1 | grep -E '^(producer|container|form|state|events|steps by)'
done
