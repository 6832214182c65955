/* The capture command: options to settings, what came of it in words.  The work is in capture/. */
#include "cmd/capture/capture.h"

#include <dlfcn.h>
#include <stdio.h>

#include "base/setting.h"
#include "base/shell.h"
#include "base/unit.h"
#include "capture/launch.h"
#include "capture/precheck.h"
#include "capture/seal.h"
#include "capture/process_identity.h"
#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "report/escape.h"

#define CAPTURE_DEFAULT_OUT "traceq-%n-%h_%p.%t.pt.trace.json.gz"

/* As typed; NULL where an option was not given. */
struct capture_options {
	const char *out, *delay, *warmup, *duration, *window, *kinds, *graph, *nvtx, *nvml, *buffer,
		*cap, *flush, *exit_timeout, *cupti, *lib;
	int64_t level;
	bool flow, cpu, force, check, env, seal;
};

/* ---- the settings ---- */

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

	for (size_t i = 0; i < COUNT_OF(all); i++)
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

/* False when an option is malformed or two contradict each other.  That has been said. */
static bool capture_make_settings(const struct capture_options *o, struct capture_settings *s)
{
	char words[CAPTURE_WORDS_MAX];

	capture_settings_init(s);
	if (!parse_numbers(o, s))
		return false;
	if (o->window &&
		snprintf(s->window, sizeof(s->window), "%s", o->window) >= (int)sizeof(s->window))
		return say("--window: too long"), false;
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
	const char *wrong = contradiction(s);
	return wrong ? (say(wrong), false) : true;
}

/* ---- what came of a capture, in words ---- */

/* A file that may be finished later, and how. */
static void say_left(const char *end, const struct launch_process *p)
{
	SCOPED_ARENA mem = { 0 };

	(void)say_failure("capture: %s, and its file cannot be finished: %s: %s; to try it again:",
		end, p->file, p->error);
	say_command(shell_command(&mem,
		(const char *const[]){ "capture", "--seal", shell_operand(&mem, p->file), NULL }));
}

/* What a process did not do as it should. */
static void say_process(const struct launch_process *p)
{
	SCOPED_STR b = { 0 };

	/* "rank 3 (pid 812) was killed by SIGKILL": how a process ended that finished no file. */
	if (p->rank >= 0)
		str_addf(&b, "rank %d (pid %d) ", p->rank, p->pid);
	else
		str_addf(&b, "the program (pid %d) ", p->pid);
	if (p->signal && sigabbrev_np(p->signal))
		str_addf(&b, "was killed by SIG%s", sigabbrev_np(p->signal));
	else if (p->signal)
		str_addf(&b, "was killed by signal %d", p->signal);
	else
		str_adds(&b, "ended");
	if (p->outcome == LAUNCH_SEALED && p->has_device)
		(void)say_failure("capture: %s%s; the last GPU work in its trace ended %.1f s "
				  "before that",
			b.s, p->signal ? "" : " without finishing its trace",
			p->lost_s > 0 ? p->lost_s : 0.0);
	else if (p->outcome == LAUNCH_SEALED)
		(void)say_failure("capture: %s%s; no GPU work is in its trace", b.s,
			p->signal ? "" : " without finishing its trace");
	else if (p->outcome == LAUNCH_LOST)
		(void)say_failure("capture: %s before anything was recorded", b.s);
	else if (p->outcome == LAUNCH_LEFT)
		say_left(b.s, p);
	else if (p->outcome == LAUNCH_RUNNING)
		(void)say_failure(
			"capture: pid %d still records; it finishes its file itself", p->pid);
}

static bool is_there(const struct launch_process *p)
{
	return p->file[0] && p->outcome != LAUNCH_RUNNING;
}

static void say_file(const struct launch_process *p)
{
	SCOPED_STR b = { 0 };

	str_addf(&b, "  %s  ", p->file);
	if (p->rank >= 0)
		str_addf(&b, "rank %d ", p->rank);
	str_addf(&b, "pid %d  ", p->pid);
	unit_put_count(&b, (int64_t)p->events);
	str_adds(&b, " events  ");
	unit_put_count(&b, (int64_t)p->kernels);
	str_adds(&b, " kernels  ");
	unit_put_bytes(&b, (double)p->bytes);
	str_adds(&b, p->outcome == LAUNCH_WHOLE && !p->is_partial ? "  complete" : "  incomplete");
	(void)say_failure("%s", b.s);
}

