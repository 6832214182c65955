# Loops that end only by finding what they look for, in C whose comments and strings are blanked
# (tests/lint/strip.awk with names=1): FILE:N:code.  Prints FILE:N:loop.
#
# A loop steps over something: what it changes, by ++, --, += and the like in its head or its body.
# Each of its conditions between && is one of three things:
#
#   an end     compares what is stepped itself (i < n, p != end, at != NO_ROW), or asks whether
#              something is there at all (*p, x[i].word, x->next, a call), or compares what is found
#              with what means "none" (NULL, 0, NO_ROW)
#   a find     looks at what is behind it (x[i], *p, p->x, f(i)) and compares that, or says ! of it
#   neither    does not look at it
#
# A loop with a find and without an end goes on for ever where there is nothing to be found.  Of
# conditions between || each has to have its end.

function trim(s)
{
	gsub(/^[ \t]+|[ \t]+$/, "", s)
	return s
}

# Where the bracket that s begins with is closed; 0: it is not.
function closing(s, i, depth, c)
{
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (c ~ /[({[]/)
			depth++
		else if (c ~ /[)}\]]/ && --depth == 0)
			return i
	}
	return 0
}

# Splits s at op outside of brackets into out[1..]; returns how many parts.
function split_at(s, op, out, i, depth, c, n, part)
{
	n = 0
	part = ""
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (c ~ /[({[]/)
			depth++
		else if (c ~ /[)}\]]/)
			depth--
		if (depth == 0 && substr(s, i, length(op)) == op) {
			out[++n] = trim(part)
			part = ""
			i += length(op) - 1
		} else
			part = part c
	}
	out[++n] = trim(part)
	return n
}

# Without brackets that are around all of it.
function bare(s)
{
	s = trim(s)
	while (s ~ /^\(/ && closing(s) == length(s))
		s = trim(substr(s, 2, length(s) - 2))
	return s
}

# With what is in brackets, arrows and shifts blanked, at the same length.
function hide(s, i, c, depth, out)
{
	gsub(/->|<<|>>/, "..", s)
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (c ~ /[)\]]/)
			depth--
		out = out (depth > 0 ? "_" : c)
		if (c ~ /[([]/)
			depth++
	}
	return out
}

# What s changes, into stepped[]: names, with members, or what a pointer to a counter is at.
function find_steps(s, name, m)
{
	name = "\\*?\\(?\\*?[A-Za-z_][A-Za-z0-9_]*((->|\\.)[A-Za-z_][A-Za-z0-9_]*|\\[[^][]*\\])*\\)?"
	while (match(s, "(\\+\\+|--)" name "|" name "[ ]*(\\+\\+|--|[-+*/|&]=|<<=|>>=|=[^=])")) {
		m = substr(s, RSTART, RLENGTH)
		s = substr(s, RSTART + RLENGTH)
		# `*p++` steps p, `++*at` and `(*at)++` what at points to.
		if (m ~ /^\*[A-Za-z_]/ && m ~ /(\+\+|--)$/)
			m = substr(m, 2)
		gsub(/[-+*\/|&<>]*=.*$|\+\+|--|[ ()]/, "", m)
		if (m != "")
			stepped[m] = 1
	}
}

# Whether what follows s stands in [] or in the arguments of a call.
function inside(s, i, c, depth)
{
	for (i = length(s); i > 0; i--) {
		c = substr(s, i, 1)
		if (c ~ /[)\]]/)
			depth++
		else if (c ~ /[([]/ && depth-- == 0) {
			if (c == "[" || substr(s, i - 1, 1) ~ /[A-Za-z0-9_]/)
				return 1
			depth = 0
		}
	}
	return 0
}

