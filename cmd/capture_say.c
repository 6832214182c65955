/*
 * What came of a capture, in words.
 */
#include "cmd/capture_say.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/unit.h"
#include "capture/launch_report.h"
#include "cmd/say.h"

static void say_incomplete(const struct launch_process *p)
{
	char who[64] = "the program";
	struct str how = { 0 };

	if (p->rank >= 0)
		(void)snprintf(who, sizeof(who), "rank %d", p->rank);
	if (p->signal)
		str_addf(&how, "was killed by %s%s", sigabbrev_np(p->signal) ? "SIG" : "signal",
			sigabbrev_np(p->signal) ? sigabbrev_np(p->signal) : "");
	else
		str_adds(&how, "ended without finishing its trace");
	(void)say_failure("capture: %s (pid %d) %s; its trace is complete to %.1f s before the end",
		who, p->pid, how.s, p->lost_s > 0 ? p->lost_s : 0.0);
	str_free(&how);
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
	str_adds(&b, p->is_complete ? "  complete" : "  incomplete");
	(void)say_failure("%s", b.s);
	str_free(&b);
}

static void say_nothing(const struct launch_report *r, const char *library)
{
	size_t i;

	for (i = 0; i < r->nprocess; i++) {
		if (r->process[i].error[0])
			return; /* that has been said */
		if (r->process[i].used_cuda) {
			(void)say_failure("capture: CUDA was used, but nothing happened while "
					  "recording: nothing recorded");
			return;
		}
	}
	(void)say_failure("capture: the program used no CUDA: nothing recorded. If it ran in a "
			  "container or on another host, the library path must exist there too: %s",
		library);
}

void capture_say_report(const struct launch_report *r, const char *library)
{
	size_t i, files = 0;

	for (i = 0; i < r->nprocess; i++) {
		files += r->process[i].file[0] != 0;
		if (r->process[i].file[0] && !r->process[i].is_complete)
			say_incomplete(&r->process[i]);
	}
	if (!files) {
		say_nothing(r, library);
		return;
	}
	(void)say_failure("%zu file%s:", files, files == 1 ? "" : "s");
	for (i = 0; i < r->nprocess; i++)
		if (r->process[i].file[0])
			say_file(&r->process[i]);
}
