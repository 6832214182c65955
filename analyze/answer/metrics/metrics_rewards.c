/* `metrics`: rewards of groups (GRPO): spread within, best of n, what lies between groups. */
#include "analyze/answer/metrics/metrics.h"
#include "analyze/trace/columns/record.h"

struct rewards {
	struct span key;
	size_t groups, n, correct, groups_correct, zero;
	double sum, squares, min, max;               /* squares: around the first value */
	double first, best, std;                     /* sums over groups */
	double within, between_sum, between_squares; /* for the analysis of variance */
};

/* One group: its rewards v[0..n). */
static void add_group(struct rewards *r, const double *v, size_t n, double pass)
{
	double sum = 0, squares = 0, best = v[0], least = v[0];
	size_t correct = 0;

	if (r->n == 0) {
		r->first = v[0];
		r->min = r->max = v[0];
	}
	for (size_t i = 0; i < n; i++) {
		sum += v[i];
		best = MAX(v[i], best);
		least = MIN(v[i], least);
		correct += v[i] >= pass;
		r->squares += (v[i] - r->first) * (v[i] - r->first);
	}
	double mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (v[i] - mean) * (v[i] - mean);
	r->groups++;
	r->n += n;
	r->sum += sum;
	r->best += best;
	r->std += n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
	r->zero += best == least;
	r->correct += correct;
	r->groups_correct += correct > 0;
	r->min = MIN(least, r->min);
	r->max = MAX(best, r->max);
	r->within += squares;
	r->between_sum += mean - r->first;
	r->between_squares += (mean - r->first) * (mean - r->first);
}

/* var_b / (var_b + var_w) of a one-way analysis of variance; NaN with fewer than 2 groups. */
static double icc_of(const struct rewards *r)
{
	double g = (double)r->groups, size = (double)r->n / g;

	if (r->groups < 2 || r->n <= r->groups)
		return NAN;
	double ms_b = size * (r->between_squares - r->between_sum * r->between_sum / g) / (g - 1);
	double ms_w = r->within / (double)(r->n - r->groups);
	double var_b = ms_b > ms_w ? (ms_b - ms_w) / size : 0;
	return var_b + ms_w > 0 ? var_b / (var_b + ms_w) : NAN;
}

static void check_groups(struct look *look)
{
	const struct metrics_key *k = look->what;
	const struct rewards *r = look->what;

	if (look->about == ABOUT_GROUPS && 2 * r->zero > r->groups)
		metrics_found(
			look, r->key, "%zu of %zu groups have equal rewards", r->zero, r->groups);
	if (look->about == ABOUT_KEY && k->role == ROLE_ZERO_STD &&
		k->window_mean > look_limit(look, "D11.share"))
		metrics_found(look, k->s->name,
			"%.0f%% of groups have equal rewards (last %zu values)",
			100 * k->window_mean, k->window);
}

RULE(D11, "groups without spread",
	"More than half of the groups have rewards that are all equal: no gradient comes from "
	"them.",
	"TRL, frac_reward_zero_std", .severity = SEVERITY_WARN,
	.advice = "harder or easier prompts, a higher temperature, larger groups",
	.limits = LIMITS(LIMIT(
		"metrics.D11.share", RATIO, "50%", "groups with equal rewards: from this on")),
	.about = ABOUT_KEY | ABOUT_GROUPS, .series = check_groups)

static void put_rewards(struct metrics *m, struct table *t, const struct rewards *r)
{
	double g = (double)r->groups, n = (double)r->n, size = n / g, shift = r->sum / n - r->first;

	TABLE_ROW(t, [MREWARD_KEY] = cell_text(r->key), [MREWARD_GROUPS] = cell_size(r->groups),
		[MREWARD_SIZE] = cell_real(size), [MREWARD_MEAN] = cell_real(r->sum / n),
		[MREWARD_GROUP_STD] = cell_real(r->std / g),
		[MREWARD_ZERO] = cell_real((double)r->zero / g),
		[MREWARD_BEST] = cell_real(r->best / g),
		[MREWARD_PASS_ONE] = cell_real((double)r->correct / n),
		[MREWARD_PASS_GROUP] = cell_real((double)r->groups_correct / g),
		[MREWARD_ICC] = cell_real(icc_of(r)), [MREWARD_MIN] = cell_real(r->min),
		[MREWARD_MAX] = cell_real(r->max),
		[MREWARD_STD] = cell_real(sqrt(fmax(0, r->squares / n - shift * shift))),
		[MREWARD_RANK_MEAN] = cell_real((size - 1) / 2),
		[MREWARD_RANK_STD] = cell_real(sqrt((size * size - 1) / 12)));
	metrics_ask(m, ABOUT_GROUPS, r);
}

static double number_at(const struct table *t, size_t row, size_t col)
{
	const union cell *c = table_cell(t, row, col);

	if (!c)
		return -1;
	return t->col[col].type == CELL_INT ? (double)c->i : c->r;
}

/* The row belongs to the list of the row before: same key, step and inner list. */
static bool is_same_list(const struct table *t, size_t row)
{
	const union cell *a = table_cell(t, row - 1, SAMPLES_NAME);
	const union cell *b = table_cell(t, row, SAMPLES_NAME);

	return a && b && span_eq(a->s, b->s) &&
		number_at(t, row, SAMPLES_STEP) == number_at(t, row - 1, SAMPLES_STEP) &&
		number_at(t, row, SAMPLES_GROUP) == number_at(t, row - 1, SAMPLES_GROUP) &&
		number_at(t, row, SAMPLES_MEMBER) > number_at(t, row - 1, SAMPLES_MEMBER);
}

static struct rewards *rewards_of(struct rewards *v, size_t *n, size_t most, struct span key)
{
	for (size_t i = 0; i < *n; i++)
		if (span_eq(v[i].key, key))
			return &v[i];
	if (*n == most)
		return NULL;
	v[*n] = (struct rewards){ .key = key };
	return &v[(*n)++];
}

void metrics_put_rewards(struct metrics *m)
{
	enum { KEYS = 64 };
	const struct sheet *sheet = record_find_sheet(m->at->record, SHEET_SAMPLES);
	struct lazy_table to = { m->at, &metrics_docs[METRICS_TABLE_REWARDS], NULL };
	size_t i, end, n = 0, used;

	if (!sheet)
		return;
	double *v = arena_array(&m->at->mem, sheet->table.nrow, sizeof(*v));
	struct rewards *all = arena_array(&m->at->mem, KEYS, sizeof(*all));
	for (i = 0; i < sheet->table.nrow; i = end) {
		const union cell *name = table_cell(&sheet->table, i, SAMPLES_NAME);
		struct rewards *r = NULL;

		for (used = 0, end = i;
			end == i || (end < sheet->table.nrow && is_same_list(&sheet->table, end));
			end++) {
			const union cell *c = table_cell(&sheet->table, end, SAMPLES_VALUE);

			if (c && isfinite(c->r))
				v[used++] = c->r;
		}
		if (name && span_has_nocase(name->s, "reward") && used)
			r = rewards_of(all, &n, KEYS, name->s);
		if (r)
			add_group(r, v, used, m->limit->pass);
	}
	for (i = 0; i < n; i++)
		put_rewards(m, lazy_table(&to), &all[i]);
}
