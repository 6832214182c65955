/*
 * `critical`: the path by owner, phase, step and segment, how it is known, and what is beside it.
 */
#include "analyze/answer/critical/critical.h"

#include "analyze/analysis/ranked.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/stat/stats.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run_steps.h"

/* ---- owners and phases ---- */

/* Those of n sums that are there, in order; returns how many. */
static size_t rank_sums(struct ranked *v, const nsec *ns, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (ns[i] > 0)
			v[k++] = (struct ranked){ .value = ns[i], .at = i };
	ranked_sort(v, k);
	return k;
}

void critical_put_path(struct critical *c)
{
	struct table *t = perrun_table(c->at, &critical_docs[CRITICAL_PATH]);
	double whole = (double)critical_whole(c);
	struct ranked v[OWNER_COUNT];
	size_t n = rank_sums(v, c->ns, OWNER_COUNT);

	for (EACH(const struct ranked, ranked, v, n)) {
		enum owner o = (enum owner)ranked->at;
		nsec ns = ranked->value;

		TABLE_ROW(t, [CPATH_NS] = cell_int(ns),
			[CPATH_SHARE] = CELL_IF(
				o != OWNER_UNRECORDED, cell_real(ratio_of((double)ns, whole))),
			[CPATH_STEP] = CELL_IF(c->window.has_steps,
				cell_real((double)ns / (double)c->window.nstep)),
			[CPATH_SEGMENTS] = cell_int(c->segments[o]),
			[CPATH_OWNER] = cell_word(owner_word(o)),
			[CPATH_KEY] = cell_word(owner_key(o)),
			[CPATH_MEANS] = cell_word(owner_doc(o)));
	}
	rows_for_people(c->at->q, t);
}

void critical_put_phases(struct critical *c)
{
	struct table *t = perrun_table(c->at, &critical_docs[CRITICAL_PHASES]);
	double whole = (double)critical_whole(c);
	struct ranked v[PHASE_COUNT];
	size_t n = rank_sums(v, c->phase_ns, PHASE_COUNT);

	for (EACH(const struct ranked, ranked, v, n))
		TABLE_ROW(t, [CPHASE_NS] = cell_int(ranked->value),
			[CPHASE_SHARE] = cell_real(ratio_of((double)ranked->value, whole)),
			[CPHASE_STEP] = CELL_IF(c->window.has_steps,
				cell_real((double)ranked->value / (double)c->window.nstep)),
			[CPHASE_SEGMENTS] = cell_int(c->phase_segments[ranked->at]),
			[CPHASE_PHASE] = cell_word(phase_word((enum phase)ranked->at)));
	rows_for_people(c->at->q, t);
}

/* ---- steps ---- */

_Static_assert(CSTEP_UNRECORDED == CSTEP_KERNEL + (int)OWNER_UNRECORDED, "a column for each");
_Static_assert(CSTEP_BOUND_DATA == CSTEP_BOUND_COMPUTE + (int)BOUND_DATA, "a column for each");

/* What people see: bounds that own anything, and what is unrecorded. */
static uint64_t visible(const struct critical *c)
{
	uint64_t set = COLUMN_SET(CSTEP_NUMBER, CSTEP_NS);

	for (int o = 0; o < OWNER_COUNT; o++) {
		enum bound b = critical_bound_of((enum owner)o);

		if (c->ns[o] > 0)
			set |= UINT64_C(1)
				<< (b == BOUND_COUNT ? CSTEP_UNRECORDED : CSTEP_BOUND_COMPUTE + b);
	}
	return set;
}

static void put_step(struct critical *c, struct table *t, size_t step)
{
	nsec bound[BOUND_COUNT + 1] = { 0 }, sum = 0;

	TABLE_ROW(
		t, [CSTEP_NUMBER] = cell_int(c->at->run->steps->step[c->window.step[step]].number));
	for (int i = 0; i < OWNER_COUNT; i++) {
		table_int(t, CSTEP_KERNEL + (size_t)i, c->step_ns[step][i]);
		saturate_onto(&bound[critical_bound_of((enum owner)i)], c->step_ns[step][i]);
		saturate_onto(&sum, c->step_ns[step][i]);
	}
	for (int i = 0; i < BOUND_COUNT; i++)
		table_int(t, CSTEP_BOUND_COMPUTE + (size_t)i, bound[i]);
	table_int(t, CSTEP_NS, sum);
}

