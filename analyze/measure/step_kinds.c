/* Kinds of steps: what odd ones have in common. */
#include "analyze/measure/step_kinds.h"

#include "analyze/trace/links/links.h"
#include "analyze/measure/account.h"
#include "analyze/measure/stepstat.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/unit.h"

/* Parts of a step beside what devices wait for. */
enum {
	STEP_PART_COMPUTE = STEP_KIND_DECODE + 1,
	STEP_PART_COMM,
	STEP_PART_COPY,
	STEP_PART_NONE,
	STEP_PARTS
};
/* As many device events, within this share, are the same. */
static const double SAME = 0.02;

static const char more_kernels[] = "more kernels", fewer_kernels[] = "fewer kernels",
		  prefill[] = "prefill", decode[] = "decode";

struct sorting {
	const struct run *run;
	const struct stepstat *stat;
	const uint8_t *word;
	size_t ndevice;
	const struct ledgers *ledgers;
	const struct step_gap_causes *waiting;
	struct arena *mem;
	double usual[STEP_PARTS]; /* of a usual step, sums over devices, ns */
	double events;            /* device events of a usual step */
	uint8_t *part;            /* by position: of odd ones, what differs most; else STEP_PARTS */
};

static nsec dur_of(const struct sorting *s, size_t i)
{
	return stepstat_dur(s->stat, s->run, i);
}

static void add_parts(const struct sorting *s, size_t i, double *sum)
{
	for (size_t d = 0; d < s->ndevice; d++) {
		struct account a = account_of_step(s->ledgers, s->waiting, d, s->stat->step[i]);

		for (int k = 0; k < GAP_CAUSE_COUNT; k++)
			sum[k] += (double)a.wait[k];
		sum[STEP_PART_COMPUTE] += (double)a.ledger.compute;
		sum[STEP_PART_COMM] += (double)a.ledger.exposed_comm;
		sum[STEP_PART_COPY] += (double)a.ledger.exposed_memcpy;
	}
}

/* A usual step, of those that are whole. */
static void find_usual(struct sorting *s, struct step_kinds *k)
{
	const struct stepstat *stat = s->stat;
	double all = 0;

	for (size_t i = 0; i < stat->n; i++) {
		if (stat->odd[i] || (stat->mark[i] & STEP_INCOMPLETE))
			continue;
		k->usual++;
		all += (double)dur_of(s, i);
		add_parts(s, i, s->usual);
		s->events += (double)s->run->steps->step[stat->step[i]].ndevice;
	}
	double n = (double)MAX(k->usual, 1);
	for (int p = 0; p < STEP_PARTS; p++)
		s->usual[p] /= n;
	s->events /= n;
	k->mean = all / n;
}

/* What differs most, the way the durations of these steps do; sum: of n of them. */
static int part_of(const struct sorting *s, const double *sum, size_t n, bool is_longer)
{
	double most = 0;
	int best = STEP_PART_NONE;

	for (int p = 0; p < STEP_PART_NONE; p++) {
		double more = sum[p] / (double)n - s->usual[p];

		if (!is_longer)
			more = -more;
		if (more > most) {
			most = more;
			best = p;
		}
	}
	return best;
}

static bool is_longer(const struct sorting *s, const struct step_kinds *k, size_t i)
{
	return (double)dur_of(s, i) > k->mean;
}

static void find_parts(struct sorting *s, const struct step_kinds *k)
{
	const struct stepstat *stat = s->stat;

	s->part = arena_array(s->mem, stat->n, sizeof(*s->part));
	for (size_t i = 0; i < stat->n; i++) {
		double sum[STEP_PARTS] = { 0 };

		s->part[i] = STEP_PARTS;
		if (!stat->odd[i])
			continue;
		add_parts(s, i, sum);
		s->part[i] = s->word[i] != GAP_CAUSE_COUNT
			? s->word[i]
			: (uint8_t)part_of(s, sum, 1, is_longer(s, k, i));
	}
}

/* ---- kernels ---- */

