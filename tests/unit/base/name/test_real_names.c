/* What must hold of every kernel's name of every real trace there is: SHARED names the folder whose
 * traces/ holds them.  Without it these tests are skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/load.h"
#include "analyze/trace/columns/kinds.h"
#include "base/name/demangle.h"
#include "base/name/name.h"
#include "base/width.h"

enum { NAMES_MAX = 4096, PATH_LENGTH = 512, WIDTH_MIN = 20, WIDTH_MAX = 120 };

static struct {
	struct span v[NAMES_MAX];
	size_t n, traces;
	struct arena mem;
} names;

static void add_name(struct span s)
{
	size_t i;

	for (i = 0; i < names.n; i++)
		if (span_eq(names.v[i], s))
			return;
	if (names.n < NAMES_MAX)
		names.v[names.n++] = (struct span){ arena_copy(&names.mem, s.p, s.n), s.n };
}

static void add_trace(const char *path)
{
	const struct load_options o = { .needs = 0 };
	uint8_t *seen;
	struct run r;
	struct err e;
	size_t i;

	err_clear(&e);
	if (load_path(path, &o, &r, &e) != OK)
		fail_msg("%s: %s", path, e.text);
	seen = calloc(r.strings.n + 1, 1);
	for (i = 0; i < r.events.n; i++)
		if (r.events.kind[i] == KIND_KERNEL && !seen[r.events.name[i]]++)
			add_name(strings_get(&r.strings, r.events.name[i]));
	free(seen);
	run_clear(&r);
	names.traces++;
}

static void read_folder(const char *below)
{
	static const char *const suffixes[] = { ".json", ".sqlite", ".pb" };
	const char *shared = getenv("SHARED");
	char folder[PATH_LENGTH / 2], path[PATH_LENGTH];
	const struct dirent *e;
	DIR *d;

	(void)snprintf(folder, sizeof(folder), "%s/%s", shared ? shared : "../shared", below);
	d = opendir(folder);
	while (d && (e = readdir(d)))
		for (size_t i = 0; i < COUNT_OF(suffixes); i++)
			if (strstr(e->d_name, suffixes[i]) && !strstr(e->d_name, "_et.json")) {
				(void)snprintf(path, sizeof(path), "%s/%.200s", folder, e->d_name);
				add_trace(path);
				break;
			}
	if (d)
		closedir(d);
}

static int read_names(void **state)
{
	(void)state;
	read_folder("traces");
	read_folder("samples/nsys");
	read_folder("samples/rocprofv3");
	read_folder("samples/xplane");
	read_folder("samples/execution_trace");
	read_folder("samples/stragglers/AR");
	return 0;
}

static int forget_names(void **state)
{
	(void)state;
	arena_clear(&names.mem);
	return 0;
}

/* The function's own identifier, found the simple way: what is before its first '<' or '('. */
static struct span identifier(struct span s)
{
	static const char anonymous[] = "(anonymous namespace)::", unnamed[] = "<unnamed>::";
	size_t from = 0, to;

	for (to = 0; to < s.n; to++) {
		struct span rest = { s.p + to, s.n - to };

		if (span_starts(rest, anonymous))
			from = to + sizeof(anonymous) - 1, to = from - 1;
		else if (span_starts(rest, unnamed))
			from = to + sizeof(unnamed) - 1, to = from - 1;
		else if (s.p[to] == '<' || s.p[to] == '(')
			break;
		else if (s.p[to] == ' ' || s.p[to] == ':')
			from = to + 1;
	}
	return (struct span){ s.p + from, to - from };
}

/* Whether a kernel's own name may lose letters for what it is given. */
static bool is_frame(struct span ident)
{
	return span_has(ident, "elementwise") || span_has(ident, "_apply_kernel") ||
		span_has(ident, "transform_kernel") || ident.n < 14;
}

/* Alone: never wider, the identifier whole wherever it has room, nothing that says nothing. */
static void test_alone(void **state)
{
	size_t width, i, whole = 0;

	(void)state;
	if (names.traces == 0)
		skip();
	for (i = 0; i < names.n; i++) {
		struct span s = names.v[i], ident = identifier(s);
		bool is_type_first = span_starts(s, "std::enable_if<"), is_mangled;
		struct str plain = { 0 };

		is_mangled = demangle(&plain, s);
		if (is_mangled)
			ident = identifier((struct span){ plain.s, plain.n });
		assert_true(is_mangled || !span_starts(s, "_ZN5"));
		for (width = WIDTH_MIN; width <= WIDTH_MAX; width++) {
			struct str b = { 0 };

			name_shorten(&b, s, width, true);
			assert_true(width_of((struct span){ b.s, b.n }) <= width);
			assert_false(span_starts((struct span){ b.s, b.n }, "void "));
			assert_null(strstr(b.s, "anonymous namespace"));
			if (ident.n <= width && !is_type_first && !is_frame(ident)) {
				whole++;
				assert_true(span_has((struct span){ b.s, b.n },
					arena_copy(&names.mem, ident.p, ident.n)));
			}
			str_free(&b);
		}
		str_free(&plain);
	}
	assert_true(whole > names.n * (WIDTH_MAX - WIDTH_MIN) / 4);
}

/* All in one table: different at every width, and of every name its first letters. */
static void test_together(void **state)
{
	size_t width, i;

	(void)state;
	if (names.traces == 0)
		skip();
	for (width = WIDTH_MIN; width <= WIDTH_MAX; width += 10) {
		const struct span *text;
		struct arena mem = { 0 };

		text = names_shorten(&mem, names.v, names.n, width, true);
		for (i = 0; i < names.n; i++) {
			struct span ident = identifier(names.v[i]);
			size_t n = ident.n < 6 ? ident.n : 6, j;

			assert_true(width_of(text[i]) <= width);
			for (j = 0; j < i; j++)
				assert_false(span_eq(text[i], text[j]));
			if (!span_starts(names.v[i], "_Z") &&
				!span_starts(names.v[i], "std::enable_if<"))
				assert_true(span_has(text[i], arena_copy(&mem, ident.p, n)));
		}
		arena_clear(&mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_together),
	};

	return cmocka_run_group_tests(tests, read_names, forget_names);
}
