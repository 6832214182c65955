/*
 * What a filter could have taken: said when it takes nothing.
 */
#include "analyze/trace/filter.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analyze/trace/columns/args.h"
#include "analyze/trace/columns/kinds.h"
#include "analyze/trace/run.h"
#include "base/compare3.h"
#include "base/plural.h"
#include "base/str.h"

/* Numbers named in a hint; more are "...". */
enum { NAMED_MAX = 24 };

/* Kinds that run.kind_count does not count. */
static const unsigned uncounted = KIND_BIT(KIND_MEMORY) | KIND_BIT(KIND_INSTANT) |
	KIND_BIT(KIND_COUNTER) | KIND_BIT(KIND_FLOW) | KIND_BIT(KIND_ASYNC) | KIND_BIT(KIND_SPAN);

static int by_number(const void *pa, const void *pb)
{
	int64_t a = *(const int64_t *)pa, b = *(const int64_t *)pb;

	return compare3(a, b);
}

/* "the trace has devices 0, 1": each number once. */
static void hint_numbers(struct err *e, const char *what, int64_t *v, size_t n)
{
	struct str text = { 0 };
	size_t i, named = 0;

	qsort(v, n, sizeof(*v), by_number);
	for (i = 0; i < n && named <= NAMED_MAX; i++) {
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
		(void)err_hint(e, "this trace has no device events");
	str_free(&text);
}

/* Memory has devices of its own, also where nothing else is recorded of them. */
static bool has_memory_on(const struct filter_ranges *device, const struct run *r)
{
	const int64_t *v = r->args.col[ARG_MEMORY_DEVICE].i64;
	size_t i;

	for (i = 0; v && i < r->events.n; i++) {
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
	size_t i, ndevice = 0, nstream = 0;
	bool has_device = false, has_stream = false;

	for (i = 0; i < r->lanes.n; i++) {
		const struct lane *l = &r->lanes.lane[i];

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
		(void)err_set(e, E_NODATA, -1, "no device is in --device '%s'", s->text->device);
		hint_numbers(e, "device", device, ndevice);
		return E_NODATA;
	}
	if (!has_stream && s->stream.n) {
		(void)err_set(e, E_NODATA, -1, "no stream is in --stream '%s'", s->text->stream);
		hint_numbers(e, "stream", stream, nstream);
		return E_NODATA;
	}
	return OK;
}

static enum status miss_kinds(const struct filter_set *s, const struct run *r, struct err *e)
{
	struct str text = { 0 };
	int i;

	if (s->kinds & uncounted)
		return OK;
	for (i = 0; i < KIND_COUNT; i++) {
		if (!r->kind_count[i])
			continue;
		if (s->kinds >> i & 1) {
			str_free(&text);
			return OK;
		}
		str_addf(&text, "%s%s", text.n ? ", " : "", kind_word((enum kind)i));
	}
	(void)err_set(e, E_NODATA, -1, "no event is of --cat '%s'", s->text->cat);
	if (text.n)
		(void)err_hint(e, "the trace has %s", text.s);
	str_free(&text);
	return E_NODATA;
}

enum status filter_miss(
	const struct filter_set *s, const struct run *r, struct arena *mem, struct err *e)
{
	if (s->device.n || s->stream.n)
		TRY(miss_lanes(s, r, mem, e));
	return s->text->cat ? miss_kinds(s, r, e) : OK;
}
