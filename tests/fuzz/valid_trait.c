/* Traits of what is there and of what it is called; and the table of all. */
#include "tests/fuzz/valid_trait.h"

#include <string.h>

#include "base/compiler.h"
#include "base/saturate.h"
#include "tests/fuzz/valid_run.h"
#include "tests/fuzz/valid_trait_args.h"

/* Keeps the events of these categories. */
static void keep(struct valid_run *r, unsigned cats)
{
	size_t i, n = 0;

	for (i = 0; i < r->n; i++)
		if (VALID_BIT(r->ev[i].cat) & cats)
			r->ev[n++] = r->ev[i];
	r->n = n;
}

static unsigned many(unsigned how)
{
	static const unsigned counts[] = { 300, 1000, 3000, 10000 };

	return counts[how % COUNT_OF(counts)];
}

static void no_steps(struct valid_run *r, unsigned how)
{
	size_t i, n = 0;

	for (i = 0; i < r->n; i++)
		if (strncmp(r->ev[i].name, "ProfilerStep#", 13) != 0 ||
			(how % 2 && r->ev[i].cat == VALID_GPU_ANNOTATION))
			r->ev[n++] = r->ev[i];
	r->n = n;
}

static void only_device(struct valid_run *r, unsigned how)
{
	keep(r, how % 2 ? VALID_WORK : VALID_ON_DEVICE);
}

static void only_host(struct valid_run *r, unsigned how)
{
	keep(r, ~(VALID_ON_DEVICE | (how % 2 ? VALID_BIT(VALID_RUNTIME) : 0)));
}

static void only_counters(struct valid_run *r, unsigned how)
{
	keep(r, VALID_BIT(VALID_COUNTER) | (how % 2 ? VALID_BIT(VALID_MEMORY) : 0));
}

static void only_flows(struct valid_run *r, unsigned how)
{
	keep(r, VALID_BIT(VALID_FLOW) | (how % 2 ? VALID_BIT(VALID_RUNTIME) : 0));
}

static void only_one_kind(struct valid_run *r, unsigned how)
{
	keep(r, VALID_BIT(how % VALID_CATS_COUNT));
}

static void without_one_kind(struct valid_run *r, unsigned how)
{
	keep(r, ~VALID_BIT(how % VALID_CATS_COUNT));
}

static void one_event(struct valid_run *r, unsigned how)
{
	if (r->n) {
		r->ev[0] = r->ev[how % r->n];
		r->n = 1;
	}
}

static void no_events(struct valid_run *r, unsigned how)
{
	(void)how;
	r->n = 0;
}

static void add_copy(struct valid_run *r, const struct valid_event *e)
{
	*valid_run_add(r, e->ph, (enum valid_cat)e->cat, e->name, e->pid, e->tid, e->ts, e->dur) =
		*e;
}

static void many_lanes(struct valid_run *r, unsigned how)
{
	unsigned n = r->n ? many(how) : 0, i;

	for (i = 0; i < n; i++) {
		struct valid_event e = r->ev[i % r->n];

		e.tid = 100000 + (int64_t)i;
		if (how & 4)
			e.pid = (int64_t)i;
		add_copy(r, &e);
	}
}

static void many_names(struct valid_run *r, unsigned how)
{
	unsigned n = r->n ? many(how % 3) : 0, i;

	for (i = 0; i < n; i++) {
		struct valid_event e = r->ev[i % r->n];

		e.name = arena_printf(r->mem, "%.60s_%u", e.name, i);
		saturate_onto(&e.ts, e.dur / 2);
		add_copy(r, &e);
	}
}

static void empty_names(struct valid_run *r, unsigned how)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (valid_trait_hits(i, how))
			r->ev[i].name = "";
}

static void long_names(struct valid_run *r, unsigned how)
{
	static const char *const part[] = { "a", "std::vector<", "void f(", "\xe2\x82\xac",
		"::", "x y " };
	struct str text = { 0 };
	const char *name;
	size_t i, n = how % 2 ? 20000 : 300;

	while (text.n < n)
		str_adds(&text, part[how / 8 % COUNT_OF(part)]);
	name = arena_copy(r->mem, text.s, text.n);
	str_free(&text);
	for (i = 0; i < r->n; i++)
		if (valid_trait_hits(i, how % 2 ? 3 : how / 2))
			r->ev[i].name = name;
}

static void strange_names(struct valid_run *r, unsigned how)
{
	static const char *const names[] = { "\x1b[31mred", "a\nb", "<script>", "\xe2\x80\xaezzz",
		"\xf0\x9f\x98\x80", "|", "\"", "\\", "a,b;c", "%s%n", " ", "ProfilerStep#",
		"ncclKernel", "Memcpy", "[memory]", "../../x" };
	size_t i;

	for (i = 0; i < r->n; i++)
		if (valid_trait_hits(i, how))
			r->ev[i].name = names[(how / 4 + i) % COUNT_OF(names)];
}

static void one_name(struct valid_run *r, unsigned how)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (how % 2 == 0 || VALID_BIT(r->ev[i].cat) & VALID_WORK)
			r->ev[i].name = r->ev[0].name;
}

static void unknown_kinds(struct valid_run *r, unsigned how)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (valid_trait_hits(i, how))
			r->ev[i].cat = VALID_STRANGE;
}

static void unknown_phases(struct valid_run *r, unsigned how)
{
	static const char ph[] = "BEbneNODPRcIiCMstf";
	size_t i;

	for (i = 0; i < r->n; i++)
		if (valid_trait_hits(i, how))
			r->ev[i].ph = ph[(how / 4 + (how & 128 ? i : 0)) % (sizeof(ph) - 1)];
}

/* Calls in calls. */
static void deep(struct valid_run *r, unsigned how)
{
	struct valid_event e;
	unsigned i, n = many(how) / 5;

	if (!r->n)
		return;
	e = r->ev[0];
	for (i = 0; i < n; i++)
		valid_run_add(r, 'X', how & 4 ? VALID_PYTHON : VALID_OP,
			how & 8 ? "aten::add" : e.name, e.pid, e.tid, saturate_add(e.ts, i),
			saturate_add(e.dur, 1000 - 2 * (int64_t)i))
			->ext = 500000 + (int64_t)i;
}

static void doubled(struct valid_run *r, unsigned how)
{
	size_t i, n = r->n;

	for (i = 0; i < n; i++) {
		struct valid_event e = r->ev[i];

		if (valid_trait_hits(i, how))
			add_copy(r, &e);
	}
}

static void cut_short(struct valid_run *r, unsigned how)
{
	r->n = r->n * (how % 16) / 16;
}

static void cut_ahead(struct valid_run *r, unsigned how)
{
	size_t by = r->n * (how % 16) / 16;

	if (by)
		memmove(r->ev, r->ev + by, (r->n - by) * sizeof(*r->ev));
	r->n -= by;
}

#define T(name)             \
	{                   \
#name, name \
	}

const struct valid_trait valid_traits[] = {
#define X(name) { #name, valid_trait_##name },
	VALID_TIME_TRAITS(X) VALID_ARGS_TRAITS(X)
#undef X
		T(no_steps),
	T(only_device),
	T(only_host),
	T(only_counters),
	T(only_flows),
	T(only_one_kind),
	T(without_one_kind),
	T(one_event),
	T(no_events),
	T(many_lanes),
	T(many_names),
	T(empty_names),
	T(long_names),
	T(strange_names),
	T(one_name),
	T(unknown_kinds),
	T(unknown_phases),
	T(deep),
	T(doubled),
	T(cut_short),
	T(cut_ahead),
};

const size_t valid_trait_count = COUNT_OF(valid_traits);
