# Values that are none fail with the series and the step of the first
log() { # FILE BAD STEP
	for i in $(seq 40); do echo "step=$i loss=$([ "$i" = "$3" ] && echo "$2" || echo 2.5) grad_norm=1.5"; done >"$1"
}
log base.log x 0
log nan.log nan 31
log inf.log inf 7
for new in nan inf; do
	"$TRACEQ" gate base.log $new.log --no-config -q | grep '^FAIL' | sed 's/  \+/  /g'
	echo "exit ${PIPESTATUS[0]}"
done
