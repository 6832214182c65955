/* The table of devices, and names to its rows. */
#include "analyze/costmodel/hardware.h"

#include <ctype.h>

#include "base/opt.h"
#include "base/setting.h"

#define LISTED  false
#define VARIANT true
/* clang-format off */
#define MATRIX(fp64, tf32, fp32, fp16, bf16, fp8, fp6, fp4, int8)                               \
	{                                                                                       \
		[ROOF_FP64] = fp64, [ROOF_TF32] = tf32, [ROOF_FP32] = fp32, [ROOF_FP16] = fp16, \
		[ROOF_BF16] = bf16, [ROOF_FP8] = fp8, [ROOF_FP6] = fp6, [ROOF_FP4] = fp4,       \
		[ROOF_INT8] = int8                                                              \
	}
#define VECTOR(fp64, fp32, fp16, bf16)                                                         \
	{                                                                                      \
		[ROOF_FP64] = fp64, [ROOF_FP32] = fp32, [ROOF_FP16] = fp16, [ROOF_BF16] = bf16 \
	}
#define DEVICE(...) { __VA_ARGS__ },
#define PLAIN(row, others, flag, bytes) \
	{ .name = row, .also = others, .is_variant = flag, .memory = bytes },

static const struct hardware rows[] = {
#include "analyze/costmodel/devices.def"
};
/* clang-format on */

/* Names that several sizes share. */
static const char *const several[] = { "A100", "V100" };

const struct hardware *hardware_all(size_t *n)
{
	*n = COUNT_OF(rows);
	return rows;
}

/* Letters and digits only, in lower case, without the maker's words. */
static void plain_name(const char *p, size_t n, char *out, size_t cap)
{
	static const char *const makers[] = { "nvidia", "amd", "tesla", "geforce", "instinct" };
	size_t used = 0;

	for (size_t i = 0; i < n && used + 1 < cap; i++)
		if (isalnum((unsigned char)p[i]))
			out[used++] = (char)tolower((unsigned char)p[i]);
	out[used] = '\0';
	for (size_t i = 0; i < COUNT_OF(makers); i++) {
		size_t len = strlen(makers[i]);

		if (strncmp(out, makers[i], len) == 0) {
			used -= len;
			memmove(out, out + len, used + 1);
		}
	}
	if (used > 2 && strcmp(out + used - 2, "gb") == 0)
		out[used - 2] = '\0';
}

/* A virtual function of an AMD board: "AMD Instinct MI300X VF" in a virtual machine is the whole
 * MI300X, or a partition that says how many units it has.  libdrm, amdgpu.ids. */
static size_t without_function(const char *name)
{
	static const char suffix[] = " VF";
	size_t n = strlen(name), len = sizeof(suffix) - 1;

	return n > len && strcmp(name + n - len, suffix) == 0 ? n - len : n;
}

enum { NAME_MAX_BYTES = 64 };

static bool is_named(const char *want, const char *name, size_t n)
{
	char other[NAME_MAX_BYTES];

	plain_name(name, n, other, sizeof(other));
	return strcmp(want, other) == 0;
}

static bool is_hardware(const struct hardware *d, const char *want)
{
	const char *also = d->also;

	if (is_named(want, d->name, strlen(d->name)))
		return true;
	for (struct span name; span_words(&also, &name);)
		if (is_named(want, name.p, name.n))
			return true;
	return false;
}

const struct hardware *hardware_named(const char *name, bool *is_ambiguous)
{
	char want[NAME_MAX_BYTES];

	*is_ambiguous = false;
	plain_name(name, without_function(name), want, sizeof(want));
	for (size_t i = 0; i < COUNT_OF(several); i++)
		*is_ambiguous |= is_named(want, several[i], strlen(several[i]));
	return FIND(i, rows, *want ? COUNT_OF(rows) : 0, is_hardware(&rows[i], want));
}

/* ---- memory of GPUs: a name of the table of devices, or a size ---- */

/* The sizes that a name without one could mean. */
static enum status ambiguous(const char *option, const char *text, struct err *e)
{
	bool is_a100 = tolower((unsigned char)text[strlen(text) - 4]) == 'a';

	return err_set(e, E_USAGE, -1, "%s '%s' comes in several sizes: %s or %s", option, text,
		is_a100 ? "A100-40" : "V100-16", is_a100 ? "A100-80" : "V100-32");
}

enum { NAMES_MAX = 128 };

/* The name of a device with a known memory that looks most like it; NULL: none. */
static const char *nearest(const char *text)
{
	const char *word[NAMES_MAX];
	size_t n, used = 0;
	const struct hardware *d = hardware_all(&n);

	for (size_t i = 0; i < n && used < NAMES_MAX; i++)
		if (d[i].memory)
			word[used++] = d[i].name;
	return opt_nearest(text, word, used);
}

enum status capacity_parse(const char *text, const char *option, struct capacity *c, struct err *e)
{
	const struct setting size = { option, SETTING_BYTES, "", NULL, "" };
	bool is_ambiguous;
	const struct hardware *d = hardware_named(text, &is_ambiguous);
	struct setting_value v;

	if (d && d->memory) {
		*c = (struct capacity){ d->name, d->memory };
		return OK;
	}
	if (d) {
		err_set(e, E_USAGE, -1, "how much memory programs see of '%s' is not known", text);
		return err_hint(e, "give %s a size: 16GiB", option);
	}
	if (is_ambiguous)
		return ambiguous(option, text, e);
	if (setting_parse(&size, text, &v, e) == OK && v.i > 0) {
		*c = (struct capacity){ NULL, v.i };
		return OK;
	}
	const char *near = nearest(text);
	err_set(e, E_USAGE, -1, "%s '%s' is neither a GPU known by name nor a size", option, text);
	if (near)
		return err_hint(e, "did you mean '%s'? a size is written like 16GiB", near);
	return err_hint(
		e, "a size is written like 16GiB; 'traceq fit --params 7B' lists the names");
}