static void say_nothing(const struct launch_report *r, const char *library)
{
	struct launch_process program = {
		.pid = r->pid, .rank = -1, .signal = r->signal, .outcome = LAUNCH_LOST
	};

	for (size_t i = 0; i < r->nprocess; i++) {
		if (r->process[i].error[0] || r->process[i].outcome != LAUNCH_NOTHING)
			return; /* that has been said */
		if (r->process[i].used_cuda) {
			(void)say_failure("capture: CUDA was used, but nothing happened while "
					  "recording: nothing recorded");
			return;
		}
	}
	if (r->signal)
		say_process(&program);
	else
		(void)say_failure("capture: the program used no CUDA: nothing recorded. If it ran "
				  "in a container or on another host, the library path must exist "
				  "there too: %s",
			library);
}

/* The files, what is wrong with them, or why there are none.  library: what was injected. */
static void capture_say_report(const struct launch_report *r, const char *library)
{
	size_t files = 0;

	for (size_t i = 0; i < r->nprocess; i++) {
		files += is_there(&r->process[i]);
		say_process(&r->process[i]);
	}
	if (r->left_running)
		(void)say_failure("capture: processes that the program started still run; what "
				  "they record from now on is not in this summary");
	if (!files) {
		say_nothing(r, library);
		return;
	}
	(void)say_failure("%zu file%s:", files, plural_s(files));
	for (size_t i = 0; i < r->nprocess; i++)
		if (is_there(&r->process[i]))
			say_file(&r->process[i]);
}

#define AT(field) offsetof(struct capture_options, field)
static const struct opt own_opts[] = {
	TEXT_OPT("output", 'o', "PATTERN", AT(out),
		"file of each process: %r rank, %l local rank, %w world size, %p pid, %h host, %n "
		"program, %t start in ms, %% a per cent sign [" CAPTURE_DEFAULT_OUT "]"),
	TEXT_OPT("delay", 0, "TIME", AT(delay), "start recording so long after CUDA starts [0s]"),
	TEXT_OPT("warmup", 0, "TIME", AT(warmup),
		"switch CUPTI on so much earlier and discard [1s when there is a delay]"),
	TEXT_OPT("duration", 0, "TIME", AT(duration),
		"stop recording after TIME [at the program's end]"),
	TEXT_OPT("window", 0, "WINDOW", AT(window),
		"when to record: auto; profiler, between cudaProfilerStart and Stop; nvtx:NAME, within "
		"ranges of that name [auto]"),
	TEXT_OPT("kinds", 0, "LIST", AT(kinds),
		"what to record: kernel,copy,set,runtime,driver,sync,overhead are the default; "
		"+events,memory,all-driver add, -sync takes away"),
	CHOICE_OPT("graph", "HOW", AT(graph), "node|graph",
		"CUDA graphs: each node, or one record for each launch, which is cheaper [node]"),
	CHOICE_OPT("nvtx", "WHEN", AT(nvtx), "on|off", "record NVTX ranges [on]"),
	FLAG_OPT("cpu", 0, AT(cpu), "also keep processes that never use CUDA"),
	TEXT_OPT("nvml", 0, "TIME", AT(nvml),
		"sample power, utilization, memory and clocks; 100ms is sensible [off]"),
	TEXT_OPT("buffer", 0, "SIZE", AT(buffer),
		"size of one of CUPTI's buffers, of which each thread has one [128KiB]"),
	TEXT_OPT("memory-cap", 0, "SIZE", AT(cap),
		"most memory for all of them; what does not fit is dropped and counted [64MiB]"),
	TEXT_OPT("flush", 0, "TIME", AT(flush),
		"between two checkpoints: what a killed program loses at most [1s]"),
	INT_OPT("level", 0, "N", AT(level), "of compression, 1 to 9 [1]"),
	FLAG_OPT("flow", 0, AT(flow),
		"write arrows from launches to GPU work; --no-flow leaves them, half of the "
		"events, out [on]"),
	TEXT_OPT("exit-timeout", 0, "TIME", AT(exit_timeout),
		"longest wait without progress at the program's end [10s]"),
	TEXT_OPT("cupti", 0, "FILE", AT(cupti),
		"the libcupti to use [the program's, else the newest]"),
	TEXT_OPT("lib", 0, "FILE", AT(lib),
		"the library to inject [" CAPTURE_LIBRARY " beside traceq or in ../lib/traceq]"),
	FLAG_OPT("force", 0, AT(force), "capture although another tool's variables are set"),
};

