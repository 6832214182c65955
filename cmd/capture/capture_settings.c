/*
 * The capture command's options to the settings that travel to the program.
 */
#include "cmd/capture/capture_settings.h"

#include <string.h>

#include "base/compiler.h"
#include "base/opt.h"
#include "base/setting.h"
#include "capture/launch.h"
#include "capture/process_identity.h"
#include "cmd/say.h"

static void say(const char *words)
{
	(void)say_failure("capture: %s", words);
}

static bool parse_number(const char *name, enum setting_type type, const char *text, int64_t *v)
{
	const struct setting row = { .key = name, .type = type, .preset = "", .help = "" };
	struct setting_value value;
	struct err e;

	if (!text)
		return true;
	if (setting_parse(&row, text, &value, &e) != OK) {
		(void)say_error("capture", &e);
		return false;
	}
	*v = value.i;
	return true;
}

static bool parse_numbers(const struct capture_options *o, struct capture_settings *s)
{
	const struct {
		const char *name, *text;
		enum setting_type type;
		int64_t *v;
	} all[] = {
		{ "--delay", o->delay, SETTING_TIME, &s->delay_ns },
		{ "--warmup", o->warmup, SETTING_TIME, &s->warmup_ns },
		{ "--duration", o->duration, SETTING_TIME, &s->duration_ns },
		{ "--flush", o->flush, SETTING_TIME, &s->flush_ns },
		{ "--exit-timeout", o->exit_timeout, SETTING_TIME, &s->exit_timeout_ns },
		{ "--buffer", o->buffer, SETTING_BYTES, &s->buffer_bytes },
		{ "--memory-cap", o->cap, SETTING_BYTES, &s->cap_bytes },
	};
	size_t i;

	for (i = 0; i < COUNT_OF(all); i++)
		if (!parse_number(all[i].name, all[i].type, all[i].text, all[i].v))
			return false;
	if (!o->nvml || strcmp(o->nvml, "off") == 0)
		return true;
	return parse_number("--nvml", SETTING_TIME, o->nvml, &s->nvml_ns);
}

/* What is wrong with the settings together, or NULL. */
static const char *contradiction(const struct capture_settings *s)
{
	if (s->level < 1 || s->level > 9)
		return "--level: 1 to 9";
	if (s->buffer_bytes < 65536 || s->buffer_bytes > 1 << 28)
		return "--buffer: 64KiB to 256MiB";
	if (s->cap_bytes < 2 * s->buffer_bytes)
		return "--memory-cap: at least two buffers (--buffer)";
	if (s->flush_ns < 10000000)
		return "--flush: at least 10ms";
	if (s->nvml_ns && s->nvml_ns < 1000000)
		return "--nvml: at least 1ms";
	if (strcmp(s->window, "auto") != 0 && strcmp(s->window, "profiler") != 0 &&
		(strncmp(s->window, "nvtx:", 5) != 0 || !s->window[5]))
		return "--window: auto, profiler or nvtx:NAME";
	if (strcmp(s->window, "auto") != 0 && s->delay_ns)
		return "--delay goes with --window=auto only";
	if (strncmp(s->window, "nvtx:", 5) == 0 && !s->nvtx)
		return "--window=nvtx:NAME needs --nvtx=on";
	return NULL;
}

static bool put_text(const char *name, const char *text, char *to, size_t size)
{
	if (!text)
		return true;
	if (strlen(text) >= size) {
		(void)say_failure("capture: %s: too long", name);
		return false;
	}
	memcpy(to, text, strlen(text) + 1);
	return true;
}

/* A pattern that cannot be expanded is found before the program has run for hours. */
static bool check_pattern(const char *pattern, const char *path)
{
	char name[CAPTURE_PATH_MAX * 2];
	struct process_identity w;

	process_identity_ask(&w);
	if (process_identity_expand(&w, path, name, sizeof(name)))
		return true;
	(void)say_failure(
		"capture: --output: bad file name '%s': after %% one of r l w p h n t %%", pattern);
	return false;
}

bool capture_make_settings(const struct capture_options *o, struct capture_settings *s)
{
	char words[LAUNCH_WORDS_MAX];
	const char *wrong;

	capture_settings_init(s);
	if (!parse_numbers(o, s) || !put_text("--window", o->window, s->window, sizeof(s->window)))
		return false;
	if (s->delay_ns && !o->warmup)
		s->warmup_ns = 1000000000;
	s->level = o->level;
	s->flow = o->flow;
	s->cpu = o->cpu;
	s->nvtx = !o->nvtx || strcmp(o->nvtx, "on") == 0;
	s->graph_whole = o->graph && strcmp(o->graph, "graph") == 0;
	if (o->kinds && !capture_kinds_parse(o->kinds, &s->kinds, words))
		return say(words), false;
	if (o->cupti && !launch_find_library(o->cupti, s->cupti, words))
		return say(words), false;
	if (!launch_absolute(o->out ? o->out : CAPTURE_DEFAULT_OUT, s->out, words))
		return say(words), false;
	if (o->out && !check_pattern(o->out, s->out))
		return false;
	wrong = contradiction(s);
	return wrong ? (say(wrong), false) : true;
}
