/* Signs of broken runs, in the words of Python, PyTorch, NCCL, CUDA, launchers and kernels. */
#include "analyze/input/artifact/logs/log_breaks.h"

#include "base/utf8.h"

static const char *const signs[] = { "OutOfMemoryError", "CUDA out of memory", "HIP out of memory",
	"RESOURCE_EXHAUSTED", "ResourceExhausted", "bad_alloc",
	"CUDA error:", "HIP error:", "NCCL error", "Watchdog caught collective operation",
	"Segmentation fault", "Bus error", "Illegal instruction", "SIGKILL", "SIGSEGV", "SIGABRT",
	"death signal", "exited on signal", "killed by signal", "terminated by signal", "oom-kill",
	"oom_kill", "OOMKilled", "OOM Killed", "Out of memory: Killed", " Killed  ", "core dumped",
	"ChildFailedError", "Fatal Python error", "terminate called after", " panicked at ",
	" CANCELLED AT ", "fallen off the bus", "No space left on device", " nan, stopping",
	" is NaN, stopping", "Result is : INVALID" };

static const char traceback[] = "Traceback (most recent call last)";

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
	static const char *const ends[] = { "Error", "Exception", "Interrupt" };
	struct span t = span_trim(line), name, rest;

	if (!ANY(i, COUNT_OF(ends), span_may_have(pairs, span_of(ends[i]))))
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
	static const char *const words[] = { "exitcode", "exit code", "exit status" };

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		size_t n = strlen(words[i]);
		const char *at = span_may_have(pairs, span_of(words[i]))
			? memmem(line.p, line.n, words[i], n)
			: NULL;
		struct span number = at ? span_between(at + n, line.p + line.n) : SPAN("");

		while (number.n > 0 && strchr(" :=(-", number.p[0]))
			number = span_from(number, 1);
		if (number.n > 0 && number.p[0] >= '1' && number.p[0] <= '9')
			return true;
	}
	return false;
}

static bool is_sign(struct span line, const struct span_pairs *pairs)
{
	struct span t = span_trim(line);

	if (span_is(t, "Killed") || span_ends(t, " Killed"))
		return true;
	return is_raised(line, pairs) || is_exit(line, pairs) ||
		ANY(i, COUNT_OF(signs),
			span_may_have(pairs, span_of(signs[i])) && span_has(line, signs[i]));
}

static bool is_overflow(struct span line)
{
	return span_has(line, "kipping step") && span_has_nocase(line, "overflow");
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

bool log_breaks_line(
	struct log_breaks *b, struct span line, int64_t number, int64_t steps, double step)
{
	struct span_pairs pairs = span_pairs_of(line);
	bool is_traceback = span_may_have(&pairs, span_of(traceback)) && span_has(line, traceback);
	bool is_open = b->last.line > 0 && steps <= b->last.steps;

	if (is_overflow(line)) {
		if (b->nskipped++ == 0) {
			b->skipped =
				(struct log_break){ .line = number, .steps = steps, .step = step };
			keep(&b->skipped, line);
		}
		return true;
	}
	if (is_open && strstr(b->last.text, traceback) && is_exception(line)) {
		keep(&b->last, line);
		return true;
	}
	bool is_ignored = b->is_ignored;
	b->is_ignored = span_may_have(&pairs, SPAN("Exception ignored in")) &&
		span_has(line, "Exception ignored in");
	if (is_ignored || (!is_traceback && !is_sign(line, &pairs)))
		return false;
	if (is_open && !strstr(b->last.text, traceback))
		return true; /* what follows from it */
	settle(b, steps);
	if (!is_open)
		b->last = (struct log_break){ .line = number, .steps = steps, .step = step };
	if (!is_open || !is_traceback)
		keep(&b->last, line);
	return true;
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
