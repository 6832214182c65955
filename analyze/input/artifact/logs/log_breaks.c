/* Signs of broken runs, in the words of Python, PyTorch, NCCL, CUDA, launchers and kernels. */
#include "analyze/input/artifact/logs/log_breaks.h"

#include "base/utf8.h"

static const struct span signs[] = { SPAN("OutOfMemoryError"), SPAN("CUDA out of memory"),
	SPAN("HIP out of memory"), SPAN("RESOURCE_EXHAUSTED"), SPAN("ResourceExhausted"),
	SPAN("bad_alloc"), SPAN("CUDA error:"), SPAN("HIP error:"), SPAN("NCCL error"),
	SPAN("Watchdog caught collective operation"), SPAN("Segmentation fault"), SPAN("Bus error"),
	SPAN("Illegal instruction"), SPAN("SIGKILL"), SPAN("SIGSEGV"), SPAN("SIGABRT"),
	SPAN("death signal"), SPAN("exited on signal"), SPAN("killed by signal"),
	SPAN("terminated by signal"), SPAN("oom-kill"), SPAN("oom_kill"), SPAN("OOMKilled"),
	SPAN("OOM Killed"), SPAN("Out of memory: Killed"), SPAN(" Killed  "), SPAN("core dumped"),
	SPAN("ChildFailedError"), SPAN("Fatal Python error"), SPAN("terminate called after"),
	SPAN(" panicked at "), SPAN(" CANCELLED AT "), SPAN("fallen off the bus"),
	SPAN("No space left on device"), SPAN(" nan, stopping"), SPAN(" is NaN, stopping"),
	SPAN("Result is : INVALID") };

#define TRACEBACK "Traceback (most recent call last)"

/* "torch.cuda.OutOfMemoryError: CUDA ...": the end of a traceback. */
static bool is_exception(struct span line)
{
	const char *colon = memmem(line.p, line.n, ": ", 2);
	struct span name = { line.p, colon ? (size_t)(colon - line.p) : line.n };
	const char *blank = name.n ? memrchr(name.p, ' ', name.n) : NULL; /* of a launcher's words
	                                                                   */

	name = blank ? span_between(blank + 1, name.p + name.n) : name;
	return span_ends(name, "Error") || span_ends(name, "Exception") ||
		span_ends(name, "Interrupt");
}

/* "ValueError: ...", "[rank0]: OSError: ...", without a traceback; no "ValError: 0.25". */
static bool is_raised(struct span line, const struct span_pairs *pairs)
{
	struct span t = span_trim(line), name, rest;

	if (!span_may_have(pairs, SPAN("Error")) && !span_may_have(pairs, SPAN("Exception")) &&
		!span_may_have(pairs, SPAN("Interrupt")))
		return false;
	if (span_starts(t, "[") && memchr(t.p, ']', t.n)) {
		(void)span_cut(t, ']', &name, &t);
		t = span_trim(span_from(t, span_starts(t, ":")));
	}
	name = t;
	rest = SPAN("");
	(void)span_cut(t, ':', &name, &rest);
	rest = span_trim(rest);
	return name.n >= strlen("OSError") && !memchr(name.p, ' ', name.n) &&
		is_letter(name.p[0]) && is_exception(name) &&
		!(rest.n > 0 && (is_digit(rest.p[0]) || rest.p[0] == '-'));
}

/* "exitcode: -9", "Exited with exit code 1", "exit status 137": not 0. */
static bool is_exit(struct span line, const struct span_pairs *pairs)
{
	static const struct span words[] = { SPAN("exitcode"), SPAN("exit code"),
		SPAN("exit status") };

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		const char *at = span_may_have(pairs, words[i])
			? memmem(line.p, line.n, words[i].p, words[i].n)
			: NULL;
		struct span number = at ? span_between(at + words[i].n, line.p + line.n) : SPAN("");

		while (number.n > 0 && strchr(" :=(-", number.p[0]))
			number = span_from(number, 1);
		if (number.n > 0 && number.p[0] >= '1' && number.p[0] <= '9')
			return true;
	}
	return false;
}

