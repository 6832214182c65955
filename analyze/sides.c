/*
 * Files into runs, ranks and repeats.
 */
#include "analyze/sides.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/store/runpath.h"

/* A file on its way to its run. */
struct placed {
	const struct side_file *file;
	const char *key; /* folders below the operand that tell runs apart */
	int64_t rank;
	size_t nth;   /* among files of the same key, kind and rank */
	bool is_only; /* of its kind there, and no trace */
};

/* A folder's run, before it is split into repeats. */
struct folder {
	const char *key;
	bool is_aside; /* everything in it is */
};

static bool is_above(const char *above, const char *key)
{
	size_t n = strlen(above);

	return strlen(key) > n && strncmp(above, key, n) == 0;
}

static int by_name(const char *a, const char *b)
{
	return span_cmp_natural(span_of(a), span_of(b));
}

static int by_key(const void *pa, const void *pb)
{
	const struct placed *a = pa, *b = pb;
	int c = by_name(a->key, b->key);

	if (c == 0 && a->file->digest->has_events != b->file->digest->has_events)
		return a->file->digest->has_events ? -1 : 1;
	if (c == 0)
		c = strcmp(a->file->digest->kind, b->file->digest->kind);
	if (c == 0 && a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return c ? c : by_name(a->file->within, b->file->within);
}

/* Folders by key; those below one with results of its own are part of it. */
static size_t find_folders(struct folder *f, struct placed *p, size_t n)
{
	size_t i, j, nf = 0;

	for (i = 0; i < n; i++) {
		if (nf == 0 || strcmp(f[nf - 1].key, p[i].key) != 0)
			f[nf++] = (struct folder){ p[i].key, true };
		f[nf - 1].is_aside = f[nf - 1].is_aside && p[i].file->digest->is_aside;
	}
	for (i = 0; i < n; i++)
		for (j = 0; j < nf; j++)
			if (!f[j].is_aside && is_above(f[j].key, p[i].key)) {
				p[i].key = f[j].key;
				break;
			}
	return nf;
}

static bool same_sort(const struct placed *a, const struct placed *b)
{
	return strcmp(a->key, b->key) == 0 && a->rank == b->rank &&
		strcmp(a->file->digest->kind, b->file->digest->kind) == 0;
}

/* Numbers files of the same key, kind and rank. */
static void number(struct placed *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		p[i].nth = i > 0 && same_sort(&p[i - 1], &p[i]) ? p[i - 1].nth + 1 : 0;
	for (i = 0; i < n; i++)
		p[i].is_only = !p[i].file->digest->has_events && p[i].nth == 0 &&
			!(i + 1 < n && same_sort(&p[i], &p[i + 1]));
}

static bool belongs(const struct placed *p, const char *key, size_t repeat)
{
	bool is_same = strcmp(p->key, key) == 0;

	if (is_same)
		return p->nth == repeat || p->is_only;
	return p->file->digest->is_aside && is_above(p->key, key);
}

static int by_rank(const void *pa, const void *pb)
{
	const struct side_part *a = pa, *b = pb;

	if (a->digest->has_events != b->digest->has_events)
		return a->digest->has_events ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return by_name(a->digest->path, b->digest->path);
}

/* The run's name: its folder; the file, when that is all it is; numbered when there are several. */
static const char *name_run(
	const struct placed *first, size_t n, size_t repeat, size_t repeats, struct arena *mem)
{
	const char *key = first->key;
	size_t len = strlen(key);

	if (n == 1 && (repeats > 1 || len == 0))
		return first->file->within;
	if (len == 0)
		key = "run";
	else
		key = arena_copy(mem, key, len - 1);
	return repeats > 1 ? arena_printf(mem, "%s #%zu", key, repeat + 1) : key;
}

static void add_run(struct side *s, const struct placed *p, size_t n, const char *key,
	size_t repeat, size_t repeats, struct arena *mem)
{
	struct side_run *run = &s->run[s->nrun++];
	const struct placed *first = NULL;
	size_t i, own = 0;

	run->part = arena_array(mem, n, sizeof(*run->part));
	for (i = 0; i < n; i++) {
		if (!belongs(&p[i], key, repeat))
			continue;
		if (strcmp(p[i].key, key) == 0) {
			first = first ? first : &p[i];
			own++;
		}
		run->part[run->n++] = (struct side_part){ p[i].file->digest, p[i].rank };
		run->nrank += p[i].file->digest->has_events;
	}
	qsort(run->part, run->n, sizeof(*run->part), by_rank);
	run->name = first ? name_run(first, own, repeat, repeats, mem) : key;
}

/* A folder that is all about how runs were made, and has runs below. */
static bool is_shared(const struct folder *f, const struct placed *p, size_t n)
{
	size_t i;

	for (i = 0; f->is_aside && i < n; i++)
		if (is_above(f->key, p[i].key))
			return true;
	return false;
}

static void split(
	struct side *s, const struct folder *f, const struct placed *p, size_t n, struct arena *mem)
{
	size_t i, repeats = 0;

	for (i = 0; i < n; i++)
		if (strcmp(p[i].key, f->key) == 0 && p[i].nth + 1 > repeats)
			repeats = p[i].nth + 1;
	if (is_shared(f, p, n))
		return;
	for (i = 0; i < repeats; i++)
		add_run(s, p, n, f->key, i, repeats, mem);
}

void sides_group(struct side *s, const struct side_file *file, size_t n, struct arena *mem)
{
	struct placed *p = arena_array(mem, n, sizeof(*p));
	struct folder *f = arena_array(mem, n, sizeof(*f));
	size_t i, nf;

	for (i = 0; i < n; i++) {
		const struct digest *d = file[i].digest;

		p[i] = (struct placed){ .file = &file[i],
			.key = runpath_key(file[i].within, mem),
			.rank = d->rank >= 0 || !d->has_events ? d->rank
							       : runpath_rank(file[i].within) };
	}
	if (n > 1)
		qsort(p, n, sizeof(*p), by_key);
	nf = find_folders(f, p, n);
	if (n > 1)
		qsort(p, n, sizeof(*p), by_key);
	number(p, n);
	s->run = arena_array(mem, n, sizeof(*s->run));
	s->nrun = 0;
	for (i = 0; i < nf; i++)
		split(s, &f[i], p, n, mem);
}

size_t sides_ranks(const struct side *s)
{
	size_t i, most = 0;

	for (i = 0; i < s->nrun; i++)
		most = s->run[i].nrank > most ? s->run[i].nrank : most;
	return most;
}

size_t sides_steps(const struct side *s)
{
	size_t i, k, n = 0;

	for (i = 0; i < s->nrun; i++)
		for (k = 0; k < s->run[i].nrank; k++)
			n += s->run[i].part[k].digest->nstep;
	return n;
}

/* ---- facts ---- */

static int by_text(const void *pa, const void *pb)
{
	return span_cmp(*(const struct span *)pa, *(const struct span *)pb);
}

size_t sides_parts(const struct side *s)
{
	size_t i, n = 0;

	for (i = 0; i < s->nrun; i++)
		n += s->run[i].n;
	return n;
}

struct span sides_fact(const struct side *s, const char *key, bool is_config, struct arena *mem)
{
	struct span *v = arena_array(mem, sides_parts(s), sizeof(*v)), value;
	struct str b = { 0 };
	size_t i, k, n = 0;

	for (i = 0; i < s->nrun; i++)
		for (k = 0; k < s->run[i].n; k++) {
			const struct digest *d = s->run[i].part[k].digest;

			value = digest_fact(is_config ? &d->config : &d->env, key);
			if (value.p)
				v[n++] = value;
		}
	if (n > 1)
		qsort(v, n, sizeof(*v), by_text);
	for (i = 0; i < n; i++)
		if (i == 0 || !span_eq(v[i], v[i - 1])) {
			str_adds(&b, i ? ", " : "");
			str_add(&b, v[i].p, v[i].n);
		}
	value = (struct span){ arena_copy(mem, b.s ? b.s : "", b.n), b.n };
	str_free(&b);
	return value;
}
