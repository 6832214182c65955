/* Filters: option texts to sets, and sets to answers about rows. */
#include "analyze/trace/filter.h"

#include "analyze/trace/cutnote.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/producers.h"
#include "analyze/trace/regex.h"
#include "analyze/trace/run_steps.h"

enum { NAME_UNKNOWN, NAME_NO, NAME_YES };

/* Reads digits at *p; false when there are none or too many. */
static bool read_number(const char **p, int64_t *v)
{
	const char *s = *p;

	for (*v = 0; *s >= '0' && *s <= '9'; s++)
		if (mul_overflows(*v, 10, v) || add_overflows(*v, *s - '0', v))
			return false;
	if (s == *p)
		return false;
	*p = s;
	return true;
}

/* One element: "7", "7-9", "7-" or "-9". */
static bool read_range(const char **p, struct filter_range *r)
{
	bool has_lo = read_number(p, &r->lo);

	if (!has_lo) {
		if (**p != '-')
			return false;
		r->lo = 0;
	}
	r->hi = r->lo;
	if (**p != '-')
		return true;
	++*p;
	if (**p >= '0' && **p <= '9')
		return read_number(p, &r->hi) && r->hi >= r->lo;
	r->hi = INT64_MAX;
	return has_lo;
}

static enum status parse_ranges(
	struct filter_ranges *out, const char *option, const char *text, struct err *e)
{
	const char *p = text;
	size_t cap = 0;

	if (!text)
		return OK;
	for (;;) {
		out->v = array_grow(out->v, &cap, out->n + 1, sizeof(*out->v));
		if (!read_range(&p, &out->v[out->n]) || (*p != ',' && *p != '\0')) {
			err_set(e, E_USAGE, -1, "%s '%s': not a list of numbers at character %td",
				option, text, p - text);
			return err_hint(e, "such as 5, 5-9, 5,7,9- or -9");
		}
		out->n++;
		if (*p++ == '\0')
			return OK;
	}
}

/* The kinds a word of --cat stands for: a kind's own word or a category as traces spell it. */
static unsigned kinds_of_word(struct span word)
{
	for (int i = 0; i < KIND_COUNT; i++)
		if (span_is_nocase(word, kind_word((enum kind)i)))
			return KIND_BIT(i);
	if (span_is_nocase(word, "device") || span_is_nocase(word, "gpu"))
		return KINDS_DEVICE;
	enum kind k = kind_of_cat(word);
	return k == KIND_OTHER ? 0 : KIND_BIT(k);
}

static enum status parse_kinds(unsigned *kinds, const char *text, struct err *e)
{
	const char *p = text;

	*kinds = KINDS_ALL;
	if (!text)
		return OK;
	*kinds = 0;
	for (;;) {
		size_t n = strcspn(p, ",");
		unsigned k = kinds_of_word((struct span){ p, n });

		if (!k) {
			err_set(e, E_USAGE, -1, "--cat '%s': no category '%.*s'", text, (int)n, p);
			return err_hint(e,
				"kernel, memcpy, memset, cpu_op, user_annotation, runtime, "
				"other, or a category as the trace spells it");
		}
		*kinds |= k;
		p += n;
		if (*p++ == '\0')
			return OK;
	}
}

enum status filter_parse(struct filter_set *s, const struct filter *f, struct err *e)
{
	*s = (struct filter_set){ .text = f, .kinds = KINDS_ALL };
	if (f->match)
		TRY(regex_new(&s->match, f->match, "-f", e));
	if (f->exclude)
		TRY(regex_new(&s->exclude, f->exclude, "-v", e));
	TRY(parse_ranges(&s->steps, "--steps", f->steps, e));
	TRY(parse_ranges(&s->device, "--device", f->device, e));
	TRY(parse_ranges(&s->stream, "--stream", f->stream, e));
	TRY(parse_ranges(&s->rank, "--rank", f->rank, e));
	return parse_kinds(&s->kinds, f->cat, e);
}

const char *filter_needs_events(const struct filter *f)
{
	const struct {
		const char *value, *option;
	} all[] = {
		{ f->match, "--filter" },
		{ f->exclude, "--exclude" },
		{ f->steps, "--steps" },
		{ f->device, "--device" },
		{ f->stream, "--stream" },
		{ f->cat, "--cat" },
		{ f->comm, "--comm" },
	};

	return FIND_VALUE(i, COUNT_OF(all), all[i].value, all[i].option, NULL);
}

