#!/bin/bash
# No name that only its own file needs: a function or table that no other object of the product
# refers to is static, unless its file uses it and a test tries it by itself; what the file does not
# use either is dead, however well it is tested.  A name in tests/lint/unused.txt may stay; its line
# there says why.  Nor one that two objects define: a program may link both.
#
#   unused.sh --try     look at a bad example instead, which must be found
# Why: what nothing calls is read, mended and tested for nothing.
set -u
cd "$(dirname "$0")/../.." || exit 2

# find_unused OBJECTS SOURCES TESTS LIST FILE.c...: names of the FILEs below SOURCES that are not as
# they should be.
find_unused() {
	local objects=$1 sources=$2 tests=$3 list=$4 f name
	shift 4
	for f; do
		[ -e "$objects/${f%.c}.o" ] || { echo "no $objects/${f%.c}.o: make first"; return; }
	done
	declare -A stays=()
	while read -r name; do
		stays[$name]=1
	done < <(sed -n 's/^\([A-Za-z_0-9]*\): ..*/\1/p' "$list")
	while read -r f name; do
		if [ -n "${stays[$name]-}" ]; then
			unset "stays[$name]"
		elif [ "$(awk -f tests/lint/strip.awk "$sources/$f" | grep -cw "$name")" -lt 2 ]; then
			echo "$f: $name is used by nothing of the product"
		elif ! grep -rqw --include='*.[ch]' "$name" "$tests"; then
			echo "$f: $name is for this file alone: static"
		fi
	done < <(for f; do echo "$objects/${f%.c}.o"; done | xargs nm -A -P | awk -v skip=${#objects} '
		$3 ~ /^[TDBRVWGS]$/ && $2 !~ /^_/ {
			sub(/\.o:$/, ".c", $1)
			home[$2] = substr($1, skip + 2)
		}
		$3 == "U" { used[$2] }
		END { for (name in home) if (!(name in used)) print home[name], name }' | LC_ALL=C sort)
	for name in "${!stays[@]}"; do
		echo "$list: $name needs no line there"
	done
	for f; do echo "$objects/${f%.c}.o"; done | xargs nm -A -P | awk -v skip=${#objects} '
		$3 ~ /^[TDBRG]$/ && $2 != "main" && $2 !~ /^_/ {
			sub(/\.o:$/, ".c", $1)
			file = substr($1, skip + 2)
			if ($2 in home)
				print file ": " $2 " is the name of something of " home[$2] ", too"
			home[$2] = file
		}'
}

if [ "${1-}" = --try ]; then
	dir=$(mktemp -d) || exit 2
	trap 'rm -rf "$dir"' EXIT
	mkdir "$dir/tests" "$dir/obj"
	printf 'int dead(void) { return 1; }\nint own(void) { return 2; }\nint tried(void) { return 3; }\nint asked(void) { return own() + tried(); }\n' >"$dir/a.c"
	printf 'int asked(void);\nint tried(void) { return 4; }\nint main(void) { return asked() + tried(); }\n' >"$dir/b.c"
	printf 'int t(void) { return tried() + dead(); }\n' >"$dir/tests/t.c"
	echo 'main: the entry' >"$dir/list"
	for f in a b; do
		${CC:-cc} -c -o "$dir/obj/$f.o" "$dir/$f.c" || exit 2
	done
	found=$(find_unused "$dir/obj" "$dir" "$dir/tests" "$dir/list" a.c b.c)
	want='a.c: dead is used by nothing of the product
a.c: own is for this file alone: static
b.c: tried is the name of something of a.c, too'
	[ "$found" = "$want" ] && exit 0
	printf 'a bad example gives\n%s\nand should give\n%s\n' "$found" "$want"
	exit 1
fi

"tests/lint/unused.sh" --try || exit 1
mapfile -t files < <(find base analyze report edit cmd capture -name '*.c' -o -path 'analyze/answer/*/*_tables.def' ! -name noise_tables.def |
	sed 's/\.def$/_def.c/' | LC_ALL=C sort)
found=$(find_unused "${BUILD:-build}/alone" . tests tests/lint/unused.txt "${files[@]}")
[ -n "$found" ] || exit 0
echo "$found"
exit 1
