/* Signs of broken runs, in the words of Python, PyTorch, NCCL, CUDA, launchers and kernels. */
#include "analyze/input/artifact/logs/log_breaks.h"

#include "base/utf8.h"

static const char *const signs[] = { "OutOfMemoryError", "CUDA out of memory", "HIP out of memory",
	"RESOURCE_EXHAUSTED", "CUDA error:", "HIP error:", "NCCL error",
	"Watchdog caught collective operation timeout", "Watchdog caught collective operation",
	"Segmentation fault", "SIGKILL", "SIGSEGV", "SIGABRT", "exitcode: -", "oom-kill",
	"Out of memory: Killed", "core dumped", "ChildFailedError", "Fatal Python error" };

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

static bool is_sign(struct span line, const struct span_pairs *pairs)
{
	struct span t = span_trim(line);

	if (span_is(t, "Killed") || span_ends(t, " Killed"))
		return true;
	return ANY(i, COUNT_OF(signs),
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
