# several at once: together, then one by one
"$FIXTURES" dataloader-bound --steps 3 >t.json
"$TRACEQ" critical t.json --what-if 'dataloader=0,kernel:gemm=0.8' --what-if op:aten::mm=5us |
	sed -n '/^what a change/,/^$/p'
# factor 1 changes nothing; more than 1 makes it longer; a comma in a name
for w in host=1 kernel=2 'kernel:gem{1,2}=1.5' 'launch:LaunchKernel=20us' gap=0 'host:Data.*next=0'; do
	"$TRACEQ" critical t.json --what-if "$w" --format csv --table what_if 2>/dev/null | sed -n 2p
done
# a name that nothing has
"$TRACEQ" critical t.json --what-if comm:AllReduce=hidden 2>&1 >/dev/null
