/* What must hold of dependencies on every trace: on every real one there is (SHARED names the
 * folder whose traces/ holds them) and on every scenario of the fixtures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/depgraph/critpath.h"
#include "analyze/depgraph/depend.h"
#include "analyze/depgraph/whatif.h"
#include "analyze/trace/index.h"
#include "analyze/trace/run_steps.h"
#include "base/compiler.h"
#include "tests/unit/loading.h"

enum { PATH_LENGTH = 512 };
enum { NEEDS = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_CALLS | NEED_SYNC };

struct tiling {
	nsec at; /* what is later is tiled */
	nsec ns;
	nsec owner[OWNER_COUNT];
	size_t n;
};

static void see(void *ctx, const struct segment *s)
{
	struct tiling *t = ctx;

	assert_true(s->start < s->end);
	assert_int_equal(s->end, t->at);
	t->at = s->start;
	t->ns += s->end - s->start;
	t->owner[s->owner] += s->end - s->start;
	t->n++;
}

/* The stretch is tiled, segment touching segment. */
static void assert_tiled(struct depend *d, nsec start, nsec end)
{
	struct tiling t = { .at = end };

	critpath(d, start, end, see, &t);
	assert_int_equal(t.at, start);
	assert_int_equal(t.ns, end - start);
}

static void assert_paths(struct depend *d)
{
	const struct steps *s = d->run->steps;
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->step[i].start < s->step[i].end)
			assert_tiled(d, s->step[i].start, s->step[i].end);
	if (s->n > 0 && s->step[0].start < s->step[s->n - 1].end)
		assert_tiled(d, s->step[0].start, s->step[s->n - 1].end);
}

static void assert_edges(const struct depend *d)
{
	size_t i;
	int e;

	for (i = 0; i < d->n; i++)
		for (e = 0; e < EDGE_COUNT; e++) {
			if (d->node[i].from[e] == NO_NODE)
				continue;
			assert_true(d->node[i].from[e] < i);
			assert_true(d->node[d->node[i].from[e]].at <= d->node[i].at);
		}
}

/* Nothing changes by changing nothing, and by changes whose factor is 1. */
static void assert_same(struct depend *d, const struct lags *l)
{
	bool *all = calloc(d->run->strings.n, sizeof(*all));
	struct change one[CHANGE_COUNT];
	struct scenario s[2] = { { .n = 0 }, { .change = one, .n = CHANGE_COUNT } };
	struct whatif_times t = { 0 };
	size_t i, k;

	memset(all, 1, d->run->strings.n * sizeof(*all));
	for (k = 0; k < CHANGE_COUNT; k++)
		one[k] = (struct change){ .kind = (enum change_kind)k,
			.match = k % 2 ? all : NULL,
			.factor = 1,
			.ns = -1 };
	for (k = 0; k < 2; k++) {
		whatif(&t, d, l, &s[k]);
		for (i = 0; i < d->n; i++)
			assert_int_equal(t.fin[i], depend_fin(d, (uint32_t)i));
		whatif_clear(&t);
	}
	free(all);
}

/* Nothing gets later by taking less time; no slack is less than none. */
static void assert_sooner(struct depend *d, const struct lags *l)
{
	const struct change less[] = {
		{ .kind = CHANGE_KERNEL, .match = NULL, .factor = 0.5, .ns = -1 },
		{ .kind = CHANGE_COMM, .match = NULL, .factor = 0, .ns = -1 },
		{ .kind = CHANGE_HOST, .match = NULL, .factor = 0.5, .ns = -1 },
		{ .kind = CHANGE_SYNC, .match = NULL, .factor = 0, .ns = -1 },
		{ .kind = CHANGE_LAUNCH, .match = NULL, .factor = 0, .ns = -1 },
	};
	size_t i, k;
	nsec *room;

	for (k = 0; k < COUNT_OF(less); k++) {
		struct scenario s = { .change = &less[k], .n = 1 };
		struct whatif_times t = { 0 };

		whatif(&t, d, l, &s);
		for (i = 0; i < d->n; i++)
			assert_true(t.fin[i] <= depend_fin(d, (uint32_t)i));
		whatif_clear(&t);
	}
	room = slack(d, l, d->run->steps->n ? d->run->steps->step[d->run->steps->n - 1].end : 0);
	for (i = 0; i < d->n; i++)
		assert_true(room[i] >= 0);
	free(room);
}

