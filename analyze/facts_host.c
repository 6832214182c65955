/*
 * Facts about the host: self times, launching calls, allocating calls, long ops, the data loader.
 */
#include <string.h>

#include "analyze/devtime.h"
#include "analyze/facts.h"
#include "analyze/interval.h"
#include "analyze/optree.h"
#include "analyze/phase.h"
#include "analyze/saturate.h"
#include "analyze/store/run.h"
#include "base/compiler.h"

/* What a name of a host row says. */
enum name_class { NAME_NOT_ASKED, NAME_NOTHING, NAME_LAUNCH, NAME_MALLOC, NAME_LOADER, NAME_STEP };

/* Bits of optree_node.tag, which calls below inherit. */
enum { IN_LOADER = 1, IN_STEPS = 2 };
/* Bit of optree_node.mark: a call below is a long op. */
enum { HAS_LONG = 1 };

struct host_walk {
	struct facts *f;
	uint32_t main_lane; /* or NO_ROW: any */
	struct phases phases;
	uint8_t *of_name;          /* by sym: enum name_class */
	struct facts_sum *long_by; /* by sym */
	struct intervals loader;
};

static enum name_class classify(struct host_walk *w, sym name, enum kind kind)
{
	static const char *const mallocs[] = { "cudaMalloc", "cudaFree", "hipMalloc", "hipFree",
		"cuMemAlloc", "cuMemFree", "cuMemCreate", "cuMemRelease", "cudaHostAlloc",
		"hipHostMalloc" };
	struct span text = strings_get(&w->f->run->strings, name);
	size_t i;

	if (phases_of(&w->phases, name, KIND_ANNOTATION, PHASE_OTHER) == PHASE_DATA)
		return NAME_LOADER;
	if (span_starts(text, "ProfilerStep"))
		return NAME_STEP;
	if (kind != KIND_RUNTIME)
		return NAME_NOTHING;
	for (i = 0; i < COUNT_OF(mallocs); i++)
		if (span_starts(text, mallocs[i]))
			return NAME_MALLOC;
	if (span_has(text, "Launch") && !span_has(text, "HostFunc") && !span_has(text, "Attribute"))
		return NAME_LAUNCH;
	return NAME_NOTHING;
}

static enum name_class class_of(struct host_walk *w, uint32_t row)
{
	const struct events *ev = &w->f->run->events;
	uint8_t *of = &w->of_name[ev->name[row]];

	if (*of == NAME_NOT_ASKED)
		*of = (uint8_t)classify(w, ev->name[row], (enum kind)ev->kind[row]);
	return (enum name_class) * of;
}

static void enter_loader(struct host_walk *w, struct optree_node *node)
{
	const struct run *r = w->f->run;

	w->f->host.has_loader = true;
	if (node->tag & IN_LOADER)
		return;
	node->tag |= IN_LOADER;
	if (!(node->tag & IN_STEPS) ||
		(w->main_lane != NO_ROW && r->events.lane[node->row] != w->main_lane))
		return;
	facts_add(&w->f->host.loader, r, node->row);
	intervals_add(&w->loader, r->events.start[node->row], node->end);
}

static void enter(void *ctx, struct optree_node *path, size_t depth)
{
	struct host_walk *w = ctx;
	struct optree_node *node = &path[depth];
	struct facts_host *h = &w->f->host;

	node->tag = depth > 0 ? path[depth - 1].tag & IN_LOADER : 0;
	if (filter_host(&w->f->view, node->row))
		node->tag |= IN_STEPS;
	switch (class_of(w, node->row)) {
	case NAME_LOADER: enter_loader(w, node); break;
	case NAME_LAUNCH:
		if (node->tag & IN_STEPS)
			facts_add(&h->launches, w->f->run, node->row);
		break;
	case NAME_MALLOC:
		if (node->tag & IN_STEPS)
			facts_add(&h->mallocs, w->f->run, node->row);
		break;
	default: break;
	}
}

/* An op of some length without another such op inside; the loader and steps are no ops. */
static void leave_long(struct host_walk *w, struct optree_node *path, size_t depth)
{
	const struct optree_node *node = &path[depth];
	const struct run *r = w->f->run;
	enum name_class c = class_of(w, node->row);

	if (depth > 0)
		path[depth - 1].mark |= HAS_LONG;
	if ((node->mark & HAS_LONG) || (node->tag & IN_LOADER) || c == NAME_STEP)
		return;
	facts_add(&w->f->host.long_ops, r, node->row);
	facts_add(&w->long_by[node->name], r, node->row);
}

static void leave(void *ctx, struct optree_node *path, size_t depth, const struct optree_node *dup)
{
	struct host_walk *w = ctx;
	struct optree_node *node = &path[depth];
	struct facts_host *h = &w->f->host;
	const struct events *ev = &w->f->run->events;

	if (depth > 0)
		path[depth - 1].mark |= node->mark & HAS_LONG;
	if (!(node->tag & IN_STEPS))
		return;
	h->cpu_total = saturate_add(h->cpu_total, node->dur);
	h->cpu_self = saturate_add(h->cpu_self, saturate_sub(node->dur, node->child_ns));
	h->device_total = saturate_add(h->device_total, node->device_ns);
	if (dup) { /* torch has one row for both */
		h->cpu_total = saturate_sub(h->cpu_total, dup->dur);
		h->device_total = saturate_sub(h->device_total, dup->device_ns);
	}
	if (ev->kind[node->row] == KIND_OP && node->dur >= w->f->limits.long_op)
		leave_long(w, path, depth);
}

/* The loader's time less what the device was busy in it. */
static void expose_loader(struct host_walk *w)
{
	struct facts *f = w->f;
	struct intervals busy = { 0 }, exposed = { 0 };

	intervals_unite(&w->loader);
	f->host.loader.ns = intervals_length(&w->loader);
	f->host.loader_exposed = f->host.loader.ns;
	if (!f->has_device || w->loader.n == 0)
		return;
	intervals_of_device(&busy, f->run, f->ledgers.device[f->main].id, KINDS_DEVICE, NULL);
	intervals_subtract(&exposed, &w->loader, &busy);
	f->host.loader_exposed = intervals_length(&exposed);
	intervals_clear(&busy);
	intervals_clear(&exposed);
}

static void find_long_op(struct host_walk *w)
{
	struct facts_name *best = &w->f->host.long_op;
	size_t i;

	for (i = 0; i < w->f->run->strings.n; i++)
		if (w->long_by[i].ns > best->sum.ns)
			*best = (struct facts_name){ (sym)i, w->long_by[i] };
}

void facts_of_host(struct facts *f, uint32_t main_lane)
{
	const struct run *r = f->run;
	struct host_walk w = { .f = f, .main_lane = main_lane };
	const struct optree_visitor v = { .ctx = &w, .enter = enter, .leave = leave };
	struct devtime dev;

	phases_init(&w.phases, r, f->mem);
	w.of_name = arena_array(f->mem, r->strings.n, sizeof(*w.of_name));
	w.long_by = arena_array(f->mem, r->strings.n, sizeof(*w.long_by));
	devtime_init(&dev, r, &f->view);
	optree_walk(r, optree_kinds(r), &dev, &v);
	devtime_clear(&dev);
	expose_loader(&w);
	find_long_op(&w);
	intervals_clear(&w.loader);
}