static const struct opt instead_opts[] = {
	FLAG_OPT("check", 0, AT(check), "say what would work on this machine"),
	FLAG_OPT("env", 0, AT(env),
		"print the variables that make a program record, for a launcher on another node"),
	FLAG_OPT(
		"seal", 0, AT(seal), "finish the interrupted files that follow (" CAPTURE_PART ")"),
};

static const struct opt_group groups[] = {
	{ "Options", own_opts, COUNT_OF(own_opts), NULL },
	{ "Instead of running a program", instead_opts, COUNT_OF(instead_opts), NULL },
};

static int fail(const char *words)
{
	say(words);
	return LAUNCH_FAILED;
}

#ifdef STATIC_LIBRARIES
/* A static program loads no library: that would take the very glibc it was linked with.  The
 * program that is recorded loads its own, so that only what is said beforehand is missing. */
static void say_no_driver(const struct capture_settings *s UNUSED)
{
}

static int print_check(const struct capture_options *o UNUSED)
{
	return fail("--check would load the driver, which a static traceq cannot; recording works "
		    "with " CAPTURE_LIBRARY " beside it or --lib=PATH");
}
#else
static void say_no_driver(const struct capture_settings *s)
{
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);

	if (!driver)
		(void)say_failure(
			"capture: no NVIDIA driver here (libcuda.so.1 not found): GPU work "
			"cannot be recorded; NVTX ranges %s",
			s->cpu ? "will be" : "are, with --cpu");
	/* It stays: closing a driver is asking for trouble. */
}

static int print_check(const struct capture_options *o)
{
	struct str b = { 0 };
	struct precheck p;

	precheck_look(&p, o->cupti ? o->cupti : "");
	for (size_t i = 0; i < p.n; i++) {
		str_addf(&b, "%-10s %s ", p.item[i].what, p.item[i].is_wrong ? "no " : "ok ");
		escape_terminal(&b, span_of(p.item[i].text), true);
		str_addc(&b, '\n');
	}
	str_addf(&b, "%s\n",
		p.records_gpu ? "GPU work can be recorded here"
			      : "GPU work cannot be recorded here; NVTX ranges can, "
				"with --cpu");
	int code = output_text(&b);
	return code != EXIT_ANSWERED ? code : p.records_gpu ? EXIT_ANSWERED : EXIT_VERDICT;
}

#endif

static int run_program(const struct capture_options *o, char *const *argv)
{
	const char *other = launch_other_tool();
	char library[CAPTURE_PATH_MAX], words[CAPTURE_WORDS_MAX];
	struct launch_report report;
	struct capture_settings s;

	if (!argv[0])
		return fail("no program; traceq capture [options] -- PROGRAM [ARG...]");
	if (!capture_make_settings(o, &s))
		return LAUNCH_FAILED;
	if (!launch_find_library(o->lib, library, words))
		return fail(words);
	if (other && !o->force) {
		(void)say_failure(
			"capture: %s is set: another profiler is at work here; without it, "
			"or with --force",
			other);
		return LAUNCH_FAILED;
	}
	say_no_driver(&s);
	if (launch_run(&s, library, argv, &report, words))
		capture_say_report(&report, library);
	else
		(void)fail(words);
	int exit_code = report.exit_code;
	launch_report_clear(&report);
	return exit_code;
}

/* A variable as a shell sets it. */
static void add_export(struct str *b, const char *name, const char *value)
{
	str_addf(b, "export %s='", name);
	shell_quoted(b, value);
	str_adds(b, "'\n");
}

static int print_env(const struct capture_options *o)
{
	char library[CAPTURE_PATH_MAX], words[CAPTURE_WORDS_MAX], value[8192];
	struct capture_settings s;
	struct str b = { 0 };

	if (!capture_make_settings(o, &s))
		return LAUNCH_FAILED;
	if (!launch_find_library(o->lib, library, words))
		return fail(words);
	if (!capture_settings_encode(&s, value, sizeof(value)))
		return fail("the settings are too long");
	add_export(&b, CAPTURE_VARIABLE, value);
	add_export(&b, "CUDA_INJECTION64_PATH", library);
	if (s.nvtx)
		add_export(&b, "NVTX_INJECTION64_PATH", library);
	return output_text(&b);
}

