/* A program for tests of capture: known work through the fake driver, NVTX ranges through a loader
 * of its own (as the header-only NVTX has one in each object), and many ways to end.
 *
 *   app [n=1000] [t=1] [end=exit] [cuda=1] [nvtx=0] [graph=0] [mix=1] [us=0] [hold=0] [profiler=0]
 *
 *   peak=1: the most memory it had, too
 *   n  launches of each thread        t    threads          us    pause after each launch
 *   mix=1: also copies, sets, waits   graph: graph launches of 5 nodes each
 *   end: exit return _exit kill9 segv term abort forkfirst forkafter forkkill exec hostile
 *   query=N: so many cudaEventQuery a thread; queue=N: so many kernels of 20 ms at the end,
 * unawaited hold: ms to wait before the end; go=FILE: not longer than until that is there profiler:
 * only the second half between cuProfilerStart, Stop
 *
 *   flood: so many NVTX ranges of each thread, each with a name of its own, before its launches
 *   other=HOW: another user of CUPTI in the program has the second third of it (app_other.h)
 *   script=FILE: no work of its own, but the records of that file
 *
 * What it did goes to stdout as one JSON object: the tests compare the trace with it. */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/capture/app_nvtx.h"
#include "tests/capture/app_other.h"
#include "tests/capture/app_self.h"
#include "tests/capture/fake.h"

enum { THREADS_MAX = 256 };

struct plan {
	long n, t, cuda, nvtx, graph, mix, us, hold, profiler, flood, query, queue;
	const char *end, *script, *go, *other;
	char **argv;
};

/* What one thread did. */
struct done {
	long kernels[3], copies, sets, api, graph_nodes, ranges;
	long long kernel_ns[3], copy_ns, copy_bytes, set_bytes, set_ns;
	const struct plan *plan;
	long number;
};

/* saxpy(int, float, float*, float*), a template, one that is no C++ name. */
static const char *const kernel_names[3] = { "_Z5saxpyifPfS_", "_Z6reduceIfLi256EEvPKT_PS0_m",
	"plain_c_kernel" };

/* ---- work ---- */

static struct fake_work base_work(const struct done *d, enum fake_kind kind)
{
	return (struct fake_work){ .kind = kind,
		.stream = (uint32_t)(7 + d->number),
		.grid = { 1024, 1, 1 },
		.block = { 256, 1, 1 },
		.registers = 32,
		.static_smem = 1024,
		.duration_ns = 1000 };
}

static void launch(struct done *d, long i)
{
	struct fake_work w = base_work(d, FAKE_KERNEL);
	int which = (int)(i % 3);

	w.name = kernel_names[which];
	w.duration_ns = 1000 + 10 * which;
	if (which == 1) {
		w.dynamic_smem = 200 * 1024;
		w.smem_limit = 1;
	}
	fake_work(&w);
	d->kernels[which]++;
	d->kernel_ns[which] += w.duration_ns;
	d->api++;
}

static void copy(struct done *d)
{
	struct fake_work w = base_work(d, FAKE_COPY);

	w.copy_kind = 1;
	w.source = 1;
	w.target = 3;
	w.bytes = 65536;
	w.duration_ns = 2621;
	fake_work(&w);
	d->copies++;
	d->copy_ns += w.duration_ns;
	d->copy_bytes += (long long)w.bytes;
	d->api++;
}

static void mixed(struct done *d)
{
	struct fake_work w = base_work(d, FAKE_SET);

	copy(d);
	w.bytes = 4096;
	w.duration_ns = 500;
	fake_work(&w);
	d->sets++;
	d->set_ns += w.duration_ns;
	d->set_bytes += (long long)w.bytes;
	w = base_work(d, FAKE_NOISE);
	fake_work(&w);
	w = base_work(d, FAKE_EVENT_RECORD);
	w.event = 5;
	fake_work(&w);
	w.kind = FAKE_STREAM_WAIT;
	fake_work(&w);
	w.kind = FAKE_SYNC_STREAM;
	w.duration_ns = 5000;
	fake_work(&w);
	d->api += 4;
}

static void graph(struct done *d)
{
	struct fake_work w = base_work(d, FAKE_GRAPH);

	w.nodes = 5;
	w.name = "graph_kernel";
	fake_work(&w);
	d->graph_nodes += w.nodes;
	d->api++;
}

static void profiler_half(const struct plan *p, long i)
{
	if (p->profiler && i == p->n / 2)
		(void)cuProfilerStart();
}

static void other_third(const struct plan *p, long i)
{
	if (p->other && i == p->n / 3)
		app_other_begin(p->other);
	if (p->other && i == 2 * p->n / 3)
		app_other_end(p->other);
}

static void flood(struct done *d)
{
	const struct plan *p = d->plan;
	char name[64];
	long i;

	for (i = 0; i < p->flood; i++) {
		(void)snprintf(name, sizeof(name), "iteration %ld of thread %ld", i, d->number);
		app_push(name);
		app_pop();
		d->ranges++;
	}
}

