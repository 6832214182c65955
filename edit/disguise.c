/* Words that stay and words that do not. */
#include "edit/disguise.h"

#include "analyze/trace/columns/args.h"

enum { HEX_LEAST = 16 }; /* so long an id says whose it is */

struct disguise {
	struct strings known, kept;
	struct strings noted; /* the sym of a word is its number */
};

static const char known_words[] =
#include "edit/public_words.def"
	;

/* Names behind these and "::" are those of the same projects. */
static const char namespaces[] =
	"aten|prims|c10|c10d|_c10d_functional|c10d_functional|torch|autograd|quantized|"
	"inductor|fbgemm|torchvision|xformers|flash_attn|vllm";

static bool is_word(char c)
{
	return is_letter(c) || is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* The words of a text, which has no others beside them. */
static void know_words(struct strings *known, struct span text)
{
	size_t from = 0;

	for (size_t i = 0; i <= text.n; i++) {
		if (i < text.n && is_word(text.p[i]))
			continue;
		if (i > from)
			(void)strings_intern(known, (struct span){ text.p + from, i - from });
		from = i + 1;
	}
}

struct disguise *disguise_new(void)
{
	struct disguise *d = xcalloc(1, sizeof(*d));

	strings_init(&d->known, 1);
	strings_init(&d->noted, 1);
	strings_init(&d->kept, 1);
	know_words(&d->known, span_of(known_words));
	for (size_t i = 0; i < ARG_COUNT; i++)
		know_words(&d->known, span_of(arg_infos[i].key));
	return d;
}

void disguise_free(struct disguise *d)
{
	if (!d)
		return;
	strings_clear(&d->known);
	strings_clear(&d->noted);
	strings_clear(&d->kept);
	free(d);
}

/* ---- what is public ---- */

static size_t digits(struct span t, size_t at)
{
	return FIRST_FROM(i, at, t.n, !is_digit(t.p[i])) - at;
}

/* "10.0.3.17": its length; 0: none is there. */
static size_t address_at(struct span t, size_t at)
{
	size_t i = at, n;

	for (size_t part = 0; part < 4; part++) {
		n = digits(t, i);
		if (n == 0 || n > 3)
			return 0;
		i += n;
		if (part < 3 && (i >= t.n || t.p[i++] != '.'))
			return 0;
	}
	return i - at;
}

/* "8b4c1f0e-77d2-4a10": its length; 0: none is there, or it is a word or a number. */
static size_t id_at(struct span t, size_t at)
{
	size_t n = 0, letters = 0, figures = 0;

	while (at + n < t.n && (is_hex_digit(t.p[at + n]) || (n && t.p[at + n] == '-'))) {
		letters += is_hex_digit(t.p[at + n]) && !is_digit(t.p[at + n]);
		figures += is_digit(t.p[at + n]);
		n++;
	}
	while (n && t.p[at + n - 1] == '-')
		n--;
	if (letters + figures < HEX_LEAST || letters == 0 || figures == 0)
		return 0;
	return at + n < t.n && is_word(t.p[at + n]) ? 0 : n;
}

/* "12", "0x7f3a", "1e", "80GB", "5ms". */
static bool is_number(struct span word)
{
	size_t n = digits(word, 0);
	struct span unit = { word.p + n, word.n - n };

	if (n == 0)
		return false;
	if (n == 1 && word.p[0] == '0' && unit.n > 1 && unit.p[0] == 'x')
		return ALL(i, unit.n - 1, is_hex_digit(unit.p[i + 1]));
	return span_in(unit, "|e|E|B|KB|MB|GB|KiB|MiB|GiB|ns|us|ms|s|x|d");
}

/* "AddmmBackward0": PyTorch's own; a user's function has no number there. */
static bool is_grad(struct span word)
{
	static const char end[] = "Backward";
	size_t n = sizeof(end) - 1;

	return word.n > n + 1 && word.p[0] >= 'A' && word.p[0] <= 'Z' &&
		is_digit(word.p[word.n - 1]) && memcmp(word.p + word.n - 1 - n, end, n) == 0;
}

/* "H100", "MI300X", "L40S". */
static bool is_model(struct span word)
{
	size_t i = FIRST(k, word.n, word.p[k] < 'A' || word.p[k] > 'Z'), n = digits(word, i);

	return i > 0 && i <= 3 && n > 0 && n <= 4 && word.n - i - n <= 1;
}

static bool is_public(const struct disguise *d, const struct disguise_reader *r, struct span word)
{
	return word.n == 1 || ALL(i, word.n, word.p[i] == '_') || r->in_namespace ||
		is_number(word) || strings_find(&d->known, word) != UINT32_MAX || is_grad(word) ||
		(r->is_device && is_model(word));
}

/* ---- reading ---- */

/* Up to where a word goes on in one: before a number between underscores, or its end. */
static size_t part_end(struct span t, size_t at)
{
	size_t i, n;

	for (i = at; i < t.n && is_word(t.p[i]); i++) {
		if (t.p[i] != '_' || i == at)
			continue;
		n = digits(t, i + 1);
		if (n && (i + 1 + n == t.n || !is_word(t.p[i + 1 + n]) || t.p[i + 1 + n] == '_'))
			break;
	}
	return i;
}

/* How much of the text at r->at is one word or id, and whether it is private; 0: none is there. */
static size_t word_at(const struct disguise *d, const struct disguise_reader *r, bool *is_private)
{
	struct span t = r->text;
	size_t at = r->at, n = address_at(t, at);

	*is_private = true;
	if (n == 0)
		n = id_at(t, at);
	if (n || at == t.n)
		return n;
	/* Between parts: "_12", "_". */
	if (t.p[at] == '_' && at > 0 && is_word(t.p[at - 1])) {
		*is_private = false;
		return 1 + digits(t, at + 1);
	}
	if (!is_word(t.p[at]))
		return 0;
	struct span word = (struct span){ t.p + at, part_end(t, at) - at };
	*is_private = !is_public(d, r, word);
	return word.n;
}

bool disguise_next(
	const struct disguise *d, struct disguise_reader *r, struct disguise_piece *piece)
{
	struct span t = r->text;
	size_t from = r->at, n;
	bool is_private;

	if (from >= t.n)
		return false;
	while (r->at < t.n) {
		n = word_at(d, r, &is_private);
		if (n && is_private)
			break;
		struct span word = (struct span){ t.p + r->at, n };
		r->at += n ? n : 1;
		struct span behind = (struct span){ t.p + r->at, t.n - r->at };
		if (n)
			r->in_namespace = span_starts(behind, "::") && span_in(word, namespaces);
		if (n && r->in_namespace)
			r->at += 2;
		else if (!n)
			r->in_namespace = false;
	}
	if (r->at > from) {
		*piece = (struct disguise_piece){ { t.p + from, r->at - from }, false };
		return true;
	}
	*piece = (struct disguise_piece){ { t.p + from, n }, true };
	r->at += n;
	r->in_namespace = false;
	return true;
}

void disguise_note(struct disguise *d, struct span word)
{
	(void)strings_intern(&d->noted, word);
}

void disguise_keep(struct disguise *d, struct span text)
{
	(void)strings_intern(&d->kept, text);
}

bool disguise_keeps(const struct disguise *d, struct span text)
{
	return strings_find(&d->kept, text) != UINT32_MAX;
}

size_t disguise_count(const struct disguise *d)
{
	return d->noted.n - 1; /* without the empty text */
}

bool disguise_is_public(const struct disguise *d, struct span text)
{
	struct disguise_reader r = { .text = text };
	struct disguise_piece piece;

	while (disguise_next(d, &r, &piece))
		if (piece.is_private)
			return false;
	return true;
}

void disguise_put(const struct disguise *d, struct span text, bool is_device, struct str *out)
{
	struct disguise_reader r = { .text = text, .is_device = is_device };
	struct disguise_piece piece;

	while (disguise_next(d, &r, &piece)) {
		sym number = piece.is_private ? strings_find(&d->noted, piece.text) : 0;

		if (piece.is_private)
			str_addf(out, "w%" PRIu32, number == UINT32_MAX ? 0 : number);
		else
			str_add(out, piece.text.p, piece.text.n);
	}
}
