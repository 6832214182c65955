/* `critical`: the table of what changes would bring: what is asked for, and what is asked of every
 * run. */
#include "analyze/answer/critical/critical.h"

#include <stdatomic.h>

#include "analyze/analysis/row_limit.h"
#include "base/parallel.h"
#include "base/unit.h"

/* Kernels that are looked at one by one, and how much of the path they have at least. */
enum { TOP_KERNELS = 3 };

/* Each thread has the times of all nodes. */
enum { THREADS_MAX = 4 };

static const double KERNEL_MIN = 0.01;

/* A row. */
struct answer {
	const char *scenario, *says, *given;
	sym name;
	nsec saves;
	size_t judged;                 /* the judge's row + 1; 0: none */
	const struct judge_row *of[2]; /* of a pair */
	struct scenario s;
};

struct answers {
	struct critical *c;
	struct answer *v;
	size_t n, cap;
	atomic_size_t next; /* what is asked next */
};

static void add(struct answers *a, struct answer row)
{
	ARENA_PUSH(&a->c->at->mem, a->v, a->n, a->cap, row);
}

static void ask_one(struct critical *c, struct answer *a, struct whatif_times *t)
{
	if (!a->judged) {
		a->saves = predict_saves(&c->predict, &a->s, t);
		return;
	}
	judge_try(&c->judge, a->judged - 1, t);
	a->saves = c->judge.row[a->judged - 1].saves;
}

/* What the other tables need is made beside the scenarios. */
static void ask(struct answers *a, size_t i, struct whatif_times *t)
{
	struct critical *c = a->c;

	if (i == 0)
		critical_add_totals(c);
	else if (i == 1)
		c->late = slack(&c->depend, &c->predict.lags, c->cut.end);
	else
		ask_one(c, &a->v[i - 2], t);
}

/* Job of parallel_run: a thread, with times that it fills again and again. */
static void ask_some(void *ctx, size_t thread UNUSED)
{
	struct answers *a = ctx;
	struct whatif_times t = { 0 };
	size_t i;

	while ((i = atomic_fetch_add(&a->next, 1)) < a->n + 2)
		ask(a, i, &t);
	whatif_clear(&t);
}

static void ask_all(struct answers *a)
{
	unsigned threads = MIN(a->c->threads, THREADS_MAX);

	parallel_run(threads, threads, ask_some, a);
}

/* ---- what is asked of every run ---- */

static bool applies(const struct critical *c, const struct change *x)
{
	switch (x->kind) {
	case CHANGE_DATA: return c->has_data;
	case CHANGE_LAUNCH: return c->depend.launched > 0;
	case CHANGE_COMM: return c->depend.work_of[CLASS_COMM] > 0;
	case CHANGE_COPY: return c->depend.work_of[CLASS_MEMCPY] > 0;
	case CHANGE_ALLOCATOR:
	case CHANGE_CHECKPOINT:
	case CHANGE_LOGGING:
	case CHANGE_GC: return c->predict.lags.host->total[change_group(x->kind)] > 0;
	case CHANGE_PYTHON: return c->predict.lags.host->nfunction > 0;
	case CHANGE_SYNC: return judge_row(&c->judge, JUDGE_SYNC) != NULL;
	case CHANGE_STARTUP: return judge_row(&c->judge, JUDGE_STARTUP) != NULL;
	case CHANGE_KERNEL: return c->depend.work_of[CLASS_COMPUTE] > 0;
	default: return c->depend.nhost > 0;
	}
}

/* What is asked of every run: the judge's changes. */
static void add_every(struct answers *a)
{
	const struct judge *j = &a->c->judge;

	for (size_t i = 0; i < j->n; i++)
		if (j->row[i].scenario)
			add(a,
				(struct answer){ j->row[i].scenario, j->row[i].says,
					.judged = i + 1,
					.s = { .change = &j->row[i].change, .n = 1 } });
}

/* ---- two at once ---- */

/* What is tried in pairs: two may be needed where each alone waits for the other. */
static const enum judge_change paired[] = { JUDGE_KERNELS, JUDGE_HOST, JUDGE_DATA, JUDGE_COPIES,
	JUDGE_FREE_COMM, JUDGE_SYNC };

/* A pair is a row where it saves so much more of the window than the better of its two. */
static const double PAIR_MIN = 0.05;

static void add_pair(struct answers *a, const struct judge_row *x, const struct judge_row *y)
{
	struct arena *mem = &a->c->at->mem;
	struct change *both = arena_array(mem, 2, sizeof(*both));

	both[0] = x->change;
	both[1] = y->change;
	add(a,
		(struct answer){ arena_printf(mem, "%s,%s", x->scenario, y->scenario),
			arena_printf(mem, "%s, and %s", x->says, y->says), .of = { x, y },
			.s = { .change = both, .n = 2 } });
}

