"$FIXTURES" healthy --steps 2 >t.json
for by in name config op; do
	echo "== $by"
	"$TRACEQ" kernels t.json --by "$by" -n 3 --sort calls
done
