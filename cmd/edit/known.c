/* What is known of a trace that is edited. */
#include "cmd/edit/known.h"

#include "analyze/input/load.h"
#include "analyze/overlay/marks.h"
#include "cmd/edit/edited.h"
#include "cmd/options.h"
#include "cmd/say.h"
#include "edit/annotate.h"
#include "edit/anonymize.h"
#include "edit/viewer_lanes.h"
#include "edit/time_range.h"

/* Loads it once more; nothing where it is loaded.  needs, kinds: as in load_options.  Not bounded
 * in memory, as answers are.  As load_single, and as config_read. */
static enum status known_load(struct known *k, const char *path, unsigned needs, unsigned kinds,
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

/* What marks are made of. */
static struct mark_request known_request(const struct known *k, const struct filter *filter)
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
	struct interval at;
	unsigned needs, kinds;
	nsec side = 0;

	if (margin)
		TRY(time_range_length(margin, "--margin", &side, e));
	needs_of(k->all, id, &needs, &kinds);
	TRY(known_load(k, path, needs, kinds, o, e));
	struct mark_request q = known_request(k, filter);
	TRY(marks_find(&q, id, &at, e));
	if (!margin)
		side = MAX(saturate_sub(at.end, at.start) / 10, AROUND_LEAST);
	out->start = MAX(saturate_sub(at.start, side), k->run.first_ns);
	out->end = MIN(saturate_add(at.end, side), saturate_add(k->run.last_ns, 1));
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

/* ---- what becomes of events ---- */

#define AT(field) offsetof(struct wants, field)
static const struct opt opts[] = {
	FLAG_OPT("no-python", 0, AT(no_python), "without Python functions"),
	FLAG_OPT("no-args", 0, AT(no_args),
		"without arguments of events: small, and good for looking at only"),
	TEXT_OPT("sample", 0, "TIME", AT(sample),
		"of each counter one value in so much time at most: 10ms"),
	TEXT_OPT("annotate", 0, "LIST", AT(annotate),
		"also what traceq found, as rows of a process 'traceq': critical, idle, findings, "
		"steps, with commas between; the run is loaded for it, as its answers load it"),
	CHOICE_OPT("lanes", "VIEWER", AT(lanes), "perfetto",
		"put what overlaps on a lane on further lanes, for a viewer that drops it, and work of "
		"streams that only replay graphs on as few as it needs"),
	FLAG_OPT("anonymize", 0, AT(anonymizes),
		"words that are not known to be public become w1, w2, ...: names of users, hosts, "
		"paths, modules, functions; kernels and numbers stay (docs/security.md)"),
};
#undef AT

size_t wants_groups(struct opt_group *to, struct opt *filter, unsigned ignores, struct filter *keep,
	struct wants *wants, struct edited_options *out)
{
	to[0] = (struct opt_group){ "What to keep", filter, options_filters(filter, ignores),
		keep };
	to[1] = (struct opt_group){ "What becomes of it", opts, COUNT_OF(opts), wants };
	to[2] = edited_group;
	to[2].into = out;
	return WANTS_GROUPS;
}

/* The sources of --annotate, as bits. */
static enum status take_sources(const char *list, unsigned *sources, struct err *e)
{
	const char *p = list;

	*sources = 0;
	do {
		size_t n = strcspn(p, ",");
		size_t s = FIRST(i, MARK_SOURCE_COUNT,
			span_is((struct span){ p, n }, mark_source_word((enum mark_source)i)));
		if (s == MARK_SOURCE_COUNT)
			return err_hinted(e, E_USAGE, "critical, idle, findings, steps",
				"--annotate '%s': '%.*s' is nothing that can be "
				"written",
				list, (int)n, p);
		*sources |= 1u << s;
		p += n;
	} while (*p++ == ',');
	return OK;
}

enum status wants_check(const struct wants *w, const struct writer_kind *kind, struct err *e)
{
	if (!w->lanes || strcmp(kind->name, "pftrace") != 0)
		return OK;
	return err_hinted(e, E_USAGE,
		"what crosses is on tracks of its own there, without being asked",
		"--lanes does not apply to pftrace");
}

enum status wants_annotate(const struct wants *w, const struct cut_want *want, struct cut *c,
	struct known *known, const char *path, const struct load_options *o, struct err *e)
{
	unsigned sources, needs = 0;
	struct annotating a;
	struct marks m;
	SCOPED_ARENA mem = { 0 };
	enum status st = OK;

	if (!w->annotate)
		return OK;
	TRY(take_sources(w->annotate, &sources, e));
	for (int s = 0; s < MARK_SOURCE_COUNT; s++)
		needs |= sources >> s & 1 ? marks_needs(known->all, (enum mark_source)s) : 0;
	TRY(known_load(known, path, needs, 0, o, e));
	struct mark_request q = known_request(known, &want->filter);
	q.threads = o->threads;
	annotate_begin(&a, c, &known->run, w->number);
	for (int s = 0; s < MARK_SOURCE_COUNT && st == OK; s++) {
		if (!(sources >> s & 1))
			continue;
		st = marks_make(&m, (enum mark_source)s, &q, &mem, e);
		if (st == OK)
			annotate_put(&a, (enum mark_source)s, &m);
	}
	annotate_end(&a);
	return st;
}

enum status wants_take(struct wants *w, struct cut_want *want, struct cut *c, struct err *e)
{
	unsigned sources;

	if (w->annotate)
		TRY(take_sources(w->annotate, &sources, e));
	if (w->lanes)
		c->companion[c->ncompanion++] = lanes_companion();
	if (w->anonymizes && !w->disguise)
		w->disguise = disguise_new();
	if (w->anonymizes)
		c->companion[c->ncompanion++] = anonymize_companion(w->disguise);
	want->no_python = w->no_python;
	want->no_args = w->no_args;
	return w->sample ? time_range_length(w->sample, "--sample", &want->sample_ns, e) : OK;
}

void wants_say(const struct wants *w, int64_t left)
{
	if (!w->anonymizes)
		return;
	(void)say_failure(
		"anonymize: %zu words are disguised; kernels' names, numbers and times stay",
		disguise_count(w->disguise));
	if (left)
		(void)say_failure(
			"anonymize: %" PRId64 " events that are no JSON are left out", left);
}

void wants_free(struct wants *w)
{
	disguise_free(w->disguise);
	w->disguise = NULL;
}
