# Pictures are linked as seen from the document, wherever it and they are.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed"; exit 77; }
"$FIXTURES" tiny --seed 1 >t.json
mkdir -p docs/a here
for pair in "r.md pics" "docs/r.md docs/pics" "docs/r.md pics" "docs/a/r.md here/pics" "r.md ./pics/" \
	"docs/r.md docs" "docs/r.md $PWD/pics"; do
	read -r document pics <<<"$pair"
	"$TRACEQ" report t.json -o "$document" --plots "$pics"
	link=$(sed -n 's/^!\[.*\](\(.*\))$/\1/p' "$document" | head -n 1)
	case $link in /*) cd / ;; *) cd "$(dirname "$document")" ;; esac
	[ -s "$link" ] && echo "$document: ${link#"$OLDPWD"/}"
	cd "$OLDPWD" || exit
done