void critical_put_steps(struct critical *c)
{
	size_t i;

	if (!c->window.has_steps)
		return;
	struct table *t = perrun_table_seen(c->at, &critical_docs[CRITICAL_STEPS], visible(c));
	for (i = 0; i < c->window.nstep && i < c->limit; i++)
		put_step(c, t, i);
	t->ncut = c->window.nstep - i;
}

/* ---- evidence ---- */

static void put_evidence(
	struct table *t, const char *of, const char *word, const char *means, int64_t n)
{
	if (n == 0)
		return;
	TABLE_ROW(t, [CEVID_COUNT] = cell_int(n), [CEVID_OF] = cell_word(of),
		[CEVID_WORD] = cell_word(word), [CEVID_MEANS] = cell_word(means));
}

void critical_put_evidence(struct critical *c)
{
	const struct depend *d = &c->depend;

	if (c->at->q->for_people && d->works == 0 && d->resumes == 0)
		return;
	struct table *t = perrun_table(c->at, &critical_docs[CRITICAL_EVIDENCE]);
	for (int i = 0; i < EVIDENCE_COUNT; i++)
		put_evidence(t, i == EVIDENCE_QUEUE ? "launch" : "sync call",
			evidence_key((enum evidence)i), evidence_what((enum evidence)i),
			d->returns[i]);
	for (int i = 0; i < EVIDENCE_COUNT; i++)
		put_evidence(t, "stream", evidence_key((enum evidence)i),
			evidence_what((enum evidence)i), d->waits[i]);
	put_evidence(t, "hand-over", "inferred",
		"a thread begins when another, busy meanwhile, has stopped", d->resumes);
	put_evidence(t, "launch", "correlation", "the launching call is in the trace",
		d->launched - d->early);
	put_evidence(
		t, "launch", "early", "it starts before its launch: clocks disagree", d->early);
	put_evidence(
		t, "launch", "none", "no launching call is in the trace", d->works - d->launched);
}

/* ---- owners by name ---- */

struct owner_place {
	const struct critical_owner *sum;
	struct span name, op;
	enum owner owner;
};

/* The longest first; then by name. */
ORDER(by_place, struct owner_place, compare3_down(a->sum->ns, b->sum->ns),
	compare3(a->owner, b->owner), span_cmp(a->name, b->name))

void critical_put_owners(struct critical *c)
{
	struct table *t = perrun_table(c->at, &critical_docs[CRITICAL_OWNERS]);
	struct owner_place *v = arena_array(&c->at->mem, c->nowner, sizeof(*v));
	const sym *op = critical_ops_main(&c->ops, c->nowner, &c->at->mem);
	size_t i, n = 0;

	for (i = 0; i < c->nowner; i++) {
		const struct critical_owner *o = &c->owner[i];

		if (o->ns > 0 && filter_name(&c->at->view, o->name))
			v[n++] = (struct owner_place){ o, critical_text(c, o->name),
				critical_text(c, op[i]), o->owner };
	}
	sort_rows(v, n, sizeof(*v), by_place);
	for (i = 0; i < n && i < c->limit; i++) {
		const struct interval *longest = &v[i].sum->longest;
		double ns = (double)v[i].sum->ns;
		TABLE_ROW(t, [COWN_NS] = cell_int(v[i].sum->ns),
			[COWN_SHARE] = CELL_IF(v[i].owner != OWNER_UNRECORDED,
				cell_real(ratio_of(ns, (double)critical_whole(c)))),
			[COWN_SEGMENTS] = cell_int(v[i].sum->segments));
		if (v[i].sum->total >= 0)
			TABLE_CELLS(t, [COWN_TOTAL] = cell_int(v[i].sum->total),
				[COWN_OF_TOTAL] = cell_real(ratio_of(ns, (double)v[i].sum->total)));
		TABLE_CELLS(t, [COWN_CLASS] = cell_word(owner_word(v[i].owner)),
			[COWN_NAME] = cell_name(v[i].name), [COWN_OP] = cell_name(v[i].op),
			[COWN_LONGEST] = cell_int(longest->end - longest->start),
			[COWN_ID] = cell_text(place_id(
				c->at->run, "path", longest->start, longest->end, t->mem)));
	}
	rows_cut(t, COWN_NAME, n - i);
}

