/*
 * Which file changes an answer without being named in the command: one line.
 */
#include "cmd/config_tell.h"

#include <stdbool.h>
#include <string.h>

#include "analyze/analysis/analysis.h"
#include "analyze/trace/filter.h"
#include "base/str.h"
#include "cmd/config.h"
#include "cmd/say.h"

enum { KEYS_TOLD = 3 }; /* by name; more are counted */

static bool has_row(const struct analysis *a, const struct setting *row)
{
	const struct setting *one;
	size_t k;

	for (k = 0; !(a->options.ignores & FILTER_COMM) && (one = query_setting(k)); k++)
		if (one == row)
			return true;
	for (k = 0; a->options.setting && (one = a->options.setting(k)); k++)
		if (one == row)
			return true;
	return false;
}

/* The file sets it, to something else than it would be, and one of them looks at it. */
static bool is_changed(const struct config *c, const struct setting_value *v,
	const struct analysis *const *user, size_t nuser)
{
	size_t i, n = strlen(c->found);

	if (strncmp(v->origin, c->found, n) != 0 || v->origin[n] != ':' ||
		(v->setting->preset && strcmp(v->text, v->setting->preset) == 0))
		return false;
	for (i = 0; i < nuser; i++)
		if (has_row(user[i], v->setting))
			return true;
	return false;
}

void config_tell(const struct config *c, const struct analysis *const *user, size_t n)
{
	struct str keys = { 0 };
	size_t i, changed = 0;

	for (i = 0; c->found && i < c->settings.n; i++)
		if (is_changed(c, &c->settings.v[i], user, n) && changed++ < KEYS_TOLD)
			str_addf(&keys, "%s%s", keys.n ? ", " : "", c->settings.v[i].key);
	if (changed > KEYS_TOLD)
		str_addf(&keys, " and %zu more", changed - KEYS_TOLD);
	if (changed)
		(void)say_failure("%s%s sets %s (--no-config ignores it)", c->found,
			c->is_in_folder ? " in this folder" : ", which " CONFIG_VARIABLE " names,",
			keys.s);
	str_free(&keys);
}
