# every rule is explained
for i in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18; do
	"$TRACEQ" explain "D$i" | head -n 1
done
"$TRACEQ" explain D07