/* ---- segments ---- */

enum { PEOPLE_SEGMENTS = 40 };

static struct row_cell lane_cell(const struct table *t, const struct run *r, uint32_t number)
{
	const struct lane *lane = &r->lanes.lane[number];
	struct span pid = strings_get(&r->strings, lane->pid);
	struct span tid = strings_get(&r->strings, lane->tid);

	if (r->order->device_begin[number] < r->order->device_begin[number + 1])
		return cell_textf(t, "%" PRId64 ":%" PRId64, lane->device, lane->stream);
	return cell_textf(t, "%.*s/%.*s", (int)pid.n, pid.p, (int)tid.n, tid.p);
}

static void put_segment(struct critical *c, struct table *t, const struct critical_piece *p)
{
	const struct run *r = c->at->run;
	uint32_t row = segment_row(&p->s);

	TABLE_ROW(t, [CSEG_AT] = cell_int(saturate_sub(p->s.start, r->first_ns)),
		[CSEG_NS] = cell_int(p->s.end - p->s.start),
		[CSEG_STEP] = CELL_IF(c->window.has_steps,
			cell_int(r->steps->step[c->window.step[p->step]].number)),
		[CSEG_CLASS] = cell_word(owner_word(p->s.owner)),
		[CSEG_LANE] = CELL_IF(p->s.lane != NO_ROW, lane_cell(t, r, p->s.lane)),
		[CSEG_NAME] = CELL_IF(row != NO_ROW, cell_text(run_name(r, row))),
		[CSEG_OP] = CELL_IF(p->s.row != NO_ROW && critical_op(c, p->s.row),
			cell_text(critical_text(c, critical_op(c, p->s.row)))),
		[CSEG_START] = cell_int(p->s.start),
		[CSEG_ID] = cell_text(place_id(r, "path", p->s.start, p->s.end, &c->at->out->mem)));
}

static bool is_wanted(struct critical *c, const struct critical_piece *p)
{
	uint32_t row = segment_row(&p->s);
	sym name = row == NO_ROW ? 0 : c->at->run->events.name[row];

	return filter_name(&c->at->view, name);
}

void critical_put_segments(struct critical *c)
{
	struct table *t = perrun_table(c->at, &critical_docs[CRITICAL_SEGMENTS]);
	size_t n = 0, limit = rows_limit(c->at->q, c->o->limit, PEOPLE_SEGMENTS, SIZE_MAX);

	for (size_t i = c->npiece; i-- > 0;) {
		if (!is_wanted(c, &c->piece[i]))
			continue;
		if (n++ < limit)
			put_segment(c, t, &c->piece[i]);
	}
	rows_cut(t, CSEG_NAME, n > limit ? n - limit : 0);
}

/* ---- how much longer work that is not on the path could take ---- */

/* Work of one name; bytes only. */
struct slack_key {
	uint32_t owner;
	sym name;
};

struct slack_sum {
	nsec total;
	int64_t *slack; /* of each */
	size_t n;
};

struct slacks {
	struct critical *c;
	const nsec *slack; /* by node */
	struct keymap keys;
	struct slack_sum *sum;
	size_t cap;
	struct critical_ops ops;
};

bool critical_is_in_step(const struct critical *c, nsec t)
{
	bool is_in = false;
	size_t lo = PARTITION_POINT(i, 0, c->window.nstep, c->window.time[i].start <= t);

	while (!is_in && lo-- > 0 && c->cut.latest[lo] > t)
		is_in = c->window.time[lo].end > t;
	return is_in;
}

/* Whether the node is work in the steps, beside the path, that something follows. */
static bool is_beside(const struct slacks *s, uint32_t node)
{
	const struct depend_node *n = &s->c->depend.node[node];

	return depend_is_work(n) && s->slack[node] != INT64_MAX &&
		!(s->c->on_path[node / 64] >> node % 64 & 1) && critical_is_in_step(s->c, n->at) &&
		filter_name(&s->c->at->view, s->c->at->run->events.name[n->row]);
}