/* The kernel whose time in these steps differs most from that in usual ones. */
static sym kernel_of(const struct sorting *s, const struct step_kinds *all,
	const struct step_kind *k, bool longer)
{
	const struct run *r = s->run;
	const struct stepstat *stat = s->stat;
	double *more = arena_array(s->mem, r->strings.n, sizeof(*more)), most = 0;
	double *weight = arena_array(s->mem, r->steps->n, sizeof(*weight));
	sym best = 0;

	for (size_t i = 0; i < stat->n; i++)
		if (!stat->odd[i] && !(stat->mark[i] & STEP_INCOMPLETE))
			weight[stat->step[i]] = -1 / (double)MAX(all->usual, 1);
	for (size_t i = 0; i < k->n; i++)
		weight[stat->step[k->at[i]]] = 1 / (double)k->n;
	for (EACH_DEVICE_ROW(row, r)) {
		uint32_t step = step_of_row(r, row);

		if (step != NO_ROW && r->events.kind[row] == KIND_KERNEL)
			more[r->events.name[row]] += weight[step] * (double)r->events.dur[row];
	}
	for (sym i = 0; i < r->strings.n; i++) {
		double x = longer ? more[i] : -more[i];

		if (x > most) {
			most = x;
			best = i;
		}
	}
	return best;
}

/* is_flipped: of the others, seen from these. */
static const char *kernels_word(
	const struct sorting *s, const struct step_kind *k, bool longer, bool is_flipped)
{
	double n =
		SUM(double, i, k->n, (double)s->run->steps->step[s->stat->step[k->at[i]]].ndevice);

	n /= (double)k->n;
	if (fabs(n - s->events) <= SAME * s->events)
		return longer != is_flipped ? "slower kernels" : "faster kernels";
	return (n > s->events) != is_flipped ? more_kernels : fewer_kernels;
}

/* ---- kinds ---- */

/* When, also where those of other kinds are in between. */
static enum exceptions_when when_of(const struct sorting *s, const struct step_kind *k)
{
	const struct stepstat *stat = s->stat;
	enum exceptions_when when = exceptions_when(k->at, k->n, stat->n);
	size_t *at = arena_array(s->mem, k->n, sizeof(*at)), n = 0, all = 0;

	/* Cut on the device the last step ends with its work: nothing is waited for behind that. */
	if (when == WHEN_SOME && s->run->steps->on_device)
		when = exceptions_when(k->at, k->n, stat->n - 1);
	if (when != WHEN_SOME)
		return when;
	for (size_t i = 0; i < stat->n; i++) {
		bool is_mine = n < k->n && k->at[n] == i;

		if (is_mine)
			at[n++] = all;
		all += is_mine || !stat->odd[i];
	}
	when = exceptions_when(at, n, all);
	return when == WHEN_FROM || when == WHEN_FIRST ? when : WHEN_SOME;
}

/* Short ones up to a longer level: it is the longer ones that are told about. */
static void flip(const struct sorting *s, const struct step_kinds *all, struct step_kind *k)
{
	const struct stepstat *stat = s->stat;
	size_t n = 0;

	for (size_t i = k->n; i < stat->n; i++)
		if (!stat->odd[i])
			k->at[n++] = i;
	k->before = k->n;
	k->n = n;
	k->when = WHEN_FROM;
	k->mean = all->mean;
	k->more = -k->more;
	k->share = k->more * (double)n / (double)stat->sum;
}

static void name_kind(struct sorting *s, const struct step_kinds *all, struct step_kind *k)
{
	static const char *const words[] = { "communication", "copies", "other" };
	double sum[STEP_PARTS] = { 0 };
	bool longer = k->more > 0;
	bool is_flipped = !longer && s->word[k->at[0]] == GAP_CAUSE_COUNT &&
		k->when == WHEN_FIRST && k->n >= STEP_KINDS_LEVEL;

	for (size_t i = 0; i < k->n; i++)
		add_parts(s, k->at[i], sum);
	int p = part_of(s, sum, k->n, longer);
	if (s->word[k->at[0]] != GAP_CAUSE_COUNT)
		p = s->word[k->at[0]];
	k->cause = p < GAP_CAUSE_COUNT ? (enum gap_cause)p : GAP_CAUSE_COUNT;
	if (p == STEP_PART_COMPUTE) {
		k->what = kernels_word(s, k, longer, is_flipped);
		k->name = kernel_of(s, all, k, longer);
	} else {
		k->what = p == STEP_KIND_PREFILL ? prefill
			: p == STEP_KIND_DECODE  ? decode
			: p < GAP_CAUSE_COUNT    ? gap_cause_word((enum gap_cause)p)
						 : words[p - STEP_PART_COMM];
	}
	if (is_flipped)
		flip(s, all, k);
}

