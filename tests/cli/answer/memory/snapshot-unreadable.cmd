# Snapshots that cannot be read: cut, with code in them, of something else. Nothing is run.
"$FIXTURES" artifact memory-snapshot-oom >s
head -c 1000 s >cut
printf '\200\002}(X\010\0\0\0segmentsX\015\0\0\0device_tracescos\nsystem\nU\002idRu.' >code
printf '\200\002}(X\010\0\0\0segments]X\015\0\0\0device_traces](K\1eu.' >odd
printf '\200\002}(X\010\0\0\0segmentsK\1X\015\0\0\0device_traces]u.' >none
cat s s >twice
for f in cut code odd none twice; do
	echo "== $f"
	"$TRACEQ" memory $f 2>&1 | head -n 3
done