static void add_pairs(struct answers *a)
{
	for (size_t i = 0; i < COUNT_OF(paired); i++)
		for (size_t k = i + 1; k < COUNT_OF(paired); k++) {
			const struct judge_row *x = judge_row(&a->c->judge, paired[i]);
			const struct judge_row *y = judge_row(&a->c->judge, paired[k]);

			if (x && y)
				add_pair(a, x, y);
		}
}

/* How much more than the better of its two it saves. */
static nsec gain_of(const struct answer *a)
{
	return a->of[0] ? saturate_sub(a->saves, MAX(a->of[0]->saves, a->of[1]->saves)) : 0;
}

/* Of all pairs the one that saves most stays, where it is worth a row. */
static void keep_best_pair(struct answers *a, size_t from)
{
	double least = PAIR_MIN * (double)critical_whole(a->c);
	size_t best = SIZE_MAX, n = from;

	for (size_t i = from; i < a->n; i++)
		if (a->v[i].of[0] && (double)gain_of(&a->v[i]) > least &&
			(best == SIZE_MAX || a->v[i].saves > a->v[best].saves))
			best = i;
	for (size_t i = from; i < a->n; i++)
		if (!a->v[i].of[0] || i == best)
			a->v[n++] = a->v[i];
	a->n = n;
}

/* ---- kernels ---- */

struct kernel {
	sym name;
	struct span text;
	nsec ns;
};

ORDER(by_time, struct kernel, compare3_down(a->ns, b->ns), span_cmp(a->text, b->text))

/* Kernels on the path by name, whichever op launched them; the longest first. */
static struct kernel *find_kernels(const struct critical *c, size_t *n)
{
	const struct run *r = c->at->run;
	nsec *ns = arena_array(&c->at->mem, r->strings.n, sizeof(*ns));
	struct kernel *v = arena_array(&c->at->mem, c->nowner, sizeof(*v));

	*n = 0;
	for (size_t i = 0; i < c->nowner; i++) {
		const struct critical_owner *key = &c->owner[i];

		if (key->owner != OWNER_KERNEL)
			continue;
		if (ns[key->name] == 0)
			v[(*n)++].name = key->name;
		saturate_onto(&ns[key->name], key->ns);
	}
	for (size_t i = 0; i < *n; i++) {
		v[i].ns = ns[v[i].name];
		v[i].text = strings_get(&r->strings, v[i].name);
	}
	sort_rows(v, *n, sizeof(*v), by_time);
	return v;
}

/* As --what-if takes it. */
static const char *kernel_scenario(const struct critical *c, struct span name)
{
	return arena_printf(&c->at->mem, "kernel:^\\Q%.*s\\E$=0.5", (int)name.n, name.p);
}

static void add_kernels(struct answers *a)
{
	struct critical *c = a->c;
	double least = KERNEL_MIN * (double)critical_whole(c);
	size_t n;
	struct kernel *v = find_kernels(c, &n);

	for (size_t i = 0; i < n && i < TOP_KERNELS && (double)v[i].ns >= least; i++) {
		bool *match = arena_array(&c->at->mem, c->at->run->strings.n, sizeof(*match));
		struct change *half = arena_alloc(&c->at->mem, sizeof(*half));

		*half = (struct change){
			.kind = CHANGE_KERNEL, .match = match, .factor = 0.5, .ns = -1
		};
		match[v[i].name] = true;
		add(a,
			(struct answer){ kernel_scenario(c, v[i].text), "kernel twice as fast",
				.name = v[i].name, .s = { .change = half, .n = 1 } });
	}
}

/* ---- what is asked for ---- */

static const char *given_says(struct critical *c, const struct critical_change *g)
{
	const struct change *x = &g->change;
	struct arena *mem = &c->at->mem;
	const char *says;

	if (x->is_hidden)
		says = " hidden";
	else if (x->is_one)
		says = x->kind == CHANGE_KERNEL ? ", elementwise ones fused" : " as one (graph)";
	else if (x->kind == CHANGE_SYNC)
		says = ": no waits";
	else if (x->ns >= 0)
		says = arena_printf(mem, ": %s each", unit_time(mem, (double)x->ns));
	else
		says = arena_printf(mem, ": %g times as long", x->factor);
	return arena_printf(mem, "%s%s%s%s", change_word(x->kind), g->regex ? " " : "",
		g->regex ? g->regex : "", says);
}

