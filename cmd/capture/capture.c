/*
 * The capture command: options to settings, what came of it in words.  The work is in capture/.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/opt.h"
#include "base/minmax.h"
#include "base/str.h"
#include "base/unit.h"
#include "capture/launch.h"
#include "capture/precheck.h"
#include "capture/seal.h"
#include "capture/settings.h"
#include "cmd/capture/capture.h"
#include "cmd/capture/capture_say.h"
#include "cmd/capture/capture_settings.h"
#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "report/escape.h"

#define AT(field) offsetof(struct capture_options, field)
static const struct opt own_opts[] = {
	OPT("output", 'o', OPT_TEXT, "PATTERN",
		"file of each process: %r rank, %l local rank, %w world size, %p pid, %h host, %n "
		"program, %t start in ms, %% a per cent sign [" CAPTURE_DEFAULT_OUT "]",
		AT(out), NULL, NULL),
	OPT("delay", 0, OPT_TEXT, "TIME", "start recording so long after CUDA starts [0s]",
		AT(delay), NULL, NULL),
	OPT("warmup", 0, OPT_TEXT, "TIME",
		"switch CUPTI on so much earlier and discard [1s when there is a delay]",
		AT(warmup), NULL, NULL),
	OPT("duration", 0, OPT_TEXT, "TIME", "stop recording after TIME [at the program's end]",
		AT(duration), NULL, NULL),
	OPT("window", 0, OPT_TEXT, "WINDOW",
		"when to record: auto; profiler, between cudaProfilerStart and Stop; nvtx:NAME, within "
		"ranges of that name [auto]",
		AT(window), NULL, NULL),
	OPT("kinds", 0, OPT_TEXT, "LIST",
		"what to record: kernel,copy,set,runtime,driver,sync,overhead are the default; "
		"+events,memory,all-driver add, -sync takes away",
		AT(kinds), NULL, NULL),
	OPT("graph", 0, OPT_CHOICE, "HOW",
		"CUDA graphs: each node, or one record for each launch, which is cheaper [node]",
		AT(graph), "node|graph", NULL),
	OPT("nvtx", 0, OPT_CHOICE, "WHEN", "record NVTX ranges [on]", AT(nvtx), "on|off", NULL),
	OPT("cpu", 0, OPT_FLAG, NULL, "also keep processes that never use CUDA", AT(cpu), NULL,
		NULL),
	OPT("nvml", 0, OPT_TEXT, "TIME",
		"sample power, utilization, memory and clocks; 100ms is sensible [off]", AT(nvml),
		NULL, NULL),
	OPT("buffer", 0, OPT_TEXT, "SIZE",
		"size of one of CUPTI's buffers, of which each thread has one [128KiB]", AT(buffer),
		NULL, NULL),
	OPT("memory-cap", 0, OPT_TEXT, "SIZE",
		"most memory for all of them; what does not fit is dropped and counted [64MiB]",
		AT(cap), NULL, NULL),
	OPT("flush", 0, OPT_TEXT, "TIME",
		"between two checkpoints: what a killed program loses at most [1s]", AT(flush),
		NULL, NULL),
	OPT("level", 0, OPT_INT, "N", "of compression, 1 to 9 [1]", AT(level), NULL, NULL),
	OPT("flow", 0, OPT_FLAG, NULL,
		"write arrows from launches to device work; --no-flow leaves them, half of the "
		"events, out [on]",
		AT(flow), NULL, NULL),
	OPT("exit-timeout", 0, OPT_TEXT, "TIME",
		"longest wait without progress at the program's end [10s]", AT(exit_timeout), NULL,
		NULL),
	OPT("cupti", 0, OPT_TEXT, "FILE", "the libcupti to use [the program's, else the newest]",
		AT(cupti), NULL, NULL),
	OPT("lib", 0, OPT_TEXT, "FILE",
		"the library to inject [" CAPTURE_LIBRARY " beside traceq or in ../lib/traceq]",
		AT(lib), NULL, NULL),
	OPT("force", 0, OPT_FLAG, NULL, "capture although another tool's variables are set",
		AT(force), NULL, NULL),
};

static const struct opt instead_opts[] = {
	OPT("check", 0, OPT_FLAG, NULL, "say what would work on this machine", AT(check), NULL,
		NULL),
	OPT("env", 0, OPT_FLAG, NULL,
		"print the variables that make a program record, for a launcher on another node",
		AT(env), NULL, NULL),
	OPT("seal", 0, OPT_FLAG, NULL,
		"finish the interrupted files that follow (" CAPTURE_PART ")", AT(seal), NULL,
		NULL),
};

static const struct opt_group groups[] = {
	{ "Options", own_opts, COUNT_OF(own_opts), NULL },
	{ "Instead of running a program", instead_opts, COUNT_OF(instead_opts), NULL },
};

static int fail(const char *words)
{
	(void)say_failure("capture: %s", words);
	return LAUNCH_FAILED;
}

#ifdef STATIC_LIBRARIES
/*
 * A static program loads no library: that would take the very glibc it was linked with.  The
 * program that is recorded loads its own, so that only what is said beforehand is missing.
 */
