#!/bin/sh
# compdb.sh FILE: from what `make -n` would run (stdin) to FILE, a compile_commands.json for clangd:
# for each call of the compiler its folder, its command as the shell takes it, and its source.
set -eu
awk -v folder="$PWD" '
function quoted(s) {
	gsub(/\\/, "\\\\", s)
	gsub(/"/, "\\\"", s)
	return "\"" s "\""
}
BEGIN { print "[" }
/ -c -o [^ ]+\.o [^ ]+\.c$/ {
	printf "%s{\"directory\": %s, \"file\": %s,\n \"command\": %s}",
		n++ ? ",\n" : "", quoted(folder), quoted($NF), quoted($0)
}
END { print "\n]"; exit n == 0 }' >"$1.new" || { rm -f "$1.new"; echo "compdb: make would compile nothing" >&2; exit 1; }
mv "$1.new" "$1"
