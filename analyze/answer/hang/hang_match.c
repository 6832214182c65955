/*
 * `hang`: whether the calls of one collective fit together, as NCCL needs them to: the same
 * operation, types and numbers of elements.  Shapes may differ where the elements are as many.
 *
 * Source: Op.match in torch/distributed/flight_recorder/components/types.py.
 */
#include <string.h>

#include "analyze/answer/hang/hang.h"

/* What has to be the same of all who came. */
struct figure {
	struct span text;
	int64_t count;
};

static bool is_one_of(struct span op, const char *const *ops)
{
	for (; *ops; ops++)
		if (span_is(op, *ops))
			return true;
	return false;
}

static const char *const no_input[] = { "all_to_all", "all_to_all_v_single", "scatter", "broadcast",
	"_broadcast_oop", "all_gather_v", NULL };
static const char *const no_output[] = { "all_to_all", "all_to_all_v_single", "gather",
	"reduce_scatter_v", NULL };

static bool is_same(const struct figure *a, const struct figure *b)
{
	return a->count == b->count && span_eq(a->text, b->text);
}

/* What a call has of what is asked for; false: nothing, so that it fits. */
static bool figure_of(
	const struct hang_call *c, enum hang_differs what, bool is_out, struct figure *f)
{
	*f = (struct figure){ { "", 0 }, 0 };
	switch (what) {
	case DIFFERS_OP: f->text = c->op; return true;
	case DIFFERS_TYPE:
		f->text = is_out ? c->out_type : c->in_type;
		return f->text.n > 0 && (is_out ? c->out_count : c->in_count) > 0;
	case DIFFERS_SIZE:
		f->count = is_out ? c->out_count : c->in_count;
		return !is_one_of(c->op, is_out ? no_output : no_input);
	case DIFFERS_NOT: break;
	}
	return false;
}

static void add_odd(struct hang_meeting *m, size_t rank)
{
	if (m->odd.n == 0 || m->odd.v[m->odd.n - 1] != rank)
		m->odd.v[m->odd.n++] = rank;
}

/* What most have: *most is how many; false: it is not asked of these calls. */
static bool find_rule(const struct hang_job *job, const size_t *call, size_t n,
	enum hang_differs what, bool is_out, struct figure *rule, size_t *most)
{
	struct figure own, other;
	size_t i, k;

	for (*most = 0, i = 0; i < n && *most <= n / 2; i++) {
		size_t votes = 0;

		if (!figure_of(&job->call[call[i]], what, is_out, &own))
			return false;
		for (k = 0; k < n; k++)
			votes += figure_of(&job->call[call[k]], what, is_out, &other) &&
				is_same(&own, &other);
		if (votes > *most) {
			*most = votes;
			*rule = own;
		}
	}
	return true;
}

/*
 * Those who differ from what most have; where no more than half agree, all of them do.  A batch has
 * several calls a rank: the i-th of each is compared.
 */
static bool compare(struct hang_job *job, struct hang_meeting *m, const size_t *call, size_t n,
	enum hang_differs what, bool is_out)
{
	struct figure own, rule = { { "", 0 }, 0 };
	size_t i, most;
	bool is_rule;

	if (!find_rule(job, call, n, what, is_out, &rule, &most) || most == n)
		return false;
	for (i = n; i > 0; i--) {
		is_rule = figure_of(&job->call[call[i - 1]], what, is_out, &own) &&
			is_same(&own, &rule);
		*(is_rule ? &m->other_call : &m->odd_call) = call[i - 1];
	}
	for (i = 0; i < n; i++)
		if (most <= n / 2 ||
			(figure_of(&job->call[call[i]], what, is_out, &own) &&
				!is_same(&own, &rule)))
			add_odd(m, job->call[call[i]].rank);
	m->differs = what;
	return m->odd.n > 0;
}

/* The sums of all who came have to be equal where each may have its own number. */
static bool is_uneven(const struct hang_job *job, const struct hang_meeting *m, size_t nmember)
{
	int64_t in = 0, out = 0;
	size_t i;

	if (m->ncall != nmember || !is_one_of(job->call[m->first].op, no_output) ||
		!is_one_of(job->call[m->first].op, no_input))
		return false;
	for (i = 0; i < m->ncall; i++) {
		const struct hang_call *c = &job->call[m->call[i]];

		if (c->in_count < 0 || c->out_count < 0 ||
			__builtin_add_overflow(in, c->in_count, &in) ||
			__builtin_add_overflow(out, c->out_count, &out))
			return false;
	}
	return in != out;
}

/* The calls of those who came that are the turn-th of their rank. */
static size_t of_turn(
	const struct hang_job *job, const struct hang_meeting *m, size_t turn, size_t *out)
{
	size_t i, n = 0, seen = 0;

	for (i = 0; i < m->ncall; i++) {
		bool is_new =
			i == 0 || job->call[m->call[i]].rank != job->call[m->call[i - 1]].rank;

		seen = is_new ? 0 : seen + 1;
		if (seen == turn)
			out[n++] = m->call[i];
	}
	return n;
}

static bool differs(struct hang_job *job, struct hang_meeting *m, const size_t *call, size_t n)
{
	return compare(job, m, call, n, DIFFERS_OP, false) ||
		compare(job, m, call, n, DIFFERS_TYPE, false) ||
		compare(job, m, call, n, DIFFERS_TYPE, true) ||
		compare(job, m, call, n, DIFFERS_SIZE, false) ||
		compare(job, m, call, n, DIFFERS_SIZE, true);
}

/* A send and its receive. */
static void match_pair(struct hang_job *job, struct hang_meeting *m)
{
	const struct hang_call *a = &job->call[m->call[0]], *b;

	if (m->ncall < 2)
		return;
	b = &job->call[m->call[1]];
	if (a->in_type.n && b->in_type.n && !span_eq(a->in_type, b->in_type))
		m->differs = DIFFERS_TYPE;
	else if ((a->is_send ? a->in_count : a->out_count) !=
		(b->is_send ? b->in_count : b->out_count))
		m->differs = DIFFERS_SIZE;
	if (m->differs == DIFFERS_NOT)
		return;
	add_odd(m, a->rank);
	add_odd(m, b->rank);
	m->other_call = m->call[0];
	m->odd_call = m->call[1];
}

void hang_match(struct hang_job *job, struct hang_meeting *m)
{
	size_t *call = arena_array(&job->mem, m->ncall, sizeof(*call));
	size_t turn, n;

	m->odd.v = arena_array(&job->mem, m->ncall, sizeof(*m->odd.v));
	if (m->is_p2p) {
		match_pair(job, m);
		return;
	}
	for (turn = 0; (n = of_turn(job, m, turn, call)) > 0; turn++)
		if (differs(job, m, call, n))
			return;
	if (m->came.n == m->ncall && is_uneven(job, m, job->group[m->group].nmember)) {
		m->differs = DIFFERS_SIZE;
		m->other_call = m->call[0];
		m->odd_call = m->call[m->ncall - 1];
		for (n = 0; n < m->ncall; n++)
			add_odd(m, job->call[m->call[n]].rank);
	}
}