# Whether a condition has what is stepped: 2 itself, 1 what is behind it, 0 not at all.
function sight(c, v, best, rest, at, before, after, i)
{
	best = 0
	gsub(/\((const )?(unsigned |struct )?[a-z_0-9]+( \*+)?\)/, "", c) # casts
	for (v in stepped) {
		rest = c
		i = 0
		while ((at = index(rest, v)) > 0) {
			i += at
			before = i > 1 ? substr(c, i - 1, 1) : ""
			after = substr(c, i + length(v), 2)
			rest = substr(rest, at + 1)
			if (before ~ /[A-Za-z0-9_.]/ || substr(c, i - 2, 2) == "->" ||
				after ~ /^[A-Za-z0-9_]/)
				continue
			if (after ~ /^(->|\[)/ || before == "*" && substr(v, 1, 1) != "*" ||
				inside(substr(c, 1, i - 1)))
				best = best > 1 ? best : 1
			else
				best = 2
		}
	}
	return best
}

# 2 an end, 1 a find, 0 neither.
function kind(c, part, n, i, k, least, seen, shown)
{
	c = bare(c)
	n = split_at(c, "||", part)
	if (n > 1) {
		least = 2
		for (i = 1; i <= n; i++) {
			k = has_end(part[i])
			least = k < least ? k : least
		}
		return least
	}
	seen = sight(c)
	if (c ~ /^!(is|at)_(end|over|done|close) *\(/)
		return 2
	if (c ~ /^!/)
		return seen == 2 && c !~ /[[(]/ ? 2 : seen > 0
	shown = hide(c)
	if (match(shown, /[!=<>]=|<|>/) && RSTART > 1)
		return kind_compared(c, substr(shown, RSTART, RLENGTH),
			trim(substr(c, RSTART + RLENGTH)), seen)
	if (c ~ /^([a-z_]+_(eq|is)|same_[a-z_]+|is_same[a-z_]*|[a-z]*cmp) *\(/)
		return seen > 0
	return 2
}

# The same of a comparison by op, with what stands right of it.
function kind_compared(c, op, right, seen)
{
	if (seen == 0 && op ~ /[<>]/ && c !~ /[[(*]/)
		return 2
	if (op == "!=" && right ~ /^(NULL|0|-1|EOF|SIZE_MAX|NO_[A-Z]+|[A-Z_]+_(NONE|NOBODY|NULL))$/ &&
		c !~ /^[a-z]*cmp *\(/)
		return 2
	if (op ~ /^[=>]/ && right ~ /^''$/)
		return 2 # a string is over where its end is
	if (op ~ /[!=]=/ && right ~ /^[A-Z][A-Z_]+$/ && c ~ /^\(?[a-z_.]+ *\(|= *[a-z_]+\(/)
		return 2 # what a reader says
	return seen
}

# 2: a chain of && has an end; 1: it has but finds; 0: it looks at nothing.
function has_end(c, part, n, i, k, most)
{
	c = bare(c)
	if (split_at(c, "||", part) > 1)
		return kind(c)
	n = split_at(c, "&&", part)
	most = 0
	for (i = 1; i <= n; i++) {
		k = kind(part[i])
		most = k > most ? k : most
	}
	return most
}

function indent(s)
{
	match(s, /^[ \t]*/)
	return RLENGTH
}

# The body of the do whose while is in line i; "": it is a loop by itself.
function do_body(i, k, body)
{
	for (k = i - 1; k > 0 && k > i - 60; k--) {
		if (line[k] ~ /[^ \t]/ && indent(line[k]) <= indent(line[i]))
			return line[k] ~ /^[ \t]*do([^A-Za-z0-9_]|$)/ ? trim(line[k]) " " body : ""
		body = trim(line[k]) " " body
	}
	return ""
}

# The loop of that word, whose brackets text begins with, in line i.
function look_at_loop(i, word, text, head, end, cond, part, body, k)
{
	for (k = i + 1; k <= count && k < i + 30; k++)
		text = text " " trim(line[k])
	end = closing(text)
	if (!end)
		return
	head = substr(text, 2, end - 2)
	body = trim(substr(text, end + 1))
	cond = head
	for (k in stepped)
		delete stepped[k]
	if (word == "for") {
		if (split_at(head, ";", part) != 3)
			return
		cond = part[2]
		find_steps(part[3])
	}
	if (body ~ /^\{/)
		body = substr(body, 1, closing(body) ? closing(body) : length(body))
	else
		sub(/;.*/, ";", body)
	if (word == "while" && body ~ /^;/)
		body = do_body(i)
	find_steps(body)
	find_steps(cond)
	cond = trim(cond)
	if (cond != "" && cond !~ /^(true|1)$/ && has_end(cond) == 1)
		print file ":" i ":" word " (" head ")"
}

function end_of_file(i, text, word)
{
	for (i = 1; i <= count; i++) {
		text = line[i]
		while (match(text, /(^|[^A-Za-z0-9_])(for|while) *\(/)) {
			word = substr(text, RSTART, RLENGTH) ~ /for/ ? "for" : "while"
			text = substr(text, RSTART + RLENGTH - 1)
			look_at_loop(i, word, text)
			text = substr(text, 2)
		}
	}
}

{
	at = index($0, ":")
	name = substr($0, 1, at - 1)
	rest = substr($0, at + 1)
	if (name != file) {
		end_of_file()
		file = name
		count = 0
	}
	line[++count] = substr(rest, index(rest, ":") + 1)
}

END { end_of_file() }