void filter_free(struct filter_set *s)
{
	regex_free(s->match);
	regex_free(s->exclude);
	FREE_ALL(s->steps.v, s->device.v, s->stream.v, s->rank.v);
	*s = (struct filter_set){ 0 };
}

bool filter_takes_run(const struct filter_set *s, const struct run *r)
{
	return filter_in(&s->rank, r->meta.rank);
}

/* ---- what a filter could have taken: said when it takes nothing ---- */

/* Numbers named in a hint; more are "...". */
enum { NAMED_MAX = 24 };

/* Kinds that run.kind_count does not count. */
static const unsigned uncounted = KIND_BIT(KIND_MEMORY) | KIND_BIT(KIND_INSTANT) |
	KIND_BIT(KIND_COUNTER) | KIND_BIT(KIND_FLOW) | KIND_BIT(KIND_ASYNC) | KIND_BIT(KIND_SPAN);

ORDER(by_number, int64_t, compare3(*a, *b))

/* "the trace has devices 0, 1": each number once. */
static void hint_numbers(struct err *e, const char *what, int64_t *v, size_t n)
{
	SCOPED_STR text = { 0 };
	size_t named = 0;

	qsort(v, n, sizeof(*v), by_number);
	for (size_t i = 0; i < n && named <= NAMED_MAX; i++) {
		if (v[i] < 0 || (i > 0 && v[i] == v[i - 1]))
			continue; /* what is on no stream cannot be asked for */
		if (named == NAMED_MAX)
			str_adds(&text, ", ...");
		else
			str_addf(&text, "%s%" PRId64, named ? ", " : "", v[i]);
		named++;
	}
	if (named)
		(void)err_hint(e, "the trace has %s%s %s", what, plural_s(named), text.s);
	else
		(void)err_hint(e, "this trace has no GPU events");
}

/* Memory has devices of its own, also where nothing else is recorded of them. */
static bool has_memory_on(const struct filter_ranges *device, const struct run *r)
{
	const int64_t *v = r->args.col[ARG_MEMORY_DEVICE].i64;

	for (size_t i = 0; v && i < r->events.n; i++) {
		uint32_t args = r->events.args[i];

		if (r->events.kind[i] == KIND_MEMORY && args != NO_ARGS &&
			v[args - 1] != ARG_UNKNOWN && filter_in(device, v[args - 1]))
			return true;
	}
	return false;
}

/* --device, and --stream on what it takes. */
static enum status miss_lanes(
	const struct filter_set *s, const struct run *r, struct arena *mem, struct err *e)
{
	int64_t *device = arena_array(mem, r->lanes.n, sizeof(*device));
	int64_t *stream = arena_array(mem, r->lanes.n, sizeof(*stream));
	size_t ndevice = 0, nstream = 0;
	bool has_device = false, has_stream = false;

	for (EACH(const struct lane, l, r->lanes.lane, r->lanes.n)) {
		if (!l->is_device)
			continue;
		device[ndevice++] = l->device;
		if (!filter_in(&s->device, l->device))
			continue;
		has_device = true;
		stream[nstream++] = l->stream;
		has_stream |= filter_in(&s->stream, l->stream);
	}
	if (!has_device && s->device.n && !has_memory_on(&s->device, r)) {
		(void)err_set(e, E_NODATA, -1, "--device '%s' matches no GPU", s->text->device);
		hint_numbers(e, "device", device, ndevice);
		return E_NODATA;
	}
	if (!has_stream && s->stream.n) {
		(void)err_set(e, E_NODATA, -1, "--stream '%s' matches no stream", s->text->stream);
		hint_numbers(e, "stream", stream, nstream);
		return E_NODATA;
	}
	return OK;
}

static enum status miss_kinds(const struct filter_set *s, const struct run *r, struct err *e)
{
	SCOPED_STR text = { 0 };

	if (s->kinds & uncounted)
		return OK;
	for (int i = 0; i < KIND_COUNT; i++) {
		if (!r->kind_count[i])
			continue;
		if (s->kinds >> i & 1)
			return OK;
		str_addf(&text, "%s%s", text.n ? ", " : "", kind_word((enum kind)i));
	}
	(void)err_set(e, E_NODATA, -1, "--cat '%s' matches no event", s->text->cat);
	if (text.n)
		(void)err_hint(e, "the trace has %s", text.s);
	return E_NODATA;
}

