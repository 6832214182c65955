/*
 * What came of a capture, in words.
 */
#include "cmd/capture/capture_say.h"

#include <string.h>

#include "base/arena.h"
#include "base/plural.h"
#include "base/shell.h"
#include "base/str.h"
#include "base/unit.h"
#include "capture/launch_report.h"
#include "cmd/say.h"

/* "rank 3 (pid 812) was killed by SIGKILL": how a process ended that finished no file. */
static void add_end(struct str *b, const struct launch_process *p)
{
	if (p->rank >= 0)
		str_addf(b, "rank %d (pid %d) ", p->rank, p->pid);
	else
		str_addf(b, "the program (pid %d) ", p->pid);
	if (p->signal && sigabbrev_np(p->signal))
		str_addf(b, "was killed by SIG%s", sigabbrev_np(p->signal));
	else if (p->signal)
		str_addf(b, "was killed by signal %d", p->signal);
	else
		str_adds(b, "ended");
}

/* A file that may be finished later, and how. */
static void say_left(const char *end, const struct launch_process *p)
{
	struct arena mem;

	(void)say_failure("capture: %s, and its file cannot be finished: %s: %s; to try it again:",
		end, p->file, p->error);
	arena_init(&mem);
	say_command(shell_command(&mem,
		(const char *const[]){ "capture", "--seal", shell_operand(&mem, p->file), NULL }));
	arena_clear(&mem);
}

/* What a process did not do as it should. */
static void say_process(const struct launch_process *p)
{
	struct str b = { 0 };

	add_end(&b, p);
	if (p->outcome == LAUNCH_SEALED && p->has_device)
		(void)say_failure("capture: %s%s; the last device work in its trace ended %.1f s "
				  "before that",
			b.s, p->signal ? "" : " without finishing its trace",
			p->lost_s > 0 ? p->lost_s : 0.0);
	else if (p->outcome == LAUNCH_SEALED)
		(void)say_failure("capture: %s%s; no device work is in its trace", b.s,
			p->signal ? "" : " without finishing its trace");
	else if (p->outcome == LAUNCH_LOST)
		(void)say_failure("capture: %s before anything was recorded", b.s);
	else if (p->outcome == LAUNCH_LEFT)
		say_left(b.s, p);
	else if (p->outcome == LAUNCH_RUNNING)
		(void)say_failure(
			"capture: pid %d still records; it finishes its file itself", p->pid);
	str_free(&b);
}

static bool is_there(const struct launch_process *p)
{
	return p->file[0] && p->outcome != LAUNCH_RUNNING;
}

static void say_file(const struct launch_process *p)
{
	struct str b = { 0 };

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
	str_free(&b);
}

static void say_nothing(const struct launch_report *r, const char *library)
{
	struct launch_process program = {
		.pid = r->pid, .rank = -1, .signal = r->signal, .outcome = LAUNCH_LOST
	};
	size_t i;

	for (i = 0; i < r->nprocess; i++) {
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

void capture_say_report(const struct launch_report *r, const char *library)
{
	size_t i, files = 0;

	for (i = 0; i < r->nprocess; i++) {
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
	for (i = 0; i < r->nprocess; i++)
		if (is_there(&r->process[i]))
			say_file(&r->process[i]);
}
