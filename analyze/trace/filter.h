/* Filters: what of a run an analysis looks at.
 *
 * A filter is parsed once (struct filter_set) and laid over each run (struct filter_view).  Names
 * are matched once per distinct name, never per event. */
#pragma once

#include "analyze/trace/run.h"
#include "base/base.h"

struct regex;

/* What to look at; the common options of all analyses.  NULL / 0 entries = everything. */
struct filter {
	const char *match;   /* -f: PCRE2, on names */
	const char *exclude; /* -v */
	const char *steps;   /* "5-9", "5,7,9-", by step number */
	const char *device;  /* "0,2" */
	const char *stream;  /* "7,20" */
	const char *rank;    /* "0-3": runs of other ranks are left out */
	bool is_part;        /* traces of other ranks are there, and left out for want of room */
	const char *cat;     /* "kernel,gpu_memcpy": kinds or raw categories */
	const char *comm; /* PCRE2: kernels so called are collectives, too; runs are loaded with it
	                   */
};

/* The filters above, for saying which of them an analysis cannot take. */
enum filter_bit {
	FILTER_MATCH = 1 << 0,
	FILTER_EXCLUDE = 1 << 1,
	FILTER_STEPS = 1 << 2,
	FILTER_DEVICE = 1 << 3,
	FILTER_STREAM = 1 << 4,
	FILTER_RANK = 1 << 5,
	FILTER_CAT = 1 << 6,
	FILTER_COMM = 1 << 7
};
enum { FILTER_COUNT = 8, FILTER_ALL = (1 << FILTER_COUNT) - 1 };

/* Numbers lo..hi, both included. */
struct filter_range {
	int64_t lo, hi;
};

/* A list such as "5-9,11,13-"; n is 0 when nothing was asked for, and then takes everything. */
struct filter_ranges {
	struct filter_range *v;
	size_t n;
};

struct filter_set {
	const struct filter *text; /* borrowed */
	struct regex *match, *exclude;
	struct filter_ranges steps, device, stream, rank;
	unsigned kinds; /* KIND_BIT set */
};

/* Parses the texts of f, which must live as long as s.  E_USAGE for a bad regex, list or category.
 * filter_free releases, also after a failure. */
enum status filter_parse(struct filter_set *s, const struct filter *f, struct err *e) MUST_CHECK;
void filter_free(struct filter_set *s);

/* "--steps": the first of the filters in f that chooses among events; NULL: none does. */
const char *filter_needs_events(const struct filter *f);

/* True when v is in the list, or the list is empty. */
static inline bool filter_in(const struct filter_ranges *r, int64_t v)
{
	return ANY(i, r->n, v >= r->v[i].lo && v <= r->v[i].hi) || r->n == 0;
}

/* True when --rank wants that run; without --rank, always. */
bool filter_takes_run(const struct filter_set *s, const struct run *r);

/* Whether a name passes -f and -v; *yes is set unless the match failed. */
enum status filter_text(
	const struct filter_set *s, struct span name, bool *yes, struct err *e) MUST_CHECK;

/* A filter on one run. */
struct filter_view {
	const struct filter_set *set;
	const struct run *run;
	unsigned kinds;
	uint8_t *name;      /* by sym: 0 not asked yet, 1 no, 2 yes; NULL: all names */
	bool *lane;         /* by lane, device lanes only; NULL: all */
	bool *step;         /* by step; NULL: all, also what is outside of steps */
	size_t nstep;       /* steps that are taken; 0 when the run's steps are not built */
	uint32_t at;        /* the step of the last host row asked for */
	enum status status; /* of matching names; *err tells */
	struct err *err;
};

/* Lays s over r; both must outlive v.  Memory is the arena's.  Needs steps where --steps is given.
 * E_NODATA with what there is when --steps, --device, --stream or --cat names nothing in r. */
enum status filter_view_init(struct filter_view *v, const struct filter_set *s, const struct run *r,
	struct arena *mem, struct err *e) MUST_CHECK;

/* Whether f takes anything of a trace with steps.  E_USAGE for a malformed filter; E_NODATA with
 * what there is when the run is of another rank, or has none of the steps, devices, streams or
 * kinds. */
enum status filter_takes_any(const struct filter *f, const struct run *r, struct err *e) MUST_CHECK;

/* The rest of the three below, where names or steps are chosen. */
bool filter_match(struct filter_view *v, sym name);
bool filter_host_step(struct filter_view *v, uint32_t row);
bool filter_device_step(const struct filter_view *v, uint32_t row);

/* Whether a name passes -f and -v.  After a failed match: false, and v->status says so.  Inline, as
 * the two below: they are asked for every row, and mostly nothing is filtered. */
static inline bool filter_name(struct filter_view *v, sym name)
{
	return LIKELY(!v->name) || filter_match(v, name);
}

/* Whether an event of the host passes --cat and --steps (by its start); names are not looked at. */
static inline bool filter_host(struct filter_view *v, uint32_t row)
{
	if (!(KIND_BIT(v->run->events.kind[row]) & v->kinds))
		return false;
	return LIKELY(!v->step) || filter_host_step(v, row);
}

/* Whether a device event passes --cat, --device, --stream and --steps (by its launch). */
static inline bool filter_device(const struct filter_view *v, uint32_t row)
{
	const struct events *ev = &v->run->events;

	if (!(KIND_BIT(ev->kind[row]) & v->kinds) || (v->lane && !v->lane[ev->lane[row]]))
		return false;
	return LIKELY(!v->step) || filter_device_step(v, row);
}
