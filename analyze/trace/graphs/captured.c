/* Captures: runtime calls in the order of time tell the graphs and their launches; one walk of each
 * thread that launched tells the calls around them. */
#include "analyze/trace/graphs/captured.h"

#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"

enum word { WORD_NOT_ASKED, WORD_OTHER, WORD_BEGIN, WORD_END, WORD_KERNEL, WORD_COPY, WORD_SET };

static enum word word_of(struct span name)
{
	if (span_has(name, "StreamBeginCapture"))
		return WORD_BEGIN;
	if (span_has(name, "StreamEndCapture"))
		return WORD_END;
	if (!links_is_launch(name) || span_has(name, "GraphLaunch"))
		return WORD_OTHER;
	return span_has(name, "Memcpy")    ? WORD_COPY
		: span_has(name, "Memset") ? WORD_SET
					   : WORD_KERNEL;
}

/* --- graphs and launches, in the order of time --- */

struct scan {
	struct captured *c;
	bool *has_work;   /* by launch side row: it launched something, so it was not captured */
	uint8_t *word;    /* by sym */
	uint32_t *open;   /* by lane: 1 + the graph that is being captured there */
	nsec *launch_end; /* by lane: of its last launch */
	size_t nopen;
	uint32_t last_open; /* a lane */
};

static void begin_graph(struct scan *s, uint32_t row)
{
	struct captured *c = s->c;
	uint32_t lane = c->run->events.lane[row];

	if (s->open[lane])
		return;
	ARENA_PUSH(&c->mem, c->graph, c->ngraph, c->graph_cap,
		(struct captured_graph){ .row = row, .size = -1 });
	s->open[lane] = (uint32_t)c->ngraph;
	s->last_open = lane;
	s->nopen++;
}

static void end_graph(struct scan *s, uint32_t row)
{
	uint32_t lane = s->c->run->events.lane[row];

	s->nopen -= s->open[lane] != 0;
	s->open[lane] = 0;
	for (size_t i = 0; i < s->c->run->lanes.n; i++)
		if (s->open[i])
			s->last_open = (uint32_t)i;
}

/* 1 + the graph a launch goes into: its thread's, else the only one of its process; 0: none. */
static uint32_t graph_of(const struct scan *s, uint32_t lane)
{
	const struct lane *lanes = s->c->run->lanes.lane;

	if (s->open[lane])
		return s->open[lane];
	return s->nopen == 1 && lanes[s->last_open].pid == lanes[lane].pid ? s->open[s->last_open]
									   : 0;
}

static void add_launch(struct scan *s, uint32_t row, enum word word)
{
	static const uint8_t kinds[] = {
		[WORD_KERNEL] = KIND_KERNEL, [WORD_COPY] = KIND_MEMCPY, [WORD_SET] = KIND_MEMSET
	};
	struct captured *c = s->c;
	const struct events *ev = &c->run->events;
	uint32_t lane = ev->lane[row], graph = graph_of(s, lane);
	bool is_inner = ev->start[row] < s->launch_end[lane];

	if (!graph || is_inner || (ev->args[row] != NO_ARGS && s->has_work[ev->args[row] - 1]))
		return;
	s->launch_end[lane] = events_end(ev, row);
	ARENA_PUSH(&c->mem, c->launch, c->nlaunch, c->launch_cap,
		(struct captured_launch){ row, NO_ROW, graph - 1, kinds[word] });
}

/* Runtime calls that say something, by start. */
static uint32_t *list_calls(struct scan *s, size_t *n)
{
	const struct run *r = s->c->run;
	uint32_t *row = NULL, *scratch;
	size_t cap = 0, i;

	for (i = 0, *n = 0; i < r->order->host_begin[r->lanes.n]; i++) {
		uint32_t at = r->order->host[i];
		uint8_t *word = &s->word[r->events.name[at]];

		if (r->events.kind[at] != KIND_RUNTIME)
			continue;
		if (*word == WORD_NOT_ASKED)
			*word = (uint8_t)word_of(run_name(r, at));
		if (*word == WORD_OTHER)
			continue;
		PUSH(row, *n, cap, at);
	}
	scratch = zeroed(*n / 2 + 1, sizeof(*scratch));
	if (*n > 1)
		order_sort(r, row, *n, scratch);
	free(scratch);
	return row;
}

static void scan_calls(struct scan *s)
{
	const sym *name = s->c->run->events.name;
	size_t n;
	uint32_t *row = list_calls(s, &n);

	for (size_t i = 0; i < n; i++) {
		enum word word = (enum word)s->word[name[row[i]]];

		if (word == WORD_BEGIN)
			begin_graph(s, row[i]);
		else if (word == WORD_END)
			end_graph(s, row[i]);
		else
			add_launch(s, row[i], word);
	}
	free(row);
}