static void say_no_driver(const struct capture_settings *s)
{
	(void)s;
}

static int print_check(const struct capture_options *o)
{
	(void)o;
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
	size_t i;
	int code;

	precheck_look(&p, o->cupti ? o->cupti : "");
	for (i = 0; i < p.n; i++) {
		str_addf(&b, "%-10s %s ", p.item[i].what, p.item[i].is_wrong ? "no " : "ok ");
		escape_terminal(&b, span_of(p.item[i].text), true);
		str_addc(&b, '\n');
	}
	str_addf(&b, "%s\n",
		p.records_gpu ? "GPU work can be recorded here"
			      : "GPU work cannot be recorded here; NVTX ranges can, "
				"with --cpu");
	code = output_text(&b);
	return code != EXIT_ANSWERED ? code : p.records_gpu ? EXIT_ANSWERED : EXIT_VERDICT;
}

#endif

static int run_program(const struct capture_options *o, char *const *argv)
{
	const char *other = launch_other_tool();
	char library[CAPTURE_PATH_MAX], words[LAUNCH_WORDS_MAX];
	struct launch_report report;
	struct capture_settings s;
	int exit_code;

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
	exit_code = report.exit_code;
	launch_report_clear(&report);
	return exit_code;
}

/* A value as a shell reads it. */
static void add_quoted(struct str *b, const char *s)
{
	str_addc(b, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			str_adds(b, "'\\''");
		else
			str_addc(b, *s);
	}
	str_adds(b, "'\n");
}

static int print_env(const struct capture_options *o)
{
	char library[CAPTURE_PATH_MAX], words[LAUNCH_WORDS_MAX], value[8192];
	struct capture_settings s;
	struct str b = { 0 };

	if (!capture_make_settings(o, &s))
		return LAUNCH_FAILED;
	if (!launch_find_library(o->lib, library, words))
		return fail(words);
	if (!capture_settings_encode(&s, value, sizeof(value)))
		return fail("the settings are too long");
	str_adds(&b, "export " CAPTURE_VARIABLE "=");
	add_quoted(&b, value);
	str_adds(&b, "export CUDA_INJECTION64_PATH=");
	add_quoted(&b, library);
	if (s.nvtx) {
		str_adds(&b, "export NVTX_INJECTION64_PATH=");
		add_quoted(&b, library);
	}
	return output_text(&b);
}

static int seal_files(char *const *file)
{
	char error[SEAL_ERROR_MAX];
	int exit_code = EXIT_ANSWERED;
	struct sealed sealed;

	if (!*file)
		return say_failure("capture: --seal: no file");
	for (; *file; file++) {
		struct str b = { 0 };

		if (seal_file(*file, &sealed, error) != SEAL_OK) {
			exit_code = say_failure("%s: %s", *file, error);
			continue;
		}
		str_addf(&b, "%s: ", sealed.path);
		unit_put_count(&b, (int64_t)sealed.events);
		str_addf(&b, " events, %s", sealed.was_complete ? "was complete" : "sealed");
		(void)say_failure("%s", b.s);
		str_free(&b);
	}
	return exit_code;
}

size_t capture_program_at(int argc, char *const *argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		const char *w = argv[i];
		size_t g, k, n = strcspn(w, "=");

		if (w[0] != '-' || !w[1] || strcmp(w, "--") == 0)
			break;
		for (g = 0; g < COUNT_OF(groups); g++)
			for (k = 0; k < groups[g].n; k++) {
				const struct opt *o = &groups[g].opt[k];
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
	.doc = "Runs PROGRAM, which need not be built for it, and writes a trace for each of its "
	       "processes that uses CUDA, as torch.profiler writes them: traceq, Perfetto, HTA and "
	       "TensorBoard read it. Kernels, copies, sets, CUDA calls, waits and NVTX ranges are "
	       "recorded through CUPTI; nothing of CUDA is needed where traceq was built.\n\n"
	       "A program that is killed leaves a trace up to its last checkpoint (--flush). Memory "
	       "is bounded (--memory-cap): what does not fit is dropped, counted and said; the "
	       "program never waits. While capture holds CUPTI, torch.profiler in the same program "
	       "records no device work, nor do other profilers.\n\n"
	       "Nothing goes to stdout but what the program writes; what came of the capture is said "
	       "on stderr.",
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
	.group = groups,
	.ngroup = COUNT_OF(groups),
	.run = run,
};
