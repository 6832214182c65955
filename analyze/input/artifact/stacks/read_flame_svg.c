/* Flame graphs as SVG, as py-spy and flamegraph.pl draw them: each box has a title "frame (17
 * samples, 4.56%)", a place and a width, from which the stacks come back. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/stacks/stack_rows.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

struct box {
	struct span frame;
	double x, y, width;
	double samples, below; /* below: of the boxes on it */
	size_t parent;         /* SIZE_MAX: none */
};

struct boxes {
	struct box *v;
	size_t n, cap;
};

static enum match probe(const struct head *h)
{
	return h->form == HEAD_TEXT && span_has(h->text, "<svg") &&
			span_has(h->text, "samples, ") && span_has(h->text, "<title>")
		? MATCH_STRONG
		: MATCH_NO;
}

/* The number of an attribute: ` x="12.5%"`. */
static bool attribute(struct span tag, const char *name, double *v)
{
	const char *p = memmem(tag.p, tag.n, name, strlen(name));

	if (!p)
		return false;
	struct span t = span_between(p + strlen(name), tag.p + tag.n);
	return span_cut(t, '"', &t, &tag) && real_of(span_trim_end(t, "%"), v);
}

/* "frame (1,234 samples, 4.56%)" */
static bool title(struct reading *in, struct span t, struct box *b)
{
	size_t i, k = 0;
	const char *word = memmem(t.p, t.n, " samples, ", 10);
	char digits[32];

	if (!word)
		return false;
	for (i = (size_t)(word - t.p); i > 0 && t.p[i - 1] != '('; i--)
		;
	if (i < 3)
		return false;
	b->frame = stack_unescaped(in, (struct span){ t.p, i - 2 });
	for (; t.p + i < word && k < sizeof(digits); i++)
		if (t.p[i] != ',')
			digits[k++] = t.p[i];
	return real_of((struct span){ digits, k }, &b->samples);
}

static void take_boxes(struct reading *in, struct span text, struct boxes *boxes)
{
	const char *p = text.p, *end = text.p + text.n;

	while ((p = memmem(p, (size_t)(end - p), "<title>", 7)) != NULL) {
		struct box b = { .parent = SIZE_MAX };

		p += 7;
		const char *close = memmem(p, (size_t)(end - p), "</title>", 8);
		if (!close)
			break;
		if (!title(in, span_between(p, close), &b)) {
			p = close;
			continue;
		}
		p = close;
		const char *rect = memmem(p, (size_t)(end - p), "<rect", 5);
		const char *stop = rect ? memchr(rect, '>', (size_t)(end - rect)) : NULL;
		if (!stop)
			break;
		struct span tag = span_between(rect, stop);
		if (attribute(tag, " x=\"", &b.x) && attribute(tag, " y=\"", &b.y) &&
			attribute(tag, " width=\"", &b.width)) {
			PUSH(boxes->v, boxes->n, boxes->cap, b);
		}
	}
}

/* By place from the left, the widest first: a parent comes before what is on it. */
static int by_place(const void *a, const void *b)
{
	const struct box *m = a, *n = b;

	if (m->x < n->x - 1e-6 || m->x > n->x + 1e-6)
		return m->x < n->x ? -1 : 1;
	return COMPARE_BY(compare3_down(m->samples, n->samples), compare3(m->y, n->y));
}

/* Each box's parent: the last open one that still reaches beyond its middle. */
static void find_parents(struct boxes *boxes)
{
	size_t open = SIZE_MAX;

	for (size_t i = 0; i < boxes->n; i++) {
		struct box *b = &boxes->v[i];

		while (open != SIZE_MAX &&
			boxes->v[open].x + boxes->v[open].width < b->x + b->width / 2)
			open = boxes->v[open].parent;
		b->parent = open;
		if (open != SIZE_MAX)
			boxes->v[open].below += b->samples;
		open = i;
	}
}

static void put_stack(struct stack_rows *rows, const struct boxes *boxes, size_t at)
{
	size_t path[STACK_DEPTH], n = 0;
	double own = boxes->v[at].samples - boxes->v[at].below;

	if (own < 0.5)
		return;
	for (size_t i = at; i != SIZE_MAX && n < STACK_DEPTH; i = boxes->v[i].parent)
		path[n++] = i;
	stack_rows_reset(rows);
	while (n-- > 0)
		if (!span_is(boxes->v[path[n]].frame, "all"))
			stack_rows_push(rows, boxes->v[path[n]].frame);
	stack_rows_add(rows, own, STACK_IN_SAMPLES);
}

static enum status read_svg(struct reading *in, struct err *e)
{
	struct boxes boxes = { 0 };
	struct stack_rows rows;
	struct span text;

	TRY(reading_all(in, &text, e));
	take_boxes(in, text, &boxes);
	if (boxes.n)
		qsort(boxes.v, boxes.n, sizeof(*boxes.v), by_place);
	find_parents(&boxes);
	stack_rows_open(&rows, in);
	for (size_t i = 0; i < boxes.n; i++)
		put_stack(&rows, &boxes, i);
	stack_rows_close(&rows);
	free(boxes.v);
	if (boxes.n == 0)
		return err_set(e, E_NODATA, 0, "no box with samples in the drawing");
	if (!memmem(text.p, text.n, "</svg>", 6)) {
		reading_artifact(in)->is_complete = false;
		reading_note(in, NOTE_WARNING, "torn_drawing", 1, (int64_t)text.n,
			"the drawing is cut off; what is there is read");
	}
	return OK;
}

const struct artifact artifact_flame_svg = {
	.name = "flame_svg",
	.title = "flame graph (SVG)",
	.summary = "py-spy record -o profile.svg, flamegraph.pl",
	.probe = probe,
	.read = read_svg,
};
