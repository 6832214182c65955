/* What was asked about, in words for pictures: inputs, devices, steps, the day of the recording.
 * Of the inputs only, never of this machine or its clock: the same inputs give the same words. */
#include <sys/stat.h>

#include "analyze/measure/device/devices.h"
#include "analyze/measure/power/sampleclock.h"
#include "analyze/trace/run_steps.h"
#include "base/unit.h"
#include "cmd/inquiry.h"

enum { MODELS_MAX = 4, PATHS_MAX = 3 };
#define NS_IN_S 1000000000

static const char *kept(struct inquiry *g, struct str *b)
{
	const char *text = b->n ? arena_copy(&g->mem, b->s, b->n) : NULL;

	str_free(b);
	return text;
}

/* ---- inputs ---- */

static void put_path(struct str *b, const char *path)
{
	size_t n = strlen(path), from;
	struct stat st;

	if (strcmp(path, "-") == 0) {
		str_adds(b, "stdin");
		return;
	}
	while (n > 1 && path[n - 1] == '/')
		n--;
	for (from = n; from > 0 && path[from - 1] != '/'; from--)
		continue;
	str_add(b, path + from, n - from);
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		str_addc(b, '/');
}

static const char *inputs_of(struct inquiry *g)
{
	const char *between = g->inputs.n == 0 && g->sides.nside == 2 ? " against " : ", ";
	struct str b = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < g->npath; i++) {
		if (strcmp(g->path[i], "vs") == 0) {
			between = " against ";
			continue;
		}
		if (++n > PATHS_MAX)
			continue;
		str_adds(&b, b.n ? between : "");
		put_path(&b, g->path[i]);
	}
	if (n > PATHS_MAX)
		str_addf(&b, " and %zu more", n - PATHS_MAX);
	return kept(g, &b);
}

/* ---- devices ---- */

struct model {
	struct span name;
	size_t n;
};

struct models {
	struct model v[MODELS_MAX];
	size_t n;
};

static void count_model(struct models *m, struct span name, size_t n)
{
	size_t i = FIRST(k, m->n, span_eq(m->v[k].name, name));

	if (n == 0 || i == MODELS_MAX)
		return;
	if (i == m->n)
		m->v[m->n++] = (struct model){ name, 0 };
	m->v[i].n += n;
}

static bool is_one_model(const struct meta *m)
{
	for (size_t i = 1; i < m->ngpu; i++)
		if (m->gpu[i].name != m->gpu[0].name)
			return false;
	return true;
}

/* Devices with work, by model.  ROCm numbers those with work in another way than those listed, so
 * of one model their number counts (as in the header of `top`). */
static void count_run(struct models *m, const struct run *r, struct arena *mem)
{
	struct devices with_work;

	if (!(r->built & NEED_ORDER))
		return;
	devices_init(&with_work, r, mem);
	if (r->meta.ngpu > 0 && is_one_model(&r->meta)) {
		count_model(m, strings_get(&r->strings, r->meta.gpu[0].name), with_work.n);
		return;
	}
	for (EACH(const struct gpu, gpu, r->meta.gpu, r->meta.ngpu))
		count_model(m, strings_get(&r->strings, gpu->name),
			devices_find(&with_work, gpu->id) != SIZE_MAX);
}

/* The maker's name says nothing that the model's does not. */
static struct span short_model(struct span name)
{
	static const char *const makers[] = { "NVIDIA ", "AMD ", "Tesla ", "Instinct " };

	for (size_t i = 0; i < COUNT_OF(makers); i++) {
		size_t n = strlen(makers[i]);

		if (name.n > n && memcmp(name.p, makers[i], n) == 0) {
			name.p += n;
			name.n -= n;
		}
	}
	return name;
}

static void put_models(struct str *b, const struct models *m)
{
	for (size_t i = 0; i < m->n; i++) {
		struct span name = short_model(m->v[i].name);

		if (name.n == 0)
			name = SPAN("GPU");
		str_addf(b, "%s%.*s x%zu", i ? " + " : "", (int)name.n, name.p, m->v[i].n);
	}
}

/* One path is one job, whose devices add up; of several each has its own. */
static const char *devices_of(struct inquiry *g)
{
	struct str first = { 0 }, next = { 0 };
	struct models m = { .n = 0 };
	bool is_same = true;

	for (size_t i = 0; i < g->inputs.n; i++) {
		count_run(&m, g->inputs.run[i], &g->mem);
		if (g->npath == 1)
			continue;
		str_reset(&next);
		put_models(&next, &m);
		m.n = 0;
		if (i == 0)
			str_add(&first, next.n ? next.s : "", next.n);
		else
			is_same &= next.n == first.n &&
				(next.n == 0 || memcmp(next.s, first.s, next.n) == 0);
	}
	str_free(&next);
	if (g->npath == 1)
		put_models(&first, &m);
	else if (!is_same)
		str_reset(&first);
	else if (first.n && g->inputs.n > 1)
		str_adds(&first, " each");
	return kept(g, &first);
}

