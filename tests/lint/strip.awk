# C text with comments and the contents of strings and character constants blanked, line by line,
# so that what is left can be searched for code.  With -v names=1 each line says FILE:N: first.
FNR == 1 { in_comment = 0 }
{
	line = $0
	out = ""
	while (line != "") {
		if (in_comment) {
			at = index(line, "*/")
			if (!at)
				break
			line = substr(line, at + 2)
			in_comment = 0
			out = out " "
		} else if (match(line, /\/\*|\/\/|"|'/)) {
			out = out substr(line, 1, RSTART - 1)
			what = substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
			if (what == "//")
				break
			if (what == "/*")
				in_comment = 1
			else {
				while (line != "" && substr(line, 1, 1) != what)
					line = substr(line, substr(line, 1, 1) == "\\" ? 3 : 2)
				line = substr(line, 2)
				out = out what what
			}
		} else {
			out = out line
			line = ""
		}
	}
	print names ? FILENAME ":" FNR ":" out : out
}