static enum status match_given(struct critical *c, struct critical_given *g)
{
	for (size_t i = 0; i < g->n; i++) {
		int64_t n = applies(c, &g->v[i].change);

		if (g->v[i].change.kind == CHANGE_KERNEL && g->v[i].change.is_one)
			g->v[i].change = c->judge.fused;
		if (g->v[i].change.kind == CHANGE_FAMILY)
			n = judge_family(&c->judge, g->v[i].regex, &g->v[i].change);
		else if (g->v[i].regex)
			TRY(critical_match(c, &g->v[i], &g->v[i].change.match, &n));
		if (n == 0)
			result_note(c->at->out, NOTE_WARNING, "what_if_unmatched", c->at->input, -1,
				"--what-if '%s' names nothing in this run", g->v[i].text);
	}
	return OK;
}

static enum status add_given(struct answers *a)
{
	struct critical *c = a->c;
	struct critical_given g;
	struct change *all;
	SCOPED_STR text = { 0 };

	TRY(critical_read_given(&g, &c->o->what_if, &c->at->mem, c->at->e));
	TRY(match_given(c, &g));
	if ((g.repairs || g.rank >= 0) && c->at->q->nrun < 2)
		result_note(c->at->out, NOTE_WARNING, "what_if_unmatched", c->at->input, -1,
			"--what-if of ranks, stages and links is about all traces of a job");
	all = arena_array(&c->at->mem, g.n, sizeof(*all));
	for (size_t i = 0; i < g.n; i++) {
		all[i] = g.v[i].change;
		str_addf(&text, "%s%s", i > 0 ? "," : "", g.v[i].text);
	}
	if (g.n > 1)
		add(a,
			(struct answer){ arena_printf(&c->at->mem, "%s", text.s),
				"all changes together for, together", "all",
				.s = { .change = all, .n = g.n } });
	for (size_t i = 0; i < g.n; i++)
		add(a,
			(struct answer){ g.v[i].text, given_says(c, &g.v[i]),
				g.n > 1 ? "one" : "all", .s = { .change = &all[i], .n = 1 } });
	return OK;
}

/* ---- the table ---- */

ORDER(by_saving, struct answer, compare3_down(a->saves, b->saves), strcmp(a->scenario, b->scenario))

/* A family of kernels that saves little stands beside its kernels for nothing. */
static bool is_shown(const struct critical *c, const struct answer *a)
{
	const struct judge_row *row = a->judged ? &c->judge.row[a->judged - 1] : NULL;

	return !row || row->of != JUDGE_FAMILY || judge_is_shown(row, (double)critical_whole(c));
}

static void put_row(const struct critical *c, struct table *t, const struct answer *a)
{
	nsec then = saturate_sub(c->window.ns, a->saves);

	TABLE_ROW(t, [CIF_SAVES] = cell_int(a->saves),
		[CIF_SAVES_STEP] = cell_real((double)a->saves / (double)c->window.nstep),
		[CIF_SHARE] = cell_ratio(a->saves, critical_whole(c)));
	if (c->window.has_steps)
		TABLE_CELLS(t, [CIF_STEP] = cell_real((double)then / (double)c->window.nstep),
			[CIF_BEFORE] = cell_real((double)c->window.ns / (double)c->window.nstep));
	TABLE_CELLS(t, [CIF_WINDOW] = cell_int(then), [CIF_GIVEN] = cell_word(a->given),
		[CIF_SCENARIO] = cell_textf(t, "%s", a->scenario),
		[CIF_SAYS] = cell_textf(t, "%s", a->says),
		[CIF_NAME] =
			CELL_IF(a->name, cell_text(strings_get(&c->at->run->strings, a->name))));
}

enum status critical_put_what_if(struct critical *c)
{
	struct table *t = perrun_table(c->at, &critical_docs[CRITICAL_WHAT_IF]);
	struct answers a = { .c = c };

	judge_begin(&c->judge, &c->depend, &c->predict, &c->at->mem);
	TRY(add_given(&a));
	size_t given = a.n;
	add_every(&a);
	add_kernels(&a);
	add_pairs(&a);
	ask_all(&a);
	keep_best_pair(&a, given);
	judge_name(&c->judge, &c->verdict);
	sort_rows(a.v + given, a.n - given, sizeof(*a.v), by_saving);
	for (size_t i = 0; i < a.n; i++)
		if (!c->at->q->for_people || is_shown(c, &a.v[i]))
			put_row(c, t, &a.v[i]);
	size_t best = given;
	while (best < a.n && a.v[best].of[0])
		best++;
	if (best < a.n)
		c->best = (struct critical_saving){ a.v[best].says, a.v[best].saves };
	rows_for_people(c->at->q, t);
	return OK;
}
