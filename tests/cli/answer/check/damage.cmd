for kind in quote-name trailing-comma bad-utf8 dur-negative cut gz-bad-crc overlap kernel-ts-zero kernel-dur-years no-events; do
	"$FIXTURES" healthy --steps 1 --damage "$kind" >t
	echo "== $kind"
	"$TRACEQ" check t 2>&1 | sed -n '1,/^Launches/p' | grep -v '^Launches'
	echo "exit ${PIPESTATUS[0]}"
done