/* ---- what it takes of a run ---- */

static enum status init_steps(struct filter_view *v, struct arena *mem, struct err *e)
{
	const struct steps *steps = v->run->steps;

	v->nstep = steps ? steps->n : 0;
	if (v->set->steps.n == 0 && !(steps && v->run->cut && v->run->cut->steps))
		return OK;
	v->step = arena_array(mem, v->nstep, sizeof(*v->step));
	v->nstep = 0;
	for (size_t i = 0; steps && i < steps->n; i++) {
		v->step[i] = filter_in(&v->set->steps, steps->step[i].number);
		v->nstep += v->step[i];
	}
	if (v->nstep)
		return OK;
	err_set(e, E_NODATA, -1, "--steps '%s' matches no step", v->set->text->steps);
	if (!steps || steps->n == 0 || steps->source == STEPS_WHOLE)
		return err_hint(
			e, "this trace has no steps; %s", recording_word(v->run, RECORDING_STEPS));
	return err_hint(e, "the trace has steps %" PRId64 " to %" PRId64, steps->step[0].number,
		steps->step[steps->n - 1].number);
}

static void init_lanes(struct filter_view *v, struct arena *mem)
{
	const struct lanes *lanes = &v->run->lanes;

	if (v->set->device.n == 0 && v->set->stream.n == 0)
		return;
	v->lane = arena_array(mem, lanes->n, sizeof(*v->lane));
	for (size_t i = 0; i < lanes->n; i++) {
		const struct lane *l = &lanes->lane[i];

		v->lane[i] = l->is_device && filter_in(&v->set->device, l->device) &&
			filter_in(&v->set->stream, l->stream);
	}
}

enum status filter_view_init(struct filter_view *v, const struct filter_set *s, const struct run *r,
	struct arena *mem, struct err *e)
{
	*v = (struct filter_view){ .set = s, .run = r, .kinds = s->kinds, .err = e };
	if (s->match || s->exclude)
		v->name = arena_array(mem, r->strings.n, sizeof(*v->name));
	/* E_NODATA when --device, --stream or --cat names nothing there is in the run, with
	 * what there is. O(lanes); where nothing is, O(events). */
	if (s->device.n || s->stream.n)
		TRY(miss_lanes(s, r, mem, e));
	if (s->text->cat)
		TRY(miss_kinds(s, r, e));
	init_lanes(v, mem);
	return init_steps(v, mem, e);
}

enum status filter_takes_any(const struct filter *f, const struct run *r, struct err *e)
{
	struct filter_set set;
	struct filter_view view;
	SCOPED_ARENA mem = { 0 };
	enum status st = filter_parse(&set, f, e);

	if (st == OK && !filter_takes_run(&set, r))
		st = r->meta.rank < 0
			? err_set(e, E_NODATA, -1,
				  "it has no rank, so that --rank '%s' does "
				  "not match",
				  f->rank)
			: err_set(e, E_NODATA, -1, "it is of rank %" PRId64 ", not of --rank '%s'",
				  r->meta.rank, f->rank);
	THEN(st, filter_view_init(&view, &set, r, &mem, e));
	filter_free(&set);
	return st;
}

enum status filter_text(const struct filter_set *s, struct span name, bool *yes, struct err *e)
{
	bool is_match = true, is_excluded = false;

	if (s->match)
		TRY(regex_match(s->match, name, &is_match, e));
	if (s->exclude && is_match)
		TRY(regex_match(s->exclude, name, &is_excluded, e));
	*yes = is_match && !is_excluded;
	return OK;
}

bool filter_match(struct filter_view *v, sym name)
{
	bool yes = false;

	if (v->name[name] != NAME_UNKNOWN)
		return v->name[name] == NAME_YES;
	if (v->status == OK)
		v->status = filter_text(v->set, strings_get(&v->run->strings, name), &yes, v->err);
	v->name[name] = yes ? NAME_YES : NAME_NO;
	return yes;
}

bool filter_host_step(struct filter_view *v, uint32_t row)
{
	v->at = steps_near(v->run->steps, v->run->events.start[row], v->at);
	return v->at != NO_ROW && v->step[v->at];
}

bool filter_device_step(const struct filter_view *v, uint32_t row)
{
	uint32_t step = step_of_row(v->run, row);

	return step != NO_ROW && v->step[step];
}