/* Of those of a word or part, or all without a word (part: STEP_PARTS), that are longer, or
 * shorter; nothing where there is none. */
static struct step_kind *add_kind(
	struct sorting *s, struct step_kinds *all, uint8_t part, bool longer, bool has_word)
{
	const struct stepstat *stat = s->stat;
	struct step_kind k = { .at = arena_array(s->mem, stat->n, sizeof(*k.at)) };
	double sum = 0;

	for (size_t i = 0; i < stat->n; i++) {
		if (s->part[i] == STEP_PARTS || (part != STEP_PARTS && s->part[i] != part) ||
			is_longer(s, all, i) != longer ||
			(s->word[i] != GAP_CAUSE_COUNT) != has_word)
			continue;
		k.at[k.n++] = i;
		sum += (double)dur_of(s, i);
	}
	if (k.n == 0)
		return NULL;
	k.mean = sum / (double)k.n;
	k.more = k.mean - all->mean;
	k.share = k.more * (double)k.n / (double)stat->sum;
	k.when = when_of(s, &k);
	all->v[all->n] = k;
	return &all->v[all->n++];
}

/* Odd ones without a word: one kind where they lie in time as one, else by part. */
static void add_others(struct sorting *s, struct step_kinds *k, bool longer)
{
	struct step_kind *one = add_kind(s, k, STEP_PARTS, longer, false);

	if (!one || (one->n > 1 && one->when != WHEN_SOME))
		return;
	k->n--;
	for (int p = 0; p < STEP_PARTS; p++)
		(void)add_kind(s, k, (uint8_t)p, longer, false);
}

/* ---- steps that grow ---- */

/* Whether a step from one to another is meant. */
static bool is_of_ramp(const struct stepstat *stat, size_t i, size_t from, size_t to)
{
	return i >= from && i <= to && !stat->odd[i] && !(stat->mark[i] & STEP_INCOMPLETE);
}

/* What grows: the end with longer steps, a third of the way and all beyond, held against the other.
 */
static void name_ramp(struct sorting *s, const struct step_kinds *all, struct step_kind *k)
{
	const struct stepstat *stat = s->stat;
	size_t third = (stat->ramp.to - stat->ramp.from) / 3, few = 0;
	struct sorting from = *s;

	memset(from.usual, 0, sizeof(from.usual));
	from.events = 0;
	for (size_t i = 0; i < stat->n; i++) {
		bool is_early = is_of_ramp(stat, i, 0, stat->ramp.from + third);
		bool is_late = is_of_ramp(stat, i, stat->ramp.to - third, stat->n);

		if (k->slope > 0 ? is_late : is_early)
			k->at[k->n++] = i;
		if (!(k->slope > 0 ? is_early : is_late))
			continue;
		few++;
		add_parts(s, i, from.usual);
		from.events += (double)s->run->steps->step[stat->step[i]].ndevice;
	}
	for (int p = 0; p < STEP_PARTS; p++)
		from.usual[p] /= (double)MAX(few, 1);
	from.events /= (double)MAX(few, 1);
	if (k->n > 0)
		name_kind(&from, all, k);
}

static void add_ramp(struct sorting *s, struct step_kinds *all)
{
	const struct stepstat *stat = s->stat;
	const struct ramp *ramp = &stat->ramp;
	struct step_kind k = { .at = arena_array(s->mem, stat->n, sizeof(*k.at)),
		.more = 1,
		.slope = ramp_slope(ramp) };
	bool grows = k.slope > 0;
	double sum = 0;

	if (ramp->to == 0)
		return;
	name_ramp(s, all, &k);
	if (k.n == 0)
		return;
	k.when = WHEN_RAMP;
	k.n = 0;
	for (size_t i = 0; i < stat->n; i++)
		if (is_of_ramp(stat, i, grows ? ramp->from : 0, grows ? stat->n : ramp->to)) {
			k.at[k.n++] = i;
			sum += (double)dur_of(s, i);
		}
	k.mean = sum / (double)k.n;
	k.more = k.mean - fmin(ramp->before, ramp->after);
	k.share = k.more * (double)k.n / (double)stat->sum;
	all->v[all->n++] = k;
}

bool step_kind_is_loss(const struct step_kind *k)
{
	return k->more > 0 && k->what != more_kernels && k->what != fewer_kernels &&
		k->what != prefill && k->what != decode;
}