static void check(struct span file)
{
	const struct loading how = { .needs = NEEDS };
	struct lags lags;
	struct loaded l;
	struct depend d;

	loading_run(&l, file, &how);
	assert_int_equal(l.status, OK);
	index_build(&l.run, NEEDS);
	depend_init(&d, &l.run, NULL);
	assert_edges(&d);
	assert_paths(&d);
	lags_init(&lags, &d);
	assert_same(&d, &lags);
	assert_sooner(&d, &lags);
	lags_clear(&lags);
	depend_clear(&d);
	loading_release(&l);
}

static void read_file(struct str *out, const char *path)
{
	FILE *f = fopen(path, "rb");
	char part[65536];
	size_t n;

	assert_non_null(f);
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		str_add(out, part, n);
	(void)fclose(f);
}

static void test_real_traces(void **state)
{
	const char *shared = getenv("SHARED");
	char folder[PATH_LENGTH / 2], path[PATH_LENGTH];
	const struct dirent *e;
	size_t n = 0;
	DIR *d;

	(void)state;
	(void)snprintf(folder, sizeof(folder), "%s/traces", shared ? shared : "../shared");
	d = opendir(folder);
	while (d && (e = readdir(d))) {
		struct str file = { 0 };

		if (!strstr(e->d_name, ".json") || n++ % loading_every() != 0)
			continue;
		(void)snprintf(path, sizeof(path), "%s/%.200s", folder, e->d_name);
		printf("%s\n", e->d_name);
		read_file(&file, path);
		check((struct span){ file.s, file.n });
		str_free(&file);
	}
	if (d)
		closedir(d);
	if (n == 0)
		skip();
}

/* Whether work of that name waited for `binding`, so long, behind the end of what `edge` names. */
static bool waited(
	const struct depend *d, const char *name, enum edge binding, enum edge edge, nsec ns)
{
	uint32_t i;

	for (i = 0; i < d->n; i++) {
		const struct depend_node *n = &d->node[i];

		if (depend_is_work(n) && n->from[edge] != NO_NODE && n->binding == binding &&
			span_has(run_name(d->run, n->row), name) &&
			n->at - depend_until(d, i, edge) == ns)
			return true;
	}
	return false;
}

/* What HTA asserts of hta_simple_add, as far as it means the same (docs/definitions.md). */
static void test_edges_of_hta(void **state)
{
	const char *shared = getenv("SHARED");
	const struct loading how = { .needs = NEEDS };
	SCOPED_STR file = { 0 };
	char path[PATH_LENGTH];
	struct loaded l;
	struct depend d;

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/traces/hta_simple_add.json.gz",
		shared ? shared : "../shared");
	if (access(path, R_OK) != 0)
		skip();
	read_file(&file, path);
	loading_run(&l, (struct span){ file.s, file.n }, &how);
	assert_int_equal(l.status, OK);
	index_build(&l.run, NEEDS);
	depend_init(&d, &l.run, NULL);
	assert_true(waited(&d, "fft2d_r2c_32x32", EDGE_CAUSE, EDGE_CAUSE, 27000));
	/* Launched 10 us before the kernel before it ended: both edges are there, the launch binds.
	 */
	assert_true(waited(&d, "ampere_gcgemm_64x64_nt", EDGE_CAUSE, EDGE_CAUSE, 17000));
	assert_true(waited(&d, "ampere_gcgemm_64x64_nt", EDGE_CAUSE, EDGE_PREV, 7000));
	depend_clear(&d);
	loading_release(&l);
}

static void test_scenarios(void **state)
{
	static const char *const scenario[] = { "healthy", "dataloader-bound", "copy-bound",
		"launch-bound", "comm-bound", "expert-dispatch", "cpu-only", "gpu-only",
		"gpu-only-idle", "multi-rank", "graphs", "rocm", "xpu", "mtia", "tiny", "inference",
		"multi-stream", "multi-gpu", "serving-full-queue", "runs-ahead", "one-gap",
		"second-idle", "mixed" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(scenario); i++) {
		struct str text = { 0 };

		printf("%s\n", scenario[i]);
		if (!loading_fixture(&text, scenario[i]))
			skip();
		check((struct span){ text.s, text.n });
		str_free(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_real_traces),
		cmocka_unit_test(test_scenarios),
		cmocka_unit_test(test_edges_of_hta),
	};

	return cmocka_run_group_tests_name("depend on real traces", tests, NULL, NULL);
}
