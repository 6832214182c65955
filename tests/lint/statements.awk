# Whole statements of C text from tests/lint/strip.awk -v names=1, each on one line: FILE:FIRST:LAST: text.
# A statement ends with ; or a brace.  Preprocessor lines are statements, with what continues them.
function out() {
	if (text != "") {
		gsub(/[[:space:]]+/, " ", text)
		sub(/^ /, "", text)
		print file ":" first ":" last ": " text
	}
	text = ""
}
{
	match($0, /^[^:]*:[0-9]+:/)
	split(substr($0, 1, RLENGTH), at, ":")
	line = substr($0, RLENGTH + 1)
	if (at[1] != file || (line ~ /^[[:space:]]*#/ && !continued))
		out()
	if (text == "")
		first = at[2]
	file = at[1]
	last = at[2]
	is_directive = is_directive && continued || line ~ /^[[:space:]]*#/
	continued = line ~ /\\$/
	sub(/\\$/, "", line)
	text = text " " line
	if (is_directive ? !continued : line ~ /[;{}][[:space:]]*$/)
		out()
}
END { out() }
