/* Typical steps: a frame that slides over the window, wider and wider until it is like all of it.
 */
#include "analyze/measure/typical.h"

#include "analyze/measure/account.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

/* Events of a run that is large, and of steps that may stand for it. */
enum { LARGE = 1 << 18, ENOUGH = 1 << 16, STEPS_MIN = 8 };

/* Of each device: what it waits for by cause, and the rest. */
enum { COMPUTE = GAP_CAUSE_COUNT, COMM, COPY, PARTS };

struct frame {
	const struct typical_of *w;
	const struct ledgers *ledgers;
	const struct step_gap_causes *waiting;
	size_t n; /* steps */
	nsec ns;
	double *all, *now; /* by device and part: of the window, of the frame */
};

bool typical_is_asked(const struct run *r)
{
	return r->events.n > LARGE;
}

/* A step comes in, by 1, or goes out, by -1. */
static void add(struct frame *f, size_t i, int by)
{
	nsec ns = saturate_sub(f->w->time[i].end, f->w->time[i].start);

	f->ns = by > 0 ? saturate_add(f->ns, ns) : saturate_sub(f->ns, ns);
	for (size_t d = 0; d < f->w->ndevice; d++) {
		struct account a = account_of_step(f->ledgers, f->waiting, d, f->w->step[i]);
		double *now = f->now + d * PARTS;

		for (int k = 0; k < GAP_CAUSE_COUNT; k++)
			now[k] += by * (double)a.wait[k];
		now[COMPUTE] += by * (double)a.ledger.compute;
		now[COMM] += by * (double)a.ledger.exposed_comm;
		now[COPY] += by * (double)a.ledger.exposed_memcpy;
	}
}

static void find_all(struct frame *f)
{
	for (size_t d = 0; d < f->w->ndevice; d++) {
		const struct account *a = &f->w->device[d];
		double *all = f->all + d * PARTS;

		for (int k = 0; k < GAP_CAUSE_COUNT; k++)
			all[k] = (double)a->wait[k];
		all[COMPUTE] = (double)a->ledger.compute;
		all[COMM] = (double)a->ledger.exposed_comm;
		all[COPY] = (double)a->ledger.exposed_memcpy;
	}
}

/* By how much of a step the part differs most that differs most. */
static double unlike(const struct frame *f)
{
	double times = (double)f->w->nstep / (double)f->n, most = 0;

	for (size_t i = 0; i < f->w->ndevice * PARTS; i++)
		most = fmax(most, fabs(f->now[i] * times - f->all[i]));
	return fmax(most, fabs((double)f->ns * times - (double)f->w->ns)) / (double)f->w->ns;
}

/* Of frames of n steps the one that is most like all; false: none is. */
static bool slide(struct frame *f, size_t n, struct typical *t)
{
	double least = TYPICAL_PART;
	bool is_found = false;

	f->n = n;
	f->ns = 0;
	memset(f->now, 0, f->w->ndevice * PARTS * sizeof(*f->now));
	for (size_t i = 0; i < f->w->nstep; i++) {
		add(f, i, 1);
		if (i >= n)
			add(f, i - n, -1);
		if (i + 1 < n || unlike(f) > least)
			continue;
		least = unlike(f);
		is_found = true;
		*t = (struct typical){ .first = i + 1 - n, .n = n, .ns = f->ns };
	}
	return is_found;
}

/* From a few steps before them on. */
static struct interval time_of(
	const struct typical *t, const struct typical_of *w, const struct steps *s)
{
	uint32_t first = w->step[t->first], before = (uint32_t)(2 + t->n / 4);
	const struct step *from = &s->step[first - MIN(first, before)];
	const struct step *to = &s->step[w->step[t->first + t->n - 1]];

	return (struct interval){ MIN(from->start, from->host_start), MAX(to->end, to->host_end) };
}

void typical_init(struct typical *t, const struct typical_of *w, const struct run *r,
	const struct ledgers *l, const struct step_gap_causes *waiting)
{
	struct frame f = { .w = w, .ledgers = l, .waiting = waiting };
	double share = (double)ENOUGH / (double)MAX(r->events.n, 1);
	size_t n = MAX(saturate_size(ceil(share * (double)w->nstep)), STEPS_MIN);

	*t = (struct typical){ .n = w->nstep, .ns = w->ns };
	if (!typical_is_asked(r) || w->ndevice == 0)
		return;
	f.all = zeroed(2 * w->ndevice * PARTS, sizeof(*f.all));
	f.now = f.all + w->ndevice * PARTS;
	find_all(&f);
	while (2 * n <= w->nstep && !slide(&f, n, t))
		n *= 2;
	if (t->n < w->nstep)
		t->when = time_of(t, w, r->steps);
	free(f.all);
}
