/*
 * The words of `top`'s options, and its notes.
 */
#include "analyze/answer/top/top_task.h"

#include <string.h>

#include "analyze/query/notes.h"
#include "analyze/trace/steps.h"
#include "base/opt.h"

static const struct {
	const char *word;
	enum top_key key;
} keys[] = {
	/* short forms */
	{ "self", TOP_SELF_CPU },
	{ "cpu", TOP_SELF_CPU },
	{ "gpu", TOP_SELF_DEVICE },
	{ "total", TOP_CPU_TOTAL },
	{ "calls", TOP_CALLS },
	{ "avg", TOP_CPU_AVG },
	{ "mem", TOP_SELF_DEVICE_BYTES },
	{ "name", TOP_NAME },
	/* torch's; cuda, xpu and privateuse1 were replaced by device before */
	{ "cpu_time", TOP_CPU_AVG },
	{ "device_time", TOP_DEVICE_AVG },
	{ "cpu_time_total", TOP_CPU_TOTAL },
	{ "device_time_total", TOP_DEVICE_TOTAL },
	{ "self_cpu_time_total", TOP_SELF_CPU },
	{ "self_device_time_total", TOP_SELF_DEVICE },
	{ "cpu_memory_usage", TOP_CPU_BYTES },
	{ "device_memory_usage", TOP_DEVICE_BYTES },
	{ "self_cpu_memory_usage", TOP_SELF_CPU_BYTES },
	{ "self_device_memory_usage", TOP_SELF_DEVICE_BYTES },
	{ "count", TOP_CALLS },
};

/* What a mistyped word is compared with: as users spell it. */
static const char *const suggestions[] = {
	"self",
	"cpu",
	"gpu",
	"total",
	"calls",
	"avg",
	"mem",
	"name",
	"count",
	"cpu_time",
	"cuda_time",
	"cpu_time_total",
	"cuda_time_total",
	"self_cpu_time_total",
	"self_cuda_time_total",
	"self_device_time_total",
	"cpu_memory_usage",
	"cuda_memory_usage",
	"self_cpu_memory_usage",
	"self_cuda_memory_usage",
};

/* torch's word with any device replaced by "device": self_cuda_time_total ->
 * self_device_time_total. */
static const char *device_word(const char *word, char *buf, size_t size)
{
	static const char *const names[] = { "cuda_", "xpu_", "privateuse1_" };
	const char *rest = word;
	bool is_self = strncmp(word, "self_", 5) == 0;
	size_t i;

	rest += is_self ? 5 : 0;
	for (i = 0; i < COUNT_OF(names); i++) {
		size_t n = strlen(names[i]);

		if (strncmp(rest, names[i], n) == 0 &&
			strlen(rest) - n + sizeof("self_device_") < size) {
			struct span tail = span_of(rest + n);
			size_t at = 0;

			if (is_self) {
				memcpy(buf, "self_", 5);
				at = 5;
			}
			memcpy(buf + at, "device_", 7);
			memcpy(buf + at + 7, tail.p, tail.n + 1);
			return buf;
		}
	}
	return word;
}

enum status top_parse_key(const char *text, enum top_key *key, struct err *e)
{
	const char *near, *word;
	char buf[64];
	size_t i;

	*key = TOP_KEY_NONE;
	if (!text)
		return OK;
	word = device_word(text, buf, sizeof(buf));
	for (i = 0; i < COUNT_OF(keys); i++)
		if (strcmp(word, keys[i].word) == 0) {
			*key = keys[i].key;
			return OK;
		}
	near = opt_nearest(text, suggestions, COUNT_OF(suggestions));
	err_set(e, E_USAGE, -1, "--sort '%s': no such key", text);
	if (near)
		return err_hint(e, "did you mean '%s'?", near);
	return err_hint(
		e, "self, cpu, gpu, total, calls, avg, mem, name, or one of torch's sort_by words");
}

enum top_by top_parse_by(const char *text)
{
	static const char *const words[] = { "", "name", "shape", "kernel", "category", "stream",
		"phase" };
	size_t i;

	for (i = 1; text && i < COUNT_OF(words); i++)
		if (strcmp(text, words[i]) == 0)
			return (enum top_by)i;
	return TOP_BY_DEFAULT;
}

enum top_per top_parse_per(const char *text)
{
	if (text && strcmp(text, "step") == 0)
		return TOP_PER_STEP;
	return text && strcmp(text, "call") == 0 ? TOP_PER_CALL : TOP_PER_TOTAL;
}

static bool has_shapes(const struct top *t)
{
	size_t i;

	for (i = 0; i < t->ops.n; i++)
		if (top_id_b(t->ops.g[i].id))
			return true;
	return false;
}

void top_add_notes(struct top *t)
{
	const struct steps *s = t->at->run->steps;
	bool has_rows = t->totals.nhost || t->totals.ndevice;

	(void)notes_no_device(t->at->out, t->at->run, t->at->input,
		"no GPU kernel events; CUPTI was unavailable or activities=[CPU]; showing CPU "
		"time only");
	if (s && s->source == STEPS_WHOLE)
		result_note(t->at->out, NOTE_INFO, "no_steps", t->at->input, -1,
			"no steps in this trace (no ProfilerStep#N, no repeated annotation); there are "
			"no figures per step");
	if ((t->key >= TOP_CPU_BYTES || t->o->memory) && !t->has_memory)
		result_note(t->at->out, NOTE_WARNING, "no_memory_events", t->at->input, -1,
			"no allocator events in this trace (profile_memory was off): memory is unknown");
	if (!has_rows)
		result_note(t->at->out, NOTE_WARNING, "no_rows", t->at->input, -1,
			"no operator, runtime call, kernel or slice passes the filters, or there is none in "
			"this trace");
	else if (t->at->view.name && t->ops.n == 0 && t->device.n == 0)
		result_note(t->at->out, NOTE_WARNING, "no_match", t->at->input, -1,
			"no name passes -f and -v");
	if (t->by == TOP_BY_SHAPE && t->ops.n && !has_shapes(t))
		result_note(t->at->out, NOTE_WARNING, "no_shapes", t->at->input, -1,
			"no input shapes in this trace (record_shapes was off): rows are by name");
}