static int seal_files(char *const *file)
{
	char error[CAPTURE_WORDS_MAX];
	int exit_code = EXIT_ANSWERED;
	struct sealed sealed;

	if (!*file)
		return say_failure("capture: --seal: no file");
	for (; *file; file++) {
		SCOPED_STR b = { 0 };

		if (seal_file(*file, &sealed, error) != SEAL_OK) {
			exit_code = say_failure("%s: %s", *file, error);
			continue;
		}
		str_addf(&b, "%s: ", sealed.path);
		unit_put_count(&b, (int64_t)sealed.events);
		str_addf(&b, " events, %s", sealed.was_complete ? "was complete" : "sealed");
		(void)say_failure("%s", b.s);
	}
	return exit_code;
}

size_t capture_program_at(int argc, char *const *argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		const char *w = argv[i];
		size_t n = strcspn(w, "=");

		if (w[0] != '-' || !w[1] || strcmp(w, "--") == 0)
			break;
		for (size_t g = 0; g < COUNT_OF(groups); g++)
			for (EACH(const struct opt, o, groups[g].opt, groups[g].n)) {
				bool is_long = w[1] == '-' && !w[n] && o->name &&
					strcmp(w + 2, o->name) == 0;
				bool is_short = o->letter && w[1] == o->letter && !w[2];

				i += o->type != OPT_FLAG && (is_long || is_short);
			}
	}
	return (size_t)MIN(i, argc);
}

static int obey(const struct capture_options *o, char **rest)
{
	if (o->check + o->env + o->seal > 1)
		return fail("one of --check, --env, --seal");
	if (o->seal)
		return seal_files(rest);
	if (o->check || o->env)
		return *rest ? fail("--check and --env run no program")
			     : (o->check ? print_check(o) : print_env(o));
	return run_program(o, rest);
}

static int run(const struct command_line *line)
{
	struct capture_options o = { .level = 1, .flow = true };
	struct command_line own = *line;
	size_t at = capture_program_at(line->argc, line->argv), n;
	char **rest = line->argv + at;
	const char **operand;
	struct err e;
	int exit_code;

	own.argc = (int)at;
	if (*rest && strcmp(*rest, "--") == 0)
		rest++;
	if (options_parse(groups, COUNT_OF(groups), (void *[]){ &o, &o }, &own, &operand, &n, &e) ==
		OK)
		exit_code = obey(&o, rest);
	else
		exit_code =
			say_usage("capture", &e) == EXIT_NO_ANSWER ? LAUNCH_FAILED : (int)e.offset;
	free(operand);
	return exit_code;
}

COMMAND(capture) = {
	.name = "capture",
	.summary = "record a CUDA program: kernels, copies, calls, NVTX ranges",
	.operands = "[--] PROGRAM [ARG...]",
	.doc = "Runs PROGRAM, which need not be built for it, and writes a trace for each of "
	       "its processes that uses CUDA, as torch.profiler writes them: traceq, Perfetto, "
	       "HTA and TensorBoard read it. Kernels, copies, sets, CUDA calls, waits and NVTX "
	       "ranges are recorded through CUPTI; nothing of CUDA is needed where traceq was "
	       "built.\n\n"
	       "A program that is killed leaves a trace up to its last checkpoint (--flush). "
	       "Memory is bounded (--memory-cap): what does not fit is dropped, counted and "
	       "said; the program never waits. While capture holds CUPTI, torch.profiler in the "
	       "same program records no GPU work, nor do other profilers.\n\n"
	       "Nothing goes to stdout but what the program writes; what came of the capture is "
	       "said on stderr.",
	.exit_codes = "N    the program's own; 128 and the signal's number if one killed it\n"
		      "125  capture itself failed: wrong options, no library, another profiler\n"
		      "126  the program is there but cannot be run\n"
		      "127  there is no such program\n"
		      "0    --check: GPU work can be recorded here; --seal: all files are whole\n"
		      "1    --check: it cannot\n"
		      "2    --seal: a file could not be finished; output not written\n",
	.examples = "traceq capture -- ./train\n"
		    "traceq capture -o run_%r.json.gz -- torchrun --nproc-per-node=8 train.py\n"
		    "traceq capture --delay 30s --duration 10s --nvml 100ms -- python train.py\n"
		    "traceq capture --seal run_3.pt.trace.json.gz.part\n",
	COMMAND_HAS(group, groups),
	.run = run,
};
