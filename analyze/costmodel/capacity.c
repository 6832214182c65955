/*
 * Memory of GPUs: a name of the table of devices, or a size.
 */
#include "analyze/costmodel/capacity.h"

#include <ctype.h>
#include <string.h>

#include "analyze/costmodel/hardware.h"
#include "base/opt.h"
#include "base/setting.h"

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
	size_t i, n, used = 0;
	const struct hardware *d = hardware_all(&n);

	for (i = 0; i < n && used < NAMES_MAX; i++)
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
	const char *near;

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
	near = nearest(text);
	err_set(e, E_USAGE, -1, "%s '%s' is neither a GPU known by name nor a size", option, text);
	if (near)
		return err_hint(e, "did you mean '%s'? a size is written like 16GiB", near);
	return err_hint(
		e, "a size is written like 16GiB; 'traceq fit --params 7B' lists the names");
}