/* An event that is asked for, ready every other time. */
static void polls(const struct done *d)
{
	struct fake_work w = base_work(d, FAKE_QUERY);
	long i;

	w.event = 5;
	for (i = 0; i < d->plan->query; i++) {
		w.failed = i % 2 ? 600 : 0;
		fake_work(&w);
	}
}

/* Kernels of 20 ms, one behind the other, that nobody waits for. */
static void long_work(struct done *d)
{
	struct fake_work w = base_work(d, FAKE_KERNEL);
	long i;

	w.name = "long_kernel";
	w.duration_ns = 20000000;
	for (i = 0; i < d->plan->queue; i++)
		fake_work(&w);
}

static void *work(void *arg)
{
	struct done *d = arg;
	const struct plan *p = d->plan;
	long i;

	flood(d);
	for (i = 0; i < p->n && p->cuda; i++) {
		profiler_half(p, i);
		other_third(p, i);
		if (p->nvtx && i % 10 == 0) {
			char name[32];

			(void)snprintf(name, sizeof(name), "step %ld", i / 10 % 4);
			app_push(name);
			app_push("forward");
			d->ranges += 2;
		}
		launch(d, i);
		if (p->mix && i % 100 == 0)
			mixed(d);
		if (p->graph && i % 10 == 0)
			graph(d);
		if (p->nvtx && i % 10 == 9) {
			app_pop();
			app_pop();
		}
		if (p->us)
			(void)usleep((unsigned)p->us);
	}
	if (p->profiler)
		(void)cuProfilerStop();
	polls(d);
	long_work(d);
	return NULL;
}

/* ---- the end ---- */

static void report(const struct done *d, long t)
{
	struct done sum = { 0 };
	long i, k;

	for (i = 0; i < t; i++) {
		for (k = 0; k < 3; k++) {
			sum.kernels[k] += d[i].kernels[k];
			sum.kernel_ns[k] += d[i].kernel_ns[k];
		}
		sum.copies += d[i].copies;
		sum.copy_ns += d[i].copy_ns;
		sum.copy_bytes += d[i].copy_bytes;
		sum.sets += d[i].sets;
		sum.set_bytes += d[i].set_bytes;
		sum.set_ns += d[i].set_ns;
		sum.api += d[i].api;
		sum.graph_nodes += d[i].graph_nodes;
		sum.ranges += d[i].ranges;
	}
	printf("{\"pid\": %d, \"kernels\": [%ld, %ld, %ld], \"kernel_ns\": [%lld, %lld, %lld], "
	       "\"copies\": %ld, \"copy_ns\": %lld, \"copy_bytes\": %lld, \"sets\": %ld, "
	       "\"set_bytes\": %lld, \"set_ns\": %lld, \"api\": %ld, \"graph_nodes\": %ld, "
	       "\"ranges\": %ld, \"cuptis\": %d}\n",
		(int)getpid(), sum.kernels[0], sum.kernels[1], sum.kernels[2], sum.kernel_ns[0],
		sum.kernel_ns[1], sum.kernel_ns[2], sum.copies, sum.copy_ns, sum.copy_bytes,
		sum.sets, sum.set_bytes, sum.set_ns, sum.api, sum.graph_nodes, sum.ranges,
		app_count_cuptis());
	(void)fflush(stdout);
}

static void run(const struct plan *p)
{
	static pthread_t thread[THREADS_MAX];
	static struct done d[THREADS_MAX];
	long i, t = p->t < THREADS_MAX ? p->t : THREADS_MAX;

	for (i = 0; i < t; i++) {
		d[i].plan = p;
		d[i].number = i;
	}
	if (p->nvtx)
		d[0].ranges += app_nvtx_everything();
	for (i = 1; i < t; i++)
		if (pthread_create(&thread[i], NULL, work, &d[i]) != 0)
			abort();
	(void)work(&d[0]);
	for (i = 1; i < t; i++)
		(void)pthread_join(thread[i], NULL);
	report(d, t);
}

static void hostile(void)
{
	static char name[20001];
	struct done d = { 0 };
	struct fake_work w = base_work(&d, FAKE_KERNEL);
	static const char *const names[] = { "quote\" back\\slash",
		"control\x01\x1f\x7f\ttab\nline", "invalid \xff\xfe\xc3 utf-8", "\xe2\x98\xba fine",
		"", "_Z", "_ZN", "</script>,{}[]" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		w.name = names[i];
		fake_work(&w);
	}
	memset(name, 'x', sizeof(name) - 1);
	memcpy(name, "_Z19999", 7);
	w.name = name;
	fake_work(&w);
	w.name = NULL;
	fake_work(&w);
	w.name = "failed";
	w.failed = 700;
	w.grid[0] = w.grid[1] = w.grid[2] = 2147483647;
	w.block[0] = w.block[1] = w.block[2] = -1;
	fake_work(&w);
	w = base_work(&d, FAKE_COPY);
	w.copy_kind = 200;
	w.source = 99;
	w.bytes = UINT64_MAX;
	w.duration_ns = 0;
	fake_work(&w);
	w.kind = FAKE_PEER;
	fake_work(&w);
}