/* Warm-up beside enough steps without: nobody asks how long that took. */
static bool is_set_aside(const struct step_kinds *all, const struct step_kind *k)
{
	return k->when == WHEN_FIRST && all->usual >= EXCEPTIONS_VALUES && 2 * k->n <= all->usual;
}

ORDER(by_share, struct step_kind, compare3(b->share, a->share))

void step_kinds_init(struct step_kinds *k, const struct run *r, const struct stepstat *stat,
	const uint8_t *word, const struct ledgers *l, const struct step_gap_causes *waiting,
	struct arena *mem)
{
	struct sorting s = { .run = r,
		.stat = stat,
		.word = word,
		.ndevice = l->ndevice - l->nwithout,
		.ledgers = l,
		.waiting = waiting,
		.mem = mem };

	*k = (struct step_kinds){ .v = arena_array(mem, 4 * STEP_PARTS, sizeof(*k->v)) };
	find_usual(&s, k);
	if (stat->outliers == 0 && stat->ramp.to == 0)
		return;
	find_parts(&s, k);
	for (int c = 0; c < STEP_PART_COMPUTE; c++)
		for (int longer = 0; longer < 2; longer++)
			(void)add_kind(&s, k, (uint8_t)c, longer, true);
	add_others(&s, k, true);
	add_others(&s, k, false);
	for (size_t i = 0; i < k->n; i++)
		name_kind(&s, k, &k->v[i]);
	add_ramp(&s, k);
	qsort(k->v, k->n, sizeof(*k->v), by_share);
	for (size_t i = 0; i < k->n; i++) {
		if (!step_kind_is_loss(&k->v[i]) || is_set_aside(k, &k->v[i]))
			continue;
		k->lost += k->v[i].share;
		k->worst = k->worst ? k->worst : &k->v[i];
	}
}

/* "growing by 1.2 ms a step, from 20.0 ms (#3) to 60.0 ms (#42)". */
static const char *ramp_text(const struct step_kind *k, const struct run *r,
	const struct stepstat *stat, struct arena *mem)
{
	const struct step *step = r->steps->step;
	const struct ramp *ramp = &stat->ramp;

	return arena_printf(mem, "%s by %s a step, from %s (#%" PRId64 ") to %s (#%" PRId64 ")",
		k->slope > 0 ? "growing" : "falling", unit_time(mem, fabs(k->slope)),
		unit_time(mem, ramp->before), step[stat->step[ramp->from]].number,
		unit_time(mem, ramp->after), step[stat->step[ramp->to]].number);
}

const char *step_kind_when(const struct step_kind *k, const struct run *r,
	const struct stepstat *stat, struct arena *mem)
{
	const struct step *step = r->steps->step;
	const uint32_t *of = stat->step;
	int64_t first = step[of[k->at[0]]].number;

	switch (k->when) {
	case WHEN_FIRST: return k->n == 1 ? "the first" : arena_printf(mem, "the first %zu", k->n);
	case WHEN_RAMP: return ramp_text(k, r, stat, mem);
	case WHEN_FROM: return arena_printf(mem, "from #%" PRId64 " on", first);
	case WHEN_EVERY:
		return arena_printf(
			mem, "every %zu steps, from #%" PRId64, k->at[1] - k->at[0], first);
	default: break;
	}
	if (k->n == 1)
		return arena_printf(mem, "#%" PRId64, first);
	const char *two = arena_printf(mem, "#%" PRId64 "%s#%" PRId64, first,
		k->n == 2 ? " and " : ", ", step[of[k->at[1]]].number);
	if (k->n < 4)
		return k->n == 2
			? two
			: arena_printf(mem, "%s and #%" PRId64, two, step[of[k->at[2]]].number);
	return arena_printf(mem, "%s and %zu more", two, k->n - 2);
}

const char *step_kind_in(const struct step_kind *k)
{
	return k->when == WHEN_EVERY || k->when == WHEN_FROM || k->when == WHEN_RAMP ? "" : "in ";
}

const char *step_kinds_text(const struct step_kinds *k, const struct run *r,
	const struct stepstat *stat, struct arena *mem)
{
	const char *text = NULL;

	for (EACH(const struct step_kind, x, k->v, k->n)) {
		text = arena_printf(mem, "%s%s%s %s%s", text ? text : "", text ? "; " : "", x->what,
			step_kind_in(x), step_kind_when(x, r, stat, mem));
	}
	return text;
}