/* ---- steps ---- */

/* Steps that are looked at; 0 where the run has no marks of any. */
static size_t count_steps(const struct filter_set *set, const struct run *r, struct arena *mem)
{
	struct filter_view view;
	struct err e;

	err_clear(&e);
	if (!r->has_trace || !(r->built & NEED_STEPS) || !r->steps ||
		r->steps->source == STEPS_WHOLE)
		return 0;
	if (filter_view_init(&view, set, r, mem, &e) != OK)
		return 0;
	return view.step ? view.nstep : r->steps->n;
}

static const char *steps_of(struct inquiry *g)
{
	size_t least = SIZE_MAX, most = 0;
	struct filter_set set;
	struct str b = { 0 };
	struct err e;

	err_clear(&e);
	if (filter_parse(&set, &g->filter, &e) == OK) {
		for (size_t i = 0; i < g->inputs.n; i++) {
			size_t n = count_steps(&set, g->inputs.run[i], &g->mem);

			least = n && n < least ? n : least;
			most = MAX(n, most);
		}
	}
	filter_free(&set);
	if (most && least < most)
		str_addf(&b, "%zu to %zu steps", least, most);
	else if (most)
		str_addf(&b, "%zu step%s", most, plural_s(most));
	return kept(g, &b);
}

/* ---- the day ---- */

/* The day on which so many ns since 1970 are; INT64_MAX: none is known. */
static const char *day_of(struct inquiry *g, nsec first)
{
	struct str b = { 0 };

	if (first > 0)
		unit_put_day(&b, first / NS_IN_S);
	return kept(g, &b);
}

/* Of traces, else of what logs and samples say. */
static const char *date_of(struct inquiry *g)
{
	nsec first[2] = { 0, 0 };

	for (size_t i = 0; i < g->inputs.n; i++) {
		const struct run *r = g->inputs.run[i];
		nsec at = sampleclock_recorded(r), *of = &first[r->has_trace];

		*of = at > 0 && (*of == 0 || at < *of) ? at : *of;
	}
	return day_of(g, first[1] ? first[1] : first[0]);
}

/* ---- where the paths are sides of a comparison, and no runs are at hand ---- */

/* Of each side, or of the ranks of a job, the devices of its first run, the steps that count, and
 * the day. */
static void about_sides(struct inquiry *g, struct answers_about *about)
{
	const struct sides *sides = g->sides.nside ? &g->sides : &g->job;
	struct str device = { 0 }, steps = { 0 };
	nsec first = 0;

	for (EACH(const struct side, s, sides->side, sides->nside)) {
		struct models m = { .n = 0 };
		size_t n = 0;

		for (size_t k = 0; s->nrun && k < s->run[0].nrank; k++) {
			const struct digest *d = s->run[0].part[k].digest;

			count_model(&m,
				FIND_VALUE(i, d->env.n, strcmp(d->env.v[i].key, "gpu") == 0,
					d->env.v[i].value, SPAN("")),
				d->ndevice);
			n = d->has_steps && d->nstep > n ? d->nstep : n;
			nsec at = digest_recorded(d);
			if (sides->nside == 1 && at > 0 && (first == 0 || at < first))
				first = at;
		}
		str_adds(&device, m.n && device.n ? " against " : "");
		put_models(&device, &m);
		if (n)
			str_addf(&steps, "%s%zu", steps.n ? " against " : "", n);
	}
	if (steps.n)
		str_adds(&steps, " steps");
	about->date = day_of(g, first);
	about->device = kept(g, &device);
	about->steps = kept(g, &steps);
}

/* "H100 x64, 64 of 1,024 traces": more than are looked at. */
static const char *with_left(struct inquiry *g, const char *device, size_t left)
{
	struct str b = { 0 };

	if (left == 0)
		return device;
	str_addf(&b, "%s%s%zu of %zu traces", device ? device : "", device ? ", " : "", g->inputs.n,
		g->inputs.n + left);
	return kept(g, &b);
}

struct answers_about inquiry_about(struct inquiry *g)
{
	struct answers_about about = { .input = inputs_of(g) };

	if (g->inputs.n == 0) {
		about_sides(g, &about);
		return about;
	}
	const struct input_list *l = &g->inputs.all;
	about.nleft = SUM(size_t, i, l->n,
		l->input[i].kind == INPUT_LEFT && l->input[i].err &&
			l->input[i].err->status == E_LIMIT);
	about.slow = about.nleft > 0 ? g->first : NULL;
	about.nslow = g->nslow;
	about.device = with_left(g, devices_of(g), about.nleft);
	about.steps = steps_of(g);
	about.date = date_of(g);
	return about;
}