static bool is_sign(struct span line, const struct span_pairs *pairs)
{
	if (span_may_have(pairs, SPAN("Killed"))) {
		struct span t = span_trim(line);

		if (span_is(t, "Killed") || span_ends(t, " Killed"))
			return true;
	}
	return is_raised(line, pairs) || is_exit(line, pairs) ||
		ANY(i, COUNT_OF(signs),
			span_may_have(pairs, signs[i]) && span_has(line, signs[i].p));
}

static bool is_overflow(struct span line, const struct span_pairs *pairs)
{
	return span_may_have(pairs, SPAN("kipping step")) && span_has(line, "kipping step") &&
		span_has_nocase(line, "overflow");
}

static void keep(struct log_break *b, struct span line)
{
	struct span t = utf8_cut(span_trim(line), LOG_BREAK_SHOWN);

	memcpy(b->text, t.p, t.n);
	b->text[t.n] = '\0';
}

/* Steps that came behind the newest break: the run went on. */
static void settle(struct log_breaks *b, int64_t steps)
{
	if (b->last.line == 0 || steps <= b->last.steps)
		return;
	if (b->nsurvived++ == 0)
		b->survived = b->last;
	b->last.line = 0;
}

bool log_breaks_line(struct log_breaks *b, struct span line, const struct span_pairs *pairs,
	int64_t number, int64_t steps, double step)
{
	bool is_traceback = span_may_have(pairs, SPAN(TRACEBACK)) && span_has(line, TRACEBACK);
	bool is_open = b->last.line > 0 && steps <= b->last.steps;

	if (is_overflow(line, pairs)) {
		if (b->nskipped++ == 0) {
			b->skipped =
				(struct log_break){ .line = number, .steps = steps, .step = step };
			keep(&b->skipped, line);
		}
		return true;
	}
	if (is_open && strstr(b->last.text, TRACEBACK) && is_exception(line)) {
		keep(&b->last, line);
		return true;
	}
	bool is_ignored = b->is_ignored;
	b->is_ignored = span_may_have(pairs, SPAN("Exception ignored in")) &&
		span_has(line, "Exception ignored in");
	if (is_ignored || (!is_traceback && !is_sign(line, pairs)))
		return false;
	if (is_open && !strstr(b->last.text, TRACEBACK))
		return true; /* what follows from it */
	settle(b, steps);
	if (!is_open)
		b->last = (struct log_break){ .line = number, .steps = steps, .step = step };
	if (!is_open || !is_traceback)
		keep(&b->last, line);
	return true;
}

bool log_breaks_frame(struct log_breaks *b, size_t indent, struct span text)
{
	enum { OF_FRAME = 2 };
	bool is_source = b->is_frame && indent > OF_FRAME;

	text = span_trim(text);
	b->is_frame = span_starts(text, "File \"") && span_has(text, "\", line ");
	return b->is_frame || is_source;
}

static void put(struct reading *in, const char *key, double v)
{
	reading_number(in, &in->record->scalars, span_of(key), MEASURE_NONE, v, SPAN(""));
}

/* ", after step 30" */
static const char *behind(struct reading *in, const struct log_break *b)
{
	return isnan(b->step) || b->steps == 0
		? ""
		: arena_printf(&in->mem, ", after step %.0f", b->step);
}

void log_breaks_say(struct log_breaks *b, struct reading *in, int64_t steps)
{
	settle(b, steps);
	if (b->nsurvived > 0)
		reading_note(in, NOTE_WARNING, "run_stumbled", b->nsurvived, -1,
			"line %" PRId64 "%s: \"%s\"; steps went on", b->survived.line,
			behind(in, &b->survived), b->survived.text);
	if (b->last.line == 0 && b->skipped.line > 0 && b->nskipped >= steps)
		b->last = b->skipped;
	if (b->last.line == 0)
		return;
	reading_text(in, &in->record->scalars, SPAN("broken.what"), span_of(b->last.text));
	put(in, "broken.line", (double)b->last.line);
	if (b->last.steps > 0 && !isnan(b->last.step))
		put(in, "broken.step", b->last.step);
	reading_note(in, NOTE_WARNING, "run_broke", 1, -1,
		"the run broke: line %" PRId64 "%s: \"%s\"; %s", b->last.line, behind(in, &b->last),
		b->last.text,
		b->last.line == b->skipped.line ? "so all steps were skipped" : "no step follows");
}
