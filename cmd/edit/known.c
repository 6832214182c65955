/*
 * What is known of a trace that is edited.
 */
#include "cmd/edit/known.h"

#include <string.h>

#include "analyze/input/load.h"
#include "analyze/mark/marks.h"
#include "analyze/trace/filter.h"
#include "base/minmax.h"
#include "base/saturate.h"
#include "edit/stretch.h"
#include "edit/survey.h"

enum status known_load(struct known *k, const char *path, unsigned needs, unsigned kinds,
	const struct load_options *o, struct err *e)
{
	const struct config_options usual = { 0 };
	struct load_options load = *o;

	if (k->has_run)
		return OK;
	if (!k->has_config) {
		k->has_config = true;
		TRY(config_read(&k->config, k->all, &usual, e));
	}
	load.needs = needs;
	load.kinds = kinds;
	TRY(config_comm(&k->config, &load.comm, e));
	TRY(load_single(path, &load, &k->run, e));
	k->has_run = true;
	return load_want_events(&k->run, e);
}

struct mark_request known_request(const struct known *k, const struct filter *filter)
{
	return (struct mark_request){ .analyses = k->all,
		.run = &k->run,
		.filter = filter,
		.settings = &k->config.settings };
}

/* With what an id can be found: that of a rule needs its answer, the others say their time. */
static void needs_of(const struct analyses *all, const char *id, unsigned *needs, unsigned *kinds)
{
	bool is_rule = !strchr(id, '@') && !strchr(id, ':');

	*needs = is_rule ? marks_needs(all, MARK_FINDINGS) : NEED_LINKS | NEED_ORDER | NEED_STEPS;
	*kinds = is_rule ? 0 : KINDS_CALLS;
}

enum status known_around(struct known *k, const char *path, const char *id, const char *margin,
	const struct filter *filter, const struct load_options *o, struct interval *out,
	struct err *e)
{
	struct mark_request q;
	struct interval at;
	unsigned needs, kinds;
	nsec side = 0;

	if (margin)
		TRY(stretch_length(margin, "--margin", &side, e));
	needs_of(k->all, id, &needs, &kinds);
	TRY(known_load(k, path, needs, kinds, o, e));
	q = known_request(k, filter);
	TRY(marks_find(&q, id, &at, e));
	if (!margin) {
		side = saturate_sub(at.end, at.start) / 10;
		side = MAX(side, AROUND_LEAST);
	}
	out->start = saturate_sub(at.start, side);
	out->end = saturate_add(at.end, side);
	if (out->start < k->run.first_ns)
		out->start = k->run.first_ns;
	if (out->end > saturate_add(k->run.last_ns, 1))
		out->end = saturate_add(k->run.last_ns, 1);
	return OK;
}

void known_clear(struct known *k)
{
	if (k->has_run)
		run_clear(&k->run);
	if (k->has_config)
		config_clear(&k->config);
	*k = (struct known){ .all = k->all };
}
