# docs/schema.md is what the program prints; to write it: traceq sql --schema --format md, below the page's heading.
root=$T/../../../..
"$TRACEQ" sql --schema --format md >printed
[ -n "$(sed -n '/^### events/,$p' "$root/docs/schema.md")" ] && echo read
sed -n '/^### events/,$p' "$root/docs/schema.md" | diff - <(sed -n '/^### events/,$p' printed) && echo same
"$TRACEQ" sql --schema --table rows
"$TRACEQ" sql --schema | head -n 12
