/* What a person says of peaks: --peak bf16=708T,mem=4.0T, and the same as a setting. */
#include <ctype.h>

#include "analyze/costmodel/hardware.h"
#include "analyze/costmodel/peaks.h"
#include "base/base.h"
#include "base/opt.h"
#include "base/setting.h"

#define WANTED "wanted is a list such as bf16=708T,mem=4.0T,link=450G,vector-fp32=81T"

enum { WORD_MAX = 64, NEAR_MAX = 256 };

const struct setting peaks_setting = { "peak", SETTING_TEXT, "", NULL,
	"what the GPU can do at most, by number format: "
	"bf16=708T,mem=4.0T,link=450G,vector-fp32=81T, or its name; as --peak" };

const struct setting *peaks_setting_at(size_t i)
{
	return i == 0 ? &peaks_setting : NULL;
}

void peaks_given_none(struct peaks_given *g)
{
	*g = (struct peaks_given){ .over = { .memory_Bps = NAN, .link_Bps = NAN, .share = 1 } };
	for (int k = 0; k < ROOF_DTYPE_COUNT; k++)
		g->over.matrix[k] = g->over.vector[k] = NAN;
}

/* Where the value of a key goes; NULL: there is no such key.  *is_bytes: it is a bandwidth. */
static double *place_of(struct roof_peaks *p, const char *key, bool *is_bytes)
{
	bool is_vector = strncmp(key, "vector-", 7) == 0;
	const char *word = is_vector || strncmp(key, "matrix-", 7) == 0 ? key + 7 : key;

	*is_bytes = true;
	if (strcmp(key, "mem") == 0 || strcmp(key, "memory") == 0)
		return &p->memory_Bps;
	if (strcmp(key, "link") == 0)
		return &p->link_Bps;
	*is_bytes = false;
	return FIND_VALUE(k, ROOF_DTYPE_COUNT, strcmp(word, roof_dtype_words[k]) == 0,
		is_vector ? &p->vector[k] : &p->matrix[k], NULL);
}

/* No device is so slow: a letter is missing. */
static const double LEAST_RATE = 1e9;

/* "708T", "4.0TB/s" to a number. */
static bool read_rate(const char *text, bool is_bytes, double *v)
{
	static const char letters[] = "kMGTP";
	size_t n = strspn(text, "0123456789.");
	const char *rest = text + n;
	char number[WORD_MAX];
	struct err e;

	if (n == 0 || n >= sizeof(number))
		return false;
	memcpy(number, text, n);
	number[n] = '\0';
	if (setting_number("peak", SETTING_NUMBER, number, v, &e) != OK || !(*v > 0))
		return false;
	const char *at = *rest ? strchr(letters, *rest == 'K' ? 'k' : *rest) : NULL;
	if (at) {
		*v *= pow(1000, (double)(at - letters + 1));
		rest++;
	}
	return *v >= LEAST_RATE &&
		span_in_nocase(span_of(rest), is_bytes ? "|B/s|B" : "|FLOP/s|FLOPS|OP/s|OPS");
}

static enum status unknown_key(const char *key, const char *origin, struct err *e)
{
	static const char *const more[] = { "mem", "link", "vector-fp32", "vector-fp16",
		"vector-bf16", "vector-fp64" };
	const char *word[ROOF_DTYPE_COUNT + COUNT_OF(more)];
	size_t n = 0;

	for (size_t i = 0; i < ROOF_DTYPE_COUNT; i++)
		word[n++] = roof_dtype_words[i];
	for (size_t i = 0; i < COUNT_OF(more); i++)
		word[n++] = more[i];
	const char *near = opt_nearest(key, word, n);
	err_set(e, E_USAGE, -1, "%s: no peak is called '%s'; " WANTED, origin, key);
	if (near)
		return err_hint(e, "did you mean '%s'?", near);
	return err_hint(e,
		"there are fp64, tf32, fp32, fp16, bf16, fp8, fp6, fp4, int8, the same "
		"behind vector-, mem and link");
}

static enum status take_device(
	struct peaks_given *g, const char *name, const char *origin, struct err *e)
{
	const char *word[NEAR_MAX];
	bool is_ambiguous;
	size_t n, known = 0;
	const struct hardware *row = hardware_all(&n), *h = hardware_named(name, &is_ambiguous);

	if (h && h->source) {
		g->device = h;
		return OK;
	}
	if (is_ambiguous)
		return err_set(e, E_USAGE, -1, "%s: '%s' comes in several sizes, as %s-%s", origin,
			name, name,
			*name == 'V' || *name == 'v' ? "16 and V100-PCIe-16" : "40 and A100-80");
	for (size_t i = 0; i < n && known < NEAR_MAX; i++)
		if (row[i].source)
			word[known++] = row[i].name;
	const char *near = opt_nearest(name, word, known);
	err_set(e, E_USAGE, -1,
		"%s: '%s' is not a GPU with known peaks; " WANTED ", or a name such as H100-PCIe",
		origin, name);
	return near ? err_hint(e, "did you mean '%s'?", near) : E_USAGE;
}

static enum status take_word(struct peaks_given *g, char *word, const char *origin, struct err *e)
{
	char *value = strchr(word, '=');
	bool is_bytes;
	double v;

	if (!value)
		return take_device(g, word, origin, e);
	*value++ = '\0';
	for (char *p = word; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	double *at = place_of(&g->over, word, &is_bytes);
	if (!at)
		return unknown_key(word, origin, e);
	if (!read_rate(value, is_bytes, &v))
		return err_set(e, E_USAGE, -1,
			"%s: '%s' is no value for '%s': at least 1G %s a second are wanted, "
			"such as %s",
			origin, value, word, is_bytes ? "bytes" : "operations",
			is_bytes ? "4.0T or 900G" : "708T or 1.3P");
	*at = v;
	g->over.is_given = true;
	return OK;
}

enum status peaks_parse(struct peaks_given *g, const char *text, const char *origin, struct err *e)
{
	struct peaks_given out = *g;
	const char *p = text;

	for (;;) {
		size_t n = strcspn(p, ",");
		struct span s = span_trim((struct span){ p, n });
		char word[WORD_MAX];

		if (s.n == 0)
			return err_set(e, E_USAGE, -1, "%s: a value is missing in '%s'; " WANTED,
				origin, text);
		if (s.n >= sizeof(word))
			return err_set(e, E_USAGE, -1, "%s: '%.*s...' is too long; " WANTED, origin,
				WORD_MAX / 2, s.p);
		memcpy(word, s.p, s.n);
		word[s.n] = '\0';
		TRY(take_word(&out, word, origin, e));
		if (!p[n])
			break;
		p += n + 1;
	}
	*g = out;
	return OK;
}

enum status peaks_read(
	struct peaks_given *g, const struct settings *settings, const char *option, struct err *e)
{
	const struct setting_value *v = settings ? settings_get(settings, "peak") : NULL;

	peaks_given_none(g);
	if (v && *v->text)
		TRY(peaks_parse(g, v->text, v->origin, e));
	return option ? peaks_parse(g, option, "--peak", e) : OK;
}