/* The launches of each graph behind each other, in the order they have. */
static void group_launches(struct captured *c)
{
	struct captured_launch *to = arena_array(&c->mem, c->nlaunch, sizeof(*to));
	size_t next = 0;

	for (size_t i = 0; i < c->nlaunch; i++)
		c->graph[c->launch[i].graph].n++;
	for (size_t i = 0; i < c->ngraph; i++) {
		c->graph[i].begin = next;
		next += c->graph[i].n;
		c->graph[i].n = 0;
	}
	for (size_t i = 0; i < c->nlaunch; i++) {
		struct captured_graph *g = &c->graph[c->launch[i].graph];

		to[g->begin + g->n++] = c->launch[i];
	}
	c->launch = to;
}

static void find_graphs(struct captured *c)
{
	const struct run *r = c->run;
	struct scan s = { .c = c,
		.has_work = zeroed(r->args.n[ARGS_LAUNCH], sizeof(*s.has_work)),
		.word = zeroed(r->strings.n, sizeof(*s.word)),
		.open = zeroed(r->lanes.n, sizeof(*s.open)),
		.launch_end = zeroed(r->lanes.n, sizeof(*s.launch_end)) };

	FILL(s.launch_end, r->lanes.n, INT64_MIN);
	for (size_t i = 0; i < r->args.n[ARGS_DEVICE]; i++)
		if (r->links->launch[i] != NO_ROW)
			s.has_work[r->events.args[r->links->launch[i]] - 1] = true;
	scan_calls(&s);
	group_launches(c);
	FREE_ALL(s.has_work, s.word, s.open, s.launch_end);
}

/* --- calls around the launches --- */

struct open_call {
	uint32_t row;
	uint32_t call; /* its index, once it is known to be around a launch; else NO_ROW */
	nsec end;
};

struct walk {
	struct captured *c;
	uint32_t *launch; /* by row: 1 + its launch */
	uint32_t *graph;  /* by row: 1 + the graph that begins there */
	bool *lane;       /* those that captured or launched */
	struct open_call *open;
	size_t depth, cap;
};

static bool is_call(const struct run *r, uint32_t row)
{
	unsigned kinds = KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION) |
		(r->args.needs & NEED_PYTHON ? KIND_BIT(KIND_PYTHON) : 0);

	return (KIND_BIT(r->events.kind[row]) & kinds) != 0;
}

/* The call at that depth and those around it that began at or behind `from`: its index. */
static uint32_t add_call(struct walk *w, size_t depth, nsec from)
{
	struct captured *c = w->c;
	size_t low = depth;

	while (low > 0 && w->open[low - 1].call == NO_ROW &&
		c->run->events.start[w->open[low - 1].row] >= from)
		low--;
	uint32_t up = low > 0 ? w->open[low - 1].call : NO_ROW;
	for (; low < depth; low++) {
		ARENA_PUSH(&c->mem, c->call, c->ncall, c->call_cap,
			(struct captured_call){ w->open[low].row, up });
		up = w->open[low].call = (uint32_t)c->ncall - 1;
	}
	return up;
}

static void find_size(struct walk *w, struct captured_graph *g)
{
	for (size_t i = w->depth; i-- > 0 && g->size < 0;)
		if (w->c->run->events.kind[w->open[i].row] == KIND_ANNOTATION)
			g->size = captured_size(run_name(w->c->run, w->open[i].row));
}

static void visit(struct walk *w, uint32_t row)
{
	const struct events *ev = &w->c->run->events;
	nsec start = ev->start[row], end = events_end(ev, row);
	struct captured_launch *l = w->launch[row] ? &w->c->launch[w->launch[row] - 1] : NULL;

	while (w->depth && (start >= w->open[w->depth - 1].end || end > w->open[w->depth - 1].end))
		w->depth--;
	if (w->graph[row])
		find_size(w, &w->c->graph[w->graph[row] - 1]);
	if (l)
		l->call = add_call(w, w->depth, ev->start[w->c->graph[l->graph].row]);
	if (!is_call(w->c->run, row))
		return;
	PUSH(w->open, w->depth, w->cap, (struct open_call){ row, NO_ROW, end });
}

/* Rows of the lanes that captured or launched. */
static bool is_visited(const void *ctx, uint32_t row)
{
	const struct walk *w = ctx;

	return w->lane[w->c->run->events.lane[row]] &&
		(w->launch[row] || w->graph[row] || is_call(w->c->run, row));
}

