/* Quoting.  In '' everything stands for itself; what must not be sent, and bytes that are not
 * UTF-8, are escapes in $''. */
#include "base/shell.h"

#include "base/utf8.h"

static bool is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_@%+=:,./-";

	/* zsh takes =NAME for the path of a command. */
	return *word && *word != '=' && strspn(word, plain) == strlen(word);
}

/* Whether the bytes from begin to end are the code point c and may be sent. */
static bool is_sent(uint32_t c, const char *begin, const char *end)
{
	SCOPED_STR b = { 0 };

	utf8_put(&b, c);
	bool is_same = b.n == (size_t)(end - begin) && memcmp(b.s, begin, b.n) == 0;
	return is_same && !is_unsafe(c) && !is_selector(c) && (c == ' ' || !is_blank(c));
}

/* Whether a line can show it as it is; servers of CI obey "::" at a word and "##NAME[". */
static bool is_shown(const char *word)
{
	const char *p = word, *end = word + strlen(word);
	bool begins = true;

	if (strstr(word, "##"))
		return false;
	while (p < end) {
		const char *begin = p;
		uint32_t c = utf8_next(&p, end);

		if (!is_sent(c, begin, p) || (begins && c == ':' && *p == ':'))
			return false;
		begins = c == ' ';
	}
	return true;
}

static void put_byte(struct str *b, char c)
{
	str_addf(b, "\\x%02x", (unsigned char)c); /* lint: allow text: for bash */
}

/* Shells take '!' for history in some kinds of quotes. */
static bool needs_code(char c)
{
	return (unsigned char)c < ' ' || (unsigned char)c > '~' || strchr("#:!", c);
}

void shell_quoted(struct str *b, const char *s)
{
	for (; *s; s++)
		if (*s == '\'')
			str_adds(b, "'\\''");
		else
			str_addc(b, *s);
}

void shell_word(struct str *b, const char *word)
{
	bool is_coded = !is_shown(word);

	if (!is_coded && is_plain(word)) {
		str_adds(b, word);
		return;
	}
	str_adds(b, is_coded ? "$'" : "'");
	for (; *word; word++) {
		if (is_coded && needs_code(*word))
			put_byte(b, *word);
		else if (is_coded && (*word == '\'' || *word == '\\'))
			str_addf(b, "\\%c", *word);
		else if (*word == '\'')
			str_adds(b, "'\\''");
		else
			str_addc(b, *word);
	}
	str_addc(b, '\'');
}

const char *shell_command(struct arena *mem, const char *const *word)
{
	SCOPED_STR b = { 0 };

	str_adds(&b, "traceq");
	for (; *word; word++) {
		str_addc(&b, ' ');
		shell_word(&b, *word);
	}
	return arena_copy(mem, b.s, b.n);
}

const char *shell_operand(struct arena *mem, const char *path)
{
	return path[0] == '-' || strcmp(path, "vs") == 0 ? arena_printf(mem, "./%s", path) : path;
}

void shell_ascii(struct str *b, struct span command)
{
	bool is_coded = false;

	/* All of them stand in ''. */
	for (size_t i = 0; i < command.n; i++) {
		bool is_high = (unsigned char)command.p[i] >= 0x80;

		if (is_high != is_coded)
			str_adds(b, is_high ? "'$'" : "''");
		is_coded = is_high;
		if (is_high)
			put_byte(b, command.p[i]);
		else
			str_addc(b, command.p[i]);
	}
}
