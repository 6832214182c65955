/* What `perf script` prints: a line a sample, below it its frames, leaf first, and a blank line.  A
 * sample counts as one; of the events cpu-clock and task-clock it lasts its period, which is ns. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/stacks/stack_rows.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

enum { LINES_LOOKED_AT = 200, EVENT_BYTES = 64 };

struct perf {
	struct stack_rows rows;
	struct str frames; /* of the sample at hand, the leaf first */
	size_t end[STACK_DEPTH];
	size_t n;
	struct span event; /* of the first sample */
	char name[EVENT_BYTES];
	double weight; /* ns, or 1; 0: between samples */
	bool is_time;
	struct passed others; /* samples of other events */
};

/* "python 1234/1235 [000] 100.000000:     999999 cycles:P: ": who, period and event. */
static bool is_sample(struct span line, struct span *who, double *period, struct span *event)
{
	struct span rest = line, word, before;
	double t;
	size_t at = 0;

	if (line.n == 0 || line.p[0] == ' ' || line.p[0] == '\t' || line.p[0] == '#')
		return false;
	*period = 1;
	*event = SPAN("");
	while (rest.n > 0) { /* the time: "100.000000:" */
		rest = span_trim(rest);
		at = (size_t)(rest.p - line.p);
		(void)span_cut(rest, ' ', &word, &rest);
		if (span_ends(word, ":") && memchr(word.p, '.', word.n) &&
			real_of((struct span){ word.p, word.n - 1 }, &t))
			break;
		at = 0;
	}
	if (at == 0)
		return false;
	*who = (struct span){ line.p, at };
	rest = span_trim(rest);
	if (span_cut(rest, ' ', &before, &word) && real_of(before, period))
		rest = span_trim(word);
	*event = span_before(rest, ' ');
	return span_ends(*event, ":");
}

/* "7f1 at::native::add+0x1 (/lib/libtorch_cpu.so)": the name; of one that is not known its file. */
static bool is_frame(struct span line, struct span *name)
{
	struct span text, dso, address, rest;

	if (line.n == 0 || (line.p[0] != ' ' && line.p[0] != '\t'))
		return false;
	if (!span_bracketed(span_trim(line), '(', &text, &dso) ||
		!span_cut(span_trim(text), ' ', &address, &rest))
		return false;
	*name = span_trim(rest);
	const char *plus = memmem(name->p, name->n, "+0x", 3);
	if (plus)
		name->n = (size_t)(plus - name->p);
	if (span_is(*name, "[unknown]") && dso.n) {
		const char *slash = memrchr(dso.p, '/', dso.n);

		*name = slash ? span_between(slash + 1, dso.p + dso.n) : dso;
	}
	return name->n > 0;
}

/* "python", of "python 1234 [000] ". */
static struct span program_of(struct span who)
{
	size_t n = FIRST(i, who.n,
		who.p[i] == ' ' && i + 1 < who.n && who.p[i + 1] >= '0' && who.p[i + 1] <= '9');

	return span_trim((struct span){ who.p, n });
}

static void end_sample(struct perf *p)
{
	while (p->n > 0) {
		size_t from = p->n > 1 ? p->end[p->n - 2] : 0;

		stack_rows_push(
			&p->rows, (struct span){ p->frames.s + from, p->end[p->n - 1] - from });
		p->n--;
	}
	if (p->weight > 0)
		stack_rows_add(&p->rows, p->weight, p->is_time ? STACK_IN_NS : STACK_IN_SAMPLES);
	p->weight = 0;
	str_reset(&p->frames);
	stack_rows_reset(&p->rows);
}

static void begin_sample(
	struct perf *p, struct span who, double period, struct span event, int64_t offset)
{
	if (!p->event.p) {
		p->event = (struct span){ p->name, MIN(event.n, EVENT_BYTES) };
		memcpy(p->name, event.p, p->event.n);
		p->is_time = span_has_in(event, "cpu-clock|task-clock");
	}
	event.n = MIN(event.n, EVENT_BYTES);
	if (!span_eq(event, p->event)) {
		passed_add(&p->others, offset);
		return;
	}
	p->weight = p->is_time ? period : 1;
	stack_rows_push(&p->rows, program_of(who));
}

static enum took take_line(void *ctx, struct span line, const struct lines *l)
{
	struct perf *p = ctx;
	struct span who, event, name;
	double period;

	if (is_sample(line, &who, &period, &event)) {
		end_sample(p);
		begin_sample(p, who, period, event, l->offset);
		return TOOK;
	}
	if (span_trim(line).n == 0 || line.p[0] == '#')
		return TOOK;
	if (!is_frame(line, &name))
		return TOOK_ALIEN;
	if (p->weight > 0 && p->n < STACK_DEPTH) {
		str_add(&p->frames, name.p, name.n);
		p->end[p->n++] = p->frames.n;
	}
	return TOOK;
}

static void begin(void *state, const void *form UNUSED)
{
	struct perf *p = state;

	stack_rows_open(&p->rows, p->rows.in);
}

static void end(void *state)
{
	struct perf *p = state;
	struct reading *in = p->rows.in;

	end_sample(p);
	reading_passed(in, NOTE_INFO, "other_lines", &p->others,
		"sample{|s} of other events than the first, not read");
	reading_text(in, &in->record->config, SPAN("event"), span_trim_end(p->event, ":"));
	stack_rows_close(&p->rows);
	str_free(&p->frames);
}

static enum match probe(const struct head *h)
{
	struct span text = h->text, line, who, event, name;
	bool is_begun = false;
	double period;

	if (h->form != HEAD_TEXT)
		return MATCH_NO;
	for (int n = 0; n < LINES_LOOKED_AT && span_line(&text, &line); n++) {
		if (is_begun)
			return is_frame(line, &name) ? MATCH_STRONG : MATCH_NO;
		is_begun = is_sample(line, &who, &period, &event);
		if (!is_begun && span_trim(line).n > 0 && line.p[0] != '#')
			return MATCH_NO;
	}
	return MATCH_NO;
}

const struct artifact artifact_perf_script = {
	.name = "perf_script",
	.title = "sampled stacks (perf script)",
	.summary = "what perf script prints of perf.data, recorded with -g",
	.probe = probe,
	TAKES_LINES(struct perf, take_line),
	.begin = begin,
	.end = end,
	.alien = "line{ is|s are} no sample and no frame, passed over",
	.none = "no sample with a stack in it",
};
