/* Marks: the sources, the order of marks, and ids of findings. */
#include "analyze/overlay/marks.h"

#include "analyze/overlay/mark_work.h"
#include "analyze/measure/place_id.h"
#include "analyze/analysis/analysis.h"
#include "analyze/rule/list.h"
#include "analyze/trace/run.h"

/* By enum mark_source. */
static const char *const words[] = {
#define X(name, word) word,
	MARK_SOURCES(X)
#undef X
};
static const struct {
	const char *analysis; /* whose filters and needs are these marks' */
	mark_source_fn *make;
} makers[] = {
	[MARK_CRITICAL] = { "critical", mark_critical },
	[MARK_IDLE] = { "idle", mark_idle },
	[MARK_FINDINGS] = { "diagnose", mark_findings },
	[MARK_STEPS] = { "steps", mark_steps },
};
_Static_assert(COUNT_OF(makers) == MARK_SOURCE_COUNT, "a maker for each");

const char *mark_source_word(enum mark_source s)
{
	return words[s];
}

unsigned marks_needs(const struct analyses *all, enum mark_source s)
{
	return analysis_find(all, makers[s].analysis)->runs.needs | NEED_ORDER | NEED_STEPS;
}

/* ---- order ---- */

/* A mark, and where it was made. */
struct place {
	struct mark mark;
	size_t at;
};

ORDER(by_start, struct place, compare3(a->mark.start, b->mark.start),
	compare3(b->mark.dur, a->mark.dur), strcmp(a->mark.lane, b->mark.lane),
	span_cmp(a->mark.name, b->mark.name), compare3(a->at, b->at))

ORDER(by_from, struct mark_flow, compare3(a->from, b->from), compare3(a->to, b->to))

/* Sorts the marks; flows follow theirs. */
static void sort(struct marking *k)
{
	struct marks *m = k->out;
	struct place *v = arena_array(&k->scratch, m->n, sizeof(*v));
	size_t *now = arena_array(&k->scratch, m->n, sizeof(*now));

	for (size_t i = 0; i < m->n; i++)
		v[i] = (struct place){ m->v[i], i };
	sort_rows(v, m->n, sizeof(*v), by_start);
	for (size_t i = 0; i < m->n; i++) {
		m->v[i] = v[i].mark;
		now[v[i].at] = i;
	}
	for (size_t i = 0; i < m->nflow; i++)
		m->flow[i] = (struct mark_flow){ now[m->flow[i].from], now[m->flow[i].to] };
	sort_rows(m->flow, m->nflow, sizeof(*m->flow), by_from);
}

/* ---- making ---- */

/* What the answer takes of a filter. */
static struct filter take_filter(const struct filter *f, unsigned ignores)
{
	return (struct filter){
		.match = ignores & FILTER_MATCH ? NULL : f->match,
		.exclude = ignores & FILTER_EXCLUDE ? NULL : f->exclude,
		.steps = ignores & FILTER_STEPS ? NULL : f->steps,
		.device = ignores & FILTER_DEVICE ? NULL : f->device,
		.stream = ignores & FILTER_STREAM ? NULL : f->stream,
		.cat = ignores & FILTER_CAT ? NULL : f->cat,
		.comm = f->comm,
	};
}

static enum status make(struct marking *k, mark_source_fn *fn)
{
	TRY(filter_view_init(&k->view, &k->set, k->run, &k->scratch, k->e));
	TRY(fn(k));
	TRY(k->view.status);
	sort(k);
	return OK;
}

enum status marks_make(struct marks *m, enum mark_source s, const struct mark_request *q,
	struct arena *mem, struct err *e)
{
	struct marking k = { .q = q, .run = q->run, .out = m, .mem = mem, .e = e };

	*m = (struct marks){ 0 };
	k.limit = q->limit ? q->limit : MARKS_MAX;
	k.analysis = analysis_find(q->analyses, makers[s].analysis);
	k.filter = take_filter(q->filter, k.analysis->options.ignores);
	enum status st = filter_parse(&k.set, &k.filter, e);
	THEN(st, make(&k, makers[s].make));
	filter_free(&k.set);
	arena_clear(&k.scratch);
	return st;
}

/* ---- ids ---- */

static enum status find_finding(
	const struct mark_request *q, const char *rule, struct interval *out, struct err *e)
{
	struct marks m;
	SCOPED_ARENA mem = { 0 };
	size_t i;

	enum status st = marks_make(&m, MARK_FINDINGS, q, &mem, e);
	for (i = 0; st == OK && i < m.n; i++)
		if (m.v[i].id.n > strlen(rule) && span_starts(m.v[i].id, rule) &&
			m.v[i].id.p[strlen(rule)] == '@')
			break;
	if (st == OK && i == m.n) {
		st = err_set(e, E_NODATA, -1, "'%s': that rule found nothing in this trace", rule);
		(void)err_hint(e, "'traceq diagnose' lists what was found");
	} else if (st == OK) {
		*out = (struct interval){ m.v[i].start, saturate_add(m.v[i].start, m.v[i].dur) };
	}
	return st;
}

enum status marks_find(
	const struct mark_request *q, const char *id, struct interval *out, struct err *e)
{
	const struct rule *rule = rules_find(READS_RUN | READS_RECORD, id, strlen(id));

	return rule ? find_finding(q, rule->word.id, out, e) : place_id_find(q->run, id, out, e);
}
