/*
 * `stages`: the regions a user named, nested, with their time on CPU and devices.  Options, rows,
 * notes.
 */
#include "analyze/answer/stages/stages.h"

#include <stdlib.h>

#include "analyze/measure/saturate.h"
#include "analyze/query/shared.h"
#include "analyze/trace/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/steps.h"
#include "base/opt.h"

enum { PEOPLE_ROWS = 30, INDENT = 2, INDENT_MAX = 40 };

#define AT(field) offsetof(struct stages_options, field)
static const struct opt options[] = {
	{ "limit", 'n', OPT_INT, "N", "rows of each table; 0 = all [30; all for machines]",
		AT(limit), NULL, "row-limit" },
	{ "fold", 0, OPT_FLAG, NULL, "count ProfilerStep#5, #6, ... as one ProfilerStep* [yes]",
		AT(fold), NULL, NULL },
};
#undef AT

enum { HOST, GPU, MODULES, TABLES };

static const struct table_doc docs[TABLES] = {
	[HOST] = { "stages", "stages on the CPU", stages_host_columns, STAGE_COLUMNS },
	[GPU] = { "regions", "regions on devices", stages_gpu_columns, STAGE_COLUMNS },
	[MODULES] = { "modules", "modules", stages_module_columns, STAGE_COLUMNS },
};

static void set_defaults(void *opts)
{
	struct stages_options *o = opts;

	o->limit = -1;
	o->fold = true;
}

sym stages_name(struct stages *s, sym name)
{
	if (!s->o->fold || !span_starts(strings_get(&s->at->run->strings, name), "ProfilerStep#"))
		return name;
	if (!s->step)
		s->step = name;
	return s->step;
}

void stages_find_self(struct calltree *t)
{
	size_t i;

	for (i = 1; i < t->n; i++)
		t->v[i].self = saturate_add(t->v[i].self, t->v[i].total);
	for (i = 1; i < t->n; i++) {
		struct calltree_node *up = &t->v[t->v[i].parent];

		if (t->v[i].parent)
			up->self = saturate_sub(up->self, t->v[i].total);
	}
}

static struct span text_of(const struct stages *s, const struct stages_view *v, sym name)
{
	struct span text = strings_get(v->names, name);
	size_t n = v->prefix ? strlen(v->prefix) : 0;

	if (s->step && name == s->step && v->names == &s->at->run->strings)
		return SPAN("ProfilerStep*");
	if (n && span_starts(text, v->prefix))
		return (struct span){ text.p + n, text.n - n };
	return text;
}

static struct span path_of(
	const struct stages *s, const struct stages_view *v, uint32_t node, struct arena *mem)
{
	struct str b = { 0 };
	uint32_t *up = arena_array(&s->at->mem, v->tree->v[node].depth, sizeof(*up));
	size_t n = 0;
	char *p;

	for (; node; node = v->tree->v[node].parent)
		up[n++] = node;
	while (n-- > 0) {
		struct span name = text_of(s, v, v->tree->v[up[n]].name);

		str_adds(&b, b.n ? " / " : "");
		str_add(&b, name.p, name.n);
	}
	p = arena_copy(mem, b.n ? b.s : "", b.n);
	n = b.n;
	str_free(&b);
	return (struct span){ p, n };
}

static void put_name(
	const struct stages *s, struct table *t, const struct stages_view *v, uint32_t at)
{
	const struct calltree_node *node = &v->tree->v[at];
	struct span name = text_of(s, v, node->name);
	size_t indent = INDENT * ((size_t)node->depth - 1);

	indent = indent > INDENT_MAX ? INDENT_MAX : indent;
	if (s->at->q->for_people)
		table_textf(t, STAGE_NAME, "%*s%.*s", (int)indent, "", (int)name.n, name.p);
	else /* names of a hierarchy do not live as long as the result */
		table_text(t, STAGE_NAME,
			v->names == &s->at->run->strings
				? name
				: (struct span){ arena_copy(t->mem, name.p, name.n), name.n });
	table_text(t, STAGE_PATH, path_of(s, v, at, t->mem));
}

static void put_node(const struct stages *s, struct table *t, const struct stages_view *v,
	uint32_t at, nsec all, const struct stages_groups *groups)
{
	const struct calltree_node *node = &v->tree->v[at];
	const struct steps *steps = s->at->run->steps;

	table_row(t);
	put_name(s, t, v, at);
	table_int(t, STAGE_DEPTH, (int64_t)node->depth - 1);
	table_int(t, STAGE_TOTAL, node->total);
	table_int(t, STAGE_SELF, node->self);
	table_int(t, STAGE_CALLS, node->calls);
	if (all > 0)
		table_real(t, STAGE_SHARE, (double)node->total / (double)all);
	if (node->calls > 0)
		table_real(t, STAGE_MEAN, (double)node->total / (double)node->calls);
	if (node->min <= node->max) {
		table_int(t, STAGE_MIN, node->min);
		table_int(t, STAGE_MAX, node->max);
	}
	stages_put_quartiles(t, groups, at);
	if (node->row != NO_ROW)
		table_text(t, STAGE_KIND,
			span_of(kind_word((enum kind)s->at->run->events.kind[node->row])));
	if (steps && steps->source != STEPS_WHOLE && s->at->view.nstep > 0)
		table_real(t, STAGE_PER_STEP, (double)node->total / (double)s->at->view.nstep);
	if (v->has_cpu_self)
		table_int(t, STAGE_SELF_CPU, node->self_cpu);
	if (v->device >= 0)
		table_int(t, STAGE_DEVICE, v->device);
	else if (v->has_device)
		table_int(t, STAGE_DEVICE_SUM, node->device);
	if (v->has_device && (v->has_cpu_self || v->device >= 0))
		table_int(t, STAGE_DEVICE_BUSY, node->device_busy);
}

