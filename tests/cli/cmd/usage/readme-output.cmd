# What the README shows is what comes: below each "$ command" of its examples its lines, in
# their order, where "..." stands for others.
PATH=$(dirname "$TRACEQ"):$PATH
mkdir -p build/release && ln -s "$FIXTURES" build/release/fixtures
awk '/^```$/ { n++; next } n % 2 == 1' "$T/../../../../README.md" >shown
grep -c '^\$ ' shown
while IFS= read -r line; do
	case $line in
	'$ '*)
		eval "${line#\$ }" >came
		at=1
		;;
	...) ;;
	*)
		here=$(tail -n "+$at" came | grep -nxF -- "$line" | head -n 1 | cut -d: -f1)
		[ -n "$here" ] || echo "not there, or not there any longer: $line"
		at=$((at + ${here:-0}))
		;;
	esac
done <shown
