/* Signs of broken runs, in the words of Python, PyTorch, NCCL, CUDA, launchers and kernels. */
#include "analyze/input/artifact/logs/log_breaks.h"

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

	for (const char *p = name.p + name.n; p > name.p; p--) /* what a launcher writes in front */
		if (p[-1] == ' ') {
			name = (struct span){ p, (size_t)(name.p + name.n - p) };
			break;
		}
	return name.n > 0 &&
		(span_ends(name, "Error") || span_ends(name, "Exception") ||
			span_ends(name, "Interrupt"));
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
	struct span t = span_trim(line);

	if (t.n > LOG_BREAK_SHOWN)
		for (t.n = LOG_BREAK_SHOWN; t.n && ((unsigned char)t.p[t.n] & 0xc0) == 0x80; t.n--)
			;
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

static void put(struct reading *in, const char *key, double v, const char *text)
{
	record_scalar(in->record, &in->record->scalars,
		&(struct scalar){ .key = span_of(key),
			.type = text ? SCALAR_TEXT : SCALAR_NUMBER,
			.number = v,
			.text = span_of(text ? text : ""),
			.artifact = in->artifact });
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
	put(in, "broken.what", NAN, b->last.text);
	put(in, "broken.line", (double)b->last.line, NULL);
	if (b->last.steps > 0 && !isnan(b->last.step))
		put(in, "broken.step", b->last.step, NULL);
	reading_note(in, NOTE_WARNING, "run_broke", 1, -1,
		"the run broke: line %" PRId64 "%s: \"%s\"; %s", b->last.line, behind(in, &b->last),
		b->last.text,
		b->last.line == b->skipped.line ? "so all steps were skipped" : "no step follows");
}
