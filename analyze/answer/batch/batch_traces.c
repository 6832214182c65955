/* Traces as a sweep: a step is a batch, its duration the batch's latency. */
#include "analyze/answer/batch/batch.h"

#include <strings.h>

#include "analyze/measure/memory/memcurve.h"
#include "analyze/measure/stepstat.h"
#include "analyze/analysis/perrun.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/producers.h"

enum { DIGITS_MAX = 9 };

/* What one trace says. */
struct traced {
	int64_t batch, steps;
	double step; /* mean ns */
	double peak; /* bytes; NaN: not recorded */
};

/* All of them, by input. */
struct points {
	const struct query *q;
	struct batch_limits *limit;
	const int64_t *given; /* by input; NULL: --batch is not given */
	struct traced *v;
	size_t n;
};

/* ---- which size ---- */

/* The whole number at p, which ends at *end; -1: none, or none that is a size. */
static int64_t number_at(const char *p, const char **end)
{
	int64_t v = 0;
	int n = 0;

	for (; is_digit(*p) && n <= DIGITS_MAX; p++, n++)
		v = v * 10 + (*p - '0');
	*end = p;
	return n > 0 && n <= DIGITS_MAX && v > 0 ? v : -1;
}

/* The number behind the word at p and a sign between them; -1: something else is there. */
static int64_t size_behind(const char *p, const char *word)
{
	size_t n = strlen(word);
	const char *end;

	if (strncasecmp(p, word, n) != 0)
		return -1;
	p += n;
	if (*p && strchr("-_=", *p))
		p++;
	int64_t v = number_at(p, &end);
	return is_letter(*end) ? -1 : v;
}

int64_t batch_of_name(const char *path)
{
	static const char *const word[] = { "bs", "bsz", "batch", "batchsize", "batch_size",
		"batch-size" };
	int64_t found = -1, v;

	for (const char *p = path; *p; p++) {
		if (p > path && (is_letter(p[-1]) || is_digit(p[-1])))
			continue;
		for (size_t i = 0; i < COUNT_OF(word); i++) {
			v = size_behind(p, word[i]);
			found = v > 0 ? v : found;
		}
	}
	return found;
}

static bool is_size_key(struct span key)
{
	size_t i;

	for (i = key.n; i > 0 && key.p[i - 1] != '.' && key.p[i - 1] != '/'; i--)
		continue;
	key = (struct span){ key.p + i, key.n - i };
	return span_in(key, "batch_size|train_batch_size|per_device_train_batch_size");
}

/* As the configuration beside the trace has it, else the trace's metadata; -1: neither. */
static int64_t batch_of_run(const struct run *r)
{
	const struct meta *m = &r->meta;

	for (size_t i = 0; r->record && i < r->record->config.n; i++) {
		const struct scalar *s = &r->record->config.v[i];

		if (s->type == SCALAR_NUMBER && is_size_key(s->key) && s->number >= 1 &&
			s->number < 1e9)
			return saturate_whole(s->number);
	}
	for (EACH(const struct meta_entry, entry, m->entry, m->nentry)) {
		struct span v = strings_get(&r->strings, entry->value);
		char text[DIGITS_MAX + 2] = "";
		const char *end;

		if (!is_size_key(strings_get(&r->strings, entry->key)))
			continue;
		if (v.n > 1 && v.p[0] == '"')
			v = (struct span){ v.p + 1, v.n - 2 };
		if (v.n > 0 && v.n <= DIGITS_MAX) {
			memcpy(text, v.p, v.n);
			if (number_at(text, &end) > 0 && !*end)
				return number_at(text, &end);
		}
	}
	return -1;
}

/* --batch: a size for each input. */
static enum status read_given(struct points *p, const char *text, struct arena *mem, struct err *e)
{
	int64_t *v = arena_array(mem, p->q->nrun, sizeof(*v));
	const char *at = text;
	size_t n = 0;

	for (;; at++) {
		int64_t size = number_at(at, &at);

		if (size < 0 || (*at && *at != ','))
			return err_hinted(e, E_USAGE, "such as 8,16,32: one for each input",
				"--batch '%s': not a list of batch sizes", text);
		if (n < p->q->nrun)
			v[n] = size;
		n++;
		if (!*at)
			break;
	}
	if (n != p->q->nrun)
		return err_set(
			e, E_USAGE, -1, "--batch has %zu sizes for %zu inputs", n, p->q->nrun);
	p->given = v;
	return OK;
}

/* ---- what it took ---- */

