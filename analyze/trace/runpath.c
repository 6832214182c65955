/* Ranks and runs from paths. */
#include "analyze/trace/runpath.h"

/* The rank that `s` says with that word before it, or -1. */
static int64_t rank_after(struct span s, const char *word)
{
	size_t n = strlen(word), at;
	int64_t rank = 0;

	for (size_t i = 0; i + n < s.n; i++) {
		struct span here = { s.p + i, s.n - i };

		if ((i > 0 && is_letter(s.p[i - 1])) ||
			!span_is_nocase((struct span){ here.p, n }, word))
			continue;
		at = i + n;
		if (s.p[at] == '-' || s.p[at] == '_' || s.p[at] == '=')
			at++;
		if (at >= s.n || !is_digit(s.p[at]))
			continue;
		for (; at < s.n && is_digit(s.p[at]) && rank < INT32_MAX; at++)
			rank = rank * 10 + (s.p[at] - '0');
		return rank;
	}
	return -1;
}

static int64_t rank_of_word(struct span s)
{
	int64_t rank = rank_after(s, "rank");

	return rank >= 0 ? rank : rank_after(s, "worker");
}

/* "3" of "attempt_0/3/stdout.log", as torchrun keeps what its ranks print. */
static bool is_attempt(struct span name)
{
	struct span number = span_from(name, sizeof("attempt_") - 1);

	return span_starts(name, "attempt_") && number.n && ALL(i, number.n, is_digit(number.p[i]));
}

static int64_t rank_of_attempt(const char *path, size_t start, struct span name)
{
	size_t from = start - (start > 0);
	int64_t rank = 0;

	while (from > 0 && path[from - 1] != '/')
		from--;
	if (start == 0 || name.n == 0 || path[start + name.n] != '/' ||
		!is_attempt(span_between(path + from, path + start - 1)))
		return -1;
	for (size_t i = 0; i < name.n; i++) {
		if (!is_digit(name.p[i]) || rank > INT32_MAX)
			return -1;
		rank = rank * 10 + (name.p[i] - '0');
	}
	return rank;
}

int64_t runpath_rank(const char *path)
{
	size_t end = strlen(path), start;

	while (end > 0) {
		for (start = end; start > 0 && path[start - 1] != '/';)
			start--;
		struct span name = { path + start, end - start };
		int64_t rank = rank_of_word(name);
		rank = rank >= 0 ? rank : rank_of_attempt(path, start, name);
		if (rank >= 0)
			return rank;
		end = start > 0 ? start - 1 : 0;
	}
	return -1;
}

int64_t runpath_moment(const char *path)
{
	static const char *const words[] = { "epoch", "step", "checkpoint", "iteration", "iter" };
	int64_t n = -1;

	for (size_t i = 0; i < COUNT_OF(words) && n < 0; i++)
		n = rank_after(span_of(path_name(path)), words[i]);
	return n;
}

bool runpath_is_part(struct span name)
{
	return span_in_nocase(name,
		       "torch_profiler|profiler_context|profiler_traces|profiler_output|profiler|"
		       "profiles|context|manager|torch|traces|trace|summary|figures|plots|logs|log|"
		       "metrics|results|configs|data|ascend_profiler_output") ||
		span_ends(name, "_ascend_pt") || span_ends(name, "_ascend_ms") ||
		rank_of_word(name) >= 0;
}

/* The folder at p of that path tells runs apart. */
static bool counts(const char *path, const char *p, size_t n)
{
	struct span folder = { p, n };

	return n > 0 && !span_is(folder, ".") && !runpath_is_part(folder) && !is_attempt(folder) &&
		rank_of_attempt(path, (size_t)(p - path), folder) < 0;
}

size_t runpath_folder(const char *within)
{
	const char *p = within, *slash, *end = within;

	while ((slash = strchr(p, '/'))) {
		if (counts(within, p, (size_t)(slash - p)))
			end = slash + 1;
		p = slash + 1;
	}
	return (size_t)(end - within);
}

const char *runpath_key(const char *within, struct arena *mem)
{
	const char *p = within, *slash;
	SCOPED_STR b = { 0 };

	while ((slash = strchr(p, '/'))) {
		if (counts(within, p, (size_t)(slash - p))) {
			str_add(&b, p, (size_t)(slash - p));
			str_addc(&b, '/');
		}
		p = slash + 1;
	}
	return b.n ? arena_copy(mem, b.s, b.n) : "";
}

size_t runpath_level(const char *key, size_t len)
{
	const char *slash = strchr(key + len, '/');

	return slash ? (size_t)(slash - key) + 1 : len + strlen(key + len);
}