/* Records of a file; their times are after the one that is printed. */
static void play(const char *path)
{
	struct timespec t;
	int64_t start_ns;

	clock_gettime(CLOCK_REALTIME, &t);
	start_ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
	fake_script(path, start_ns);
	printf("{\"pid\": %d, \"start_ns\": %lld}\n", (int)getpid(), (long long)start_ns);
	(void)fflush(stdout);
}

static void fork_first(void)
{
	if (fork() == 0)
		return; /* the child does the work as well */
	(void)cuInit(0);
}

static void fork_after(void)
{
	pid_t child = fork();

	if (child == 0)
		exit(0); /* runs the handlers it inherited */
	(void)waitpid(child, NULL, 0);
}

/* How a forked child that was sent the signal ended: the signal, 0 when it was still there. */
static int killed_by(int number)
{
	int ready[2], status = 0, i;
	pid_t child;
	char byte = 0;

	if (pipe(ready) != 0)
		abort();
	child = fork();
	if (child == 0) {
		(void)!write(ready[1], &byte, 1); /* behind the handlers that fork runs */
		for (;;)
			(void)pause();
	}
	(void)!read(ready[0], &byte, 1);
	(void)close(ready[0]);
	(void)close(ready[1]);
	(void)kill(child, number);
	for (i = 0; i < 1000 && waitpid(child, &status, WNOHANG) == 0; i++)
		(void)usleep(1000);
	if (i < 1000)
		return WIFSIGNALED(status) ? WTERMSIG(status) : -1;
	(void)kill(child, SIGKILL);
	(void)waitpid(child, NULL, 0);
	return 0;
}

/* What multiprocessing does with its workers: fork, then a signal to the child. */
static void fork_kill(void)
{
	int term = killed_by(SIGTERM), interrupt = killed_by(SIGINT), hangup = killed_by(SIGHUP);

	printf("{\"killed_by\": [%d, %d, %d]}\n", term, interrupt, hangup);
	(void)fflush(stdout);
}

static void end(const struct plan *p)
{
	long i;

	for (i = 0; i < p->hold && (!p->go || access(p->go, F_OK) != 0); i++)
		(void)usleep(1000);
	if (strcmp(p->end, "_exit") == 0)
		_exit(3);
	if (strcmp(p->end, "kill9") == 0)
		(void)raise(SIGKILL);
	if (strcmp(p->end, "segv") == 0)
		(void)raise(SIGSEGV);
	if (strcmp(p->end, "abort") == 0)
		abort();
	if (strcmp(p->end, "term") == 0) {
		(void)raise(SIGTERM);
		for (;;)
			(void)pause();
	}
	if (strcmp(p->end, "forkafter") == 0)
		fork_after();
	if (strcmp(p->end, "forkkill") == 0)
		fork_kill();
	if (strcmp(p->end, "exec") == 0) {
		char *again[] = { p->argv[0], (char *)(uintptr_t) "n=10",
			(char *)(uintptr_t) "mix=0", NULL };

		(void)execv("/proc/self/exe", again);
	}
	exit(strcmp(p->end, "fail") == 0 ? 5 : 0);
}

static long number(int argc, char **argv, const char *key, long otherwise)
{
	size_t n = strlen(key);
	int i;

	for (i = 1; i < argc; i++)
		if (strncmp(argv[i], key, n) == 0 && argv[i][n] == '=')
			return strtol(argv[i] + n + 1, NULL, 10);
	return otherwise;
}

int main(int argc, char **argv)
{
	struct plan p = { .end = "exit", .argv = argv };
	int i;

	p.n = number(argc, argv, "n", 1000);
	p.t = number(argc, argv, "t", 1);
	p.cuda = number(argc, argv, "cuda", 1);
	p.nvtx = number(argc, argv, "nvtx", 0);
	p.graph = number(argc, argv, "graph", 0);
	p.mix = number(argc, argv, "mix", 1);
	p.us = number(argc, argv, "us", 0);
	p.hold = number(argc, argv, "hold", 0);
	p.flood = number(argc, argv, "flood", 0);
	p.query = number(argc, argv, "query", 0);
	p.queue = number(argc, argv, "queue", 0);
	p.profiler = number(argc, argv, "profiler", 0);
	for (i = 1; i < argc; i++) {
		if (strncmp(argv[i], "end=", 4) == 0)
			p.end = argv[i] + 4;
		if (strncmp(argv[i], "script=", 7) == 0)
			p.script = argv[i] + 7;
		if (strncmp(argv[i], "go=", 3) == 0)
			p.go = argv[i] + 3;
		if (strncmp(argv[i], "other=", 6) == 0)
			p.other = argv[i] + 6;
	}
	if (number(argc, argv, "peak", 0))
		(void)atexit(app_report_peak); /* the first to register is the last to run */
	if (p.nvtx)
		app_nvtx_load();
	if (strcmp(p.end, "forkfirst") == 0)
		fork_first();
	else if (p.cuda)
		(void)cuInit(0);
	if (strcmp(p.end, "forkfirst") == 0)
		(void)cuInit(0);
	if (strcmp(p.end, "hostile") == 0)
		hostile();
	else if (p.script)
		play(p.script);
	else
		run(&p);
	end(&p);
	return 0;
}