static uint32_t key_of(struct slacks *s, uint32_t node)
{
	const struct depend_node *n = &s->c->depend.node[node];
	struct slack_key key = {
		.owner = owner_of_work((enum devclass)n->cls),
		.name = s->c->at->run->events.name[n->row],
	};

	return keymap_add(&s->keys, &key);
}

static void take_slack(struct slacks *s, uint32_t node, uint32_t key)
{
	uint32_t row = s->c->depend.node[node].row;
	sym op = critical_op(s->c, row);
	nsec dur = s->c->at->run->events.dur[row];

	s->sum[key].slack[s->sum[key].n++] = s->slack[node];
	saturate_onto(&s->sum[key].total, dur);
	if (op)
		critical_ops_add(&s->ops, key, op, dur);
}

/* Twice over all work: how much there is under each key, then what it has. */
static void collect_slacks(struct slacks *s)
{
	const struct depend *d = &s->c->depend;

	for (uint32_t i = 0; i < d->n; i++) {
		size_t n = s->keys.n;

		if (!is_beside(s, i))
			continue;
		uint32_t at = key_of(s, i);
		if (at == n) {
			s->sum = array_grow(s->sum, &s->cap, n + 1, sizeof(*s->sum));
			s->sum[at] = (struct slack_sum){ 0 };
		}
		s->sum[at].n++;
	}
	for (size_t k = 0; k < s->keys.n; k++) {
		s->sum[k].slack = arena_array(&s->c->at->mem, s->sum[k].n, sizeof(int64_t));
		s->sum[k].n = 0;
	}
	for (uint32_t i = 0; i < d->n; i++) {
		if (is_beside(s, i))
			take_slack(s, i, key_of(s, i));
	}
}

struct slack_place {
	const struct slack_key *key;
	struct slack_sum *sum;
	struct span name, op;
};

/* What takes longest first; then by name. */
ORDER(by_total, struct slack_place, compare3_down(a->sum->total, b->sum->total),
	span_cmp(a->name, b->name), compare3(a->key->owner, b->key->owner))

static void put_rows(struct slacks *s)
{
	struct table *t = perrun_table(s->c->at, &critical_docs[CRITICAL_SLACK]);
	struct slack_place *v = arena_array(&s->c->at->mem, s->keys.n, sizeof(*v));
	const sym *op = critical_ops_main(&s->ops, s->keys.n, &s->c->at->mem);
	size_t i;

	for (i = 0; i < s->keys.n; i++) {
		const struct slack_key *key = keymap_key(&s->keys, (uint32_t)i);

		v[i] = (struct slack_place){ key, &s->sum[i], critical_text(s->c, key->name),
			critical_text(s->c, op[i]) };
	}
	sort_rows(v, s->keys.n, sizeof(*v), by_total);
	for (i = 0; i < s->keys.n && i < s->c->limit; i++) {
		struct slack_sum *sum = v[i].sum;
		TABLE_ROW(t, [CSLACK_TOTAL] = cell_int(sum->total),
			[CSLACK_CALLS] = cell_size(sum->n),
			[CSLACK_LEAST] = cell_int(stats_select(sum->slack, sum->n, 0)),
			[CSLACK_MEDIAN] = cell_real(stats_quantile(sum->slack, sum->n, 0.5)),
			[CSLACK_CLASS] = cell_word(owner_word((enum owner)v[i].key->owner)),
			[CSLACK_NAME] = cell_name(v[i].name), [CSLACK_OP] = cell_name(v[i].op));
	}
	rows_cut(t, CSLACK_NAME, s->keys.n - i);
}

void critical_put_slack(struct critical *c)
{
	struct slacks s = { .c = c, .slack = c->late };

	keymap_init(&s.keys, sizeof(struct slack_key));
	critical_ops_init(&s.ops);
	collect_slacks(&s);
	if (s.keys.n > 0)
		put_rows(&s);
	keymap_clear(&s.keys);
	critical_ops_clear(&s.ops);
	free(s.sum);
}