void stages_put_tree(struct stages *s, struct table *t, const struct stages_view *v)
{
	struct arena_mark mark = arena_mark(&s->at->mem);
	uint32_t *order = calltree_order(v->tree, v->names, &s->at->mem);
	size_t n = v->tree->n - 1, i;
	struct stages_groups groups;
	nsec all = 0;

	for (i = 1; i <= n; i++)
		if (v->tree->v[i].depth == 1)
			all = saturate_add(all, v->tree->v[i].total);
	stages_group(&groups, &s->calls, v->tree->n, &s->at->mem);
	for (i = 0; i < n && i < s->limit; i++)
		put_node(s, t, v, order[i], all, &groups);
	t->ncut += n - i;
	s->calls.n = 0;
	arena_reset(&s->at->mem, mark);
}

/* Each device that has work, and when it is busy. */
static void find_devices(struct stages *s)
{
	const struct run *r = s->at->run;
	size_t cap = 0, i;

	for (i = 0; i < r->order->ndevice_lane; i++) {
		int64_t id = r->lanes.lane[r->order->device_lane[i]].device;

		if ((s->ndevice && s->device[s->ndevice - 1].id == id) ||
			!filter_in(&s->at->view.set->device, id))
			continue;
		s->device = array_grow(s->device, &cap, s->ndevice + 1, sizeof(*s->device));
		s->device[s->ndevice] = (struct stages_device){ .id = id };
		intervals_of_device(&s->device[s->ndevice++].busy, r, id, KINDS_DEVICE, NULL);
	}
}

static enum status look_at(struct each *at, void *ctx)
{
	struct stages s = { .at = at, .o = ctx };
	size_t before = at->out->ntable, i;

	s.limit = each_limit(at, s.o->limit, PEOPLE_ROWS);
	s.has_device = at->run->order->device_begin[at->run->lanes.n] > 0;
	find_devices(&s);
	shared_devtime(at->shared, &s.devtime, at->run, &at->view);
	stages_put_host(&s, &docs[HOST]);
	stages_put_gpu(&s, &docs[GPU]);
	stages_put_modules(&s, &docs[MODULES]);
	if (at->out->ntable == before || at->out->table[before]->nrow == 0)
		result_note(at->out, NOTE_INFO, "no_stages", at->input, -1,
			"the trace has no annotations; torch.profiler.record_function(\"name\") makes "
			"them");
	stages_calls_clear(&s.calls);
	devtime_clear(&s.devtime);
	for (i = 0; i < s.ndevice; i++)
		intervals_clear(&s.device[i].busy);
	free(s.device);
	return OK;
}

static enum status compute(const struct query *q, struct result *out, int *exit_code, struct err *e)
{
	struct stages_options o = *(const struct stages_options *)q->opts;

	*exit_code = 0;
	return each_run(q, out, look_at, &o, e);
}

const struct analysis analysis_stages = {
	.name = "stages",
	.summary = "the regions a user named, nested: record_function, annotations, modules",
	.doc = "One row for each call path of annotations on the CPU: how often, how long, how much of it in no "
	       "stage below, what device work was launched inside, and how long devices were busy "
	       "meanwhile. Regions on devices are those the profiler draws from the first to the last "
	       "work of an annotation.\n\n"
	       "Modules are calls of torch.nn.Module, from Python functions (with_stack=True), or the "
	       "Module Hierarchy of operators (with_modules=True).\n\n"
	       "A stage that -f, -v or --steps leaves out is skipped; those below it move up.",
	.source = "torch.profiler.record_function; HTA get_gpu_user_annotation_breakdown; "
		  "docs/definitions.md",
	.examples = "traceq stages trace.json.gz\n"
		    "traceq stages trace.json.gz --steps 5-9 -v 'Optimizer'\n"
		    "traceq stages trace.json.gz --format csv",
	.needs = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_PYTHON | NEED_STACKS,
	.shares = SHARED_BIT(DEVTIME),
	.min_runs = 1,
	.is_one_by_one = true,
	.max_runs = 0,
	.opt = options,
	.nopt = COUNT_OF(options),
	.opts_size = sizeof(struct stages_options),
	.set_defaults = set_defaults,
	.tables = docs,
	.ntables = COUNT_OF(docs),
	.compute = compute,
};
