#!/bin/bash
# bundle.sh OBJECT BUNDLE.c COMPILER FLAG...: compiles a bundle (tests/bundles.py).  Where its files do
# not go together (any more), which it then says, each is compiled alone, and they are joined; the next
# make says anew which do.
set -u
object=$1 bundle=$2
shift 2
if said=$("$@" -MF "${object%.o}.d" -MT "$object" -c -o "$object" "$bundle" 2>&1); then
	[ -z "$said" ] || printf '%s\n' "$said" >&2
	exit 0
fi
echo "$bundle: its files are compiled one by one: $(grep -m 1 'error:' <<<"$said")" >&2
rm -f "${bundle%/*}/bundles.mk"
parts=()
# Also where one has an error, the object is of all of them.
sed -n "s|^#include \"\(.*\)\"\$|$object: \1\n\1:|p" "$bundle" >"${object%.o}.d"
while read -r file; do
	part=$object.${#parts[@]}.o
	"$@" "-Dmain=$(basename "$file" .c)_main" -MF "$part.d" -MT "$object" -c -o "$part" "$file" || exit 1
	cat "$part.d" >>"${object%.o}.d"
	rm "$part.d"
	parts+=("$part")
done < <(sed -n 's/^#include "\(.*\)"$/\1/p' "$bundle")
ld -r -o "$object" "${parts[@]}" && rm "${parts[@]}"