static void walk_lanes(struct walk *w)
{
	const struct run *r = w->c->run;
	SCOPED_ARENA mem = { 0 };
	size_t *begin;
	uint32_t *row = order_by_lane(r, is_visited, w, &begin, &mem);
	uint32_t *scratch = arena_array(&mem, begin[r->lanes.n] / 2 + 1, sizeof(*scratch));

	for (size_t i = 0; i < r->lanes.n; i++) {
		order_sort(r, row + begin[i], begin[i + 1] - begin[i], scratch);
		w->depth = 0;
		for (size_t j = begin[i]; j < begin[i + 1]; j++)
			visit(w, row[j]);
	}
}

static void find_calls(struct captured *c)
{
	const struct run *r = c->run;
	struct walk w = { .c = c,
		.launch = zeroed(r->events.n, sizeof(*w.launch)),
		.graph = zeroed(r->events.n, sizeof(*w.graph)),
		.lane = zeroed(r->lanes.n, sizeof(*w.lane)) };

	for (size_t i = 0; i < c->nlaunch; i++) {
		w.launch[c->launch[i].row] = (uint32_t)i + 1;
		w.lane[r->events.lane[c->launch[i].row]] = true;
	}
	for (size_t i = 0; i < c->ngraph; i++) {
		w.graph[c->graph[i].row] = (uint32_t)i + 1;
		w.lane[r->events.lane[c->graph[i].row]] = true;
	}
	walk_lanes(&w);
	FREE_ALL(w.open, w.launch, w.graph, w.lane);
}

/* --- which graphs are alike in their calls --- */

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

/* What tells a call in answers: name, shapes, modules. */
static uint64_t hash_of_call(const struct run *r, uint32_t row)
{
	uint32_t side = r->events.args[row];
	uint64_t h = mix(r->events.kind[row], r->events.name[row]);

	if (side == NO_ARGS || args_table_of((enum kind)r->events.kind[row]) != ARGS_OP)
		return h;
	h = mix(h, args_sym(&r->args, ARG_OP_DIMS, side - 1));
	h = mix(h, args_sym(&r->args, ARG_OP_STACK, side - 1));
	return mix(h, args_sym(&r->args, ARG_OP_MODULES, side - 1));
}

static void hash_graphs(struct captured *c)
{
	uint64_t *of_call = zeroed(c->ncall, sizeof(*of_call));

	for (size_t i = 0; i < c->ncall; i++)
		of_call[i] = mix(c->call[i].up == NO_ROW ? 1 : of_call[c->call[i].up],
			hash_of_call(c->run, c->call[i].row));
	for (EACH(const struct captured_launch, launch, c->launch, c->nlaunch)) {
		struct captured_graph *g = &c->graph[launch->graph];

		g->calls = mix(g->calls, launch->call == NO_ROW ? 0 : of_call[launch->call]);
	}
	free(of_call);
}

/* --- sizes --- */

static bool number_at(struct span *s, int64_t *v)
{
	size_t n = 0;

	for (*v = 0; n < s->n && n < 9 && s->p[n] >= '0' && s->p[n] <= '9'; n++)
		*v = *v * 10 + (s->p[n] - '0');
	s->p += n;
	s->n -= n;
	return n > 0;
}

static bool skip(struct span *s, const char *prefix)
{
	if (!span_starts(*s, prefix))
		return false;
	s->p += strlen(prefix);
	s->n -= strlen(prefix);
	return true;
}

/* "_2(5)": 5. */
static bool count_at(struct span *s, int64_t *v)
{
	return skip(s, "_") && number_at(s, v) && skip(s, "(") && number_at(s, v) && skip(s, ")");
}

int64_t captured_size(struct span annotation)
{
	struct span s = annotation;
	int64_t v, more;

	if (skip(&s, "execute_context"))
		return count_at(&s, &v) && skip(&s, "_generation") && count_at(&s, &more) ? v + more
											  : -1;
	if (!skip(&s, "capture_") && !skip(&s, "execute_"))
		return -1;
	return number_at(&s, &v) && (s.n == 0 || s.p[0] == '_') ? v : -1;
}

/* A file that is of one batch, as SGLang names it: "bs_24_rank0.json.gz". */
static int64_t size_of_file(const char *path)
{
	struct span s = span_of(path_name(path));
	int64_t v;

	return skip(&s, "bs_") && number_at(&s, &v) ? v : -1;
}

void captured_init(struct captured *c, const struct run *r)
{
	*c = (struct captured){ .run = r };
	find_graphs(c);
	find_calls(c);
	hash_graphs(c);
	for (size_t i = 0; i < c->ngraph && r->path; i++)
		if (c->graph[i].size < 0)
			c->graph[i].size = size_of_file(r->path);
}

void captured_clear(struct captured *c)
{
	arena_clear(&c->mem);
	*c = (struct captured){ 0 };
}