/* The largest that an allocator of a device had handed out; NaN: not recorded. */
static double peak_of(const struct run *r)
{
	struct memcurves m;
	double peak = NAN;

	memcurves_init(&m, r, NULL);
	for (EACH(const struct memcurve, c, m.v, m.n)) {
		if (c->type == DEVICE_TYPE_CPU || c->is_relative || c->peak >= c->n)
			continue;
		if (isnan(peak) || (double)c->allocated[c->peak] > peak)
			peak = (double)c->allocated[c->peak];
	}
	memcurves_clear(&m);
	return peak;
}

static enum status answer_trace(struct perrun *at)
{
	struct points *p = at->ctx;
	const struct meta *m = &at->run->meta;
	struct traced *v = &p->v[p->n];
	struct stepstat stat;

	if (!at->run->has_trace)
		return OK;
	stepstat_init(&stat, at->run, &at->view, &at->mem);
	if (!stat.has_steps || stat.count == 0) {
		result_note(at->out, NOTE_WARNING, "batch_no_steps", at->input, -1,
			"left out: no steps in this trace, so the time of a batch is not known; %s",
			recording_word(at->run, RECORDING_STEPS));
		return OK;
	}
	*v = (struct traced){ .batch = p->given ? p->given[at->input] : batch_of_run(at->run),
		.steps = (int64_t)stat.count,
		.peak = peak_of(at->run) };
	if (v->batch < 0)
		v->batch = batch_of_name(at->out->input[at->input]);
	if (v->batch < 0)
		return err_hinted(at->e, E_NODATA, "give one for each input: --batch 8,16,32",
			"the batch size of %s is not known", at->out->input[at->input]);
	for (size_t i = 0; i < stat.count; i++)
		v->step += (double)stepstat_dur(&stat, at->run, stat.from + i) / (double)stat.count;
	if (!p->limit->capacity && m->ngpu && m->gpu[0].memory_bytes > 0)
		p->limit->capacity = m->gpu[0].memory_bytes;
	p->n++;
	return OK;
}

/* ---- as sizes ---- */

ORDER(by_batch, struct traced, compare3(a->batch, b->batch), compare3(a->step, b->step))

/* n runs of one size: their mean, and the deviation between them. */
static struct batch_size size_of(const struct traced *p, size_t n)
{
	struct batch_size s = { .batch = p->batch, .runs = (int64_t)n, .peak = NAN };

	s.written = s.written_std = s.used = s.used_std = s.cpu = s.cpu_std = NAN;
	for (EACH(const struct traced, traced, p, n)) {
		saturate_onto(&s.samples, saturate_times(traced->steps, traced->batch));
		s.batch_ns += traced->step / (double)n;
		s.peak = isnan(s.peak) || traced->peak > s.peak ? traced->peak : s.peak;
	}
	double squares = SUM(double, i, n, (p[i].step - s.batch_ns) * (p[i].step - s.batch_ns));
	s.batch_std = n > 1 ? sqrt(squares / (double)(n - 1)) : NAN;
	s.sample_ns = s.batch_ns / (double)s.batch;
	s.sample_std = s.batch_std / (double)s.batch;
	s.rate = 1e9 / s.sample_ns;
	s.rate_std = s.rate * s.sample_std / s.sample_ns;
	return s;
}

enum status batch_read_traces(struct batch *b, const struct query *q, struct result *out,
	struct arena *mem, struct err *e)
{
	static const struct perrun_how how = { .answer = answer_trace, .needs = PERRUN_VIEW };
	const struct batch_options *o = q->opts;
	struct points p = { .q = q, .limit = &b->limit };
	size_t i, n;

	p.v = arena_array(mem, q->nrun, sizeof(*p.v));
	if (o->batch)
		TRY(read_given(&p, o->batch, mem, e));
	TRY(perrun_all(q, &how, &p, out, e));
	if (p.n == 0)
		return err_set(e, E_NODATA, -1, "none of the %zu traces has steps", q->nrun);
	qsort(p.v, p.n, sizeof(*p.v), by_batch);
	b->v = arena_array(mem, p.n, sizeof(*b->v));
	for (i = 0, b->n = 0; i < p.n; i += n) {
		for (n = 1; i + n < p.n && p.v[i + n].batch == p.v[i].batch;)
			n++;
		b->v[b->n++] = size_of(&p.v[i], n);
	}
	if (b->n > 1)
		return OK;
	return err_set(e, E_NODATA, -1, "all traces are of batch size %lld, which is no sweep",
		(long long)b->v[0].batch);
}
