/* Files into runs, ranks and repeats. */
#include "analyze/job/sides.h"

#include "analyze/job/sides_names.h"
#include "analyze/trace/runpath.h"

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
	bool is_aside;     /* everything in it is */
	bool is_above;     /* there are files below it */
	size_t begin, end; /* its files */
};

/* The files of a side, and their folders by key. */
struct grouping {
	struct placed *p;
	size_t n;
	struct folder *folder;
	size_t nfolder;
	struct arena *mem;
};

static int by_name(const char *a, const char *b)
{
	return span_cmp_natural(span_of(a), span_of(b));
}

/* The folders that a file is in: of several files of a kind in one, each is a repeat. */
static struct span folders_of(const struct placed *p)
{
	const char *slash = strrchr(p->file->within, '/');

	if (p->file->digest->has_events || !slash)
		return (struct span){ p->file->within, 0 };
	return (struct span){ p->file->within, (size_t)(slash - p->file->within) };
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
	if (c == 0)
		c = span_cmp_natural(folders_of(a), folders_of(b));
	return c ? c : by_name(a->file->within, b->file->within);
}

/* The folder with the first len bytes of a key, or NULL. */
static struct folder *find_folder(const struct grouping *g, const char *key, size_t len)
{
	struct span wanted = { key, len };
	size_t at = PARTITION_POINT(
		i, 0, g->nfolder, span_cmp_natural(span_of(g->folder[i].key), wanted) < 0);

	if (at == g->nfolder || span_cmp_natural(span_of(g->folder[at].key), wanted) != 0)
		return NULL;
	return &g->folder[at];
}

/* Folders by key; files below one with results of its own become part of it. */
static void find_folders(struct grouping *g)
{
	for (size_t i = 0; i < g->n; i++) {
		struct folder *f = g->folder + g->nfolder;

		if (i == 0 || strcmp(f[-1].key, g->p[i].key) != 0) {
			*f = (struct folder){ .key = g->p[i].key, .is_aside = true };
			g->nfolder++;
			f++;
		}
		f[-1].is_aside = f[-1].is_aside && g->p[i].file->digest->is_aside;
	}
	for (size_t i = 0; i < g->n; i++) {
		const char *key = g->p[i].key;

		for (size_t len = 0; key[len]; len = runpath_level(key, len)) {
			const struct folder *f = find_folder(g, key, len);

			if (!f || f->is_aside)
				continue;
			g->p[i].key = f->key;
			break;
		}
	}
}

/* Which files each folder has, now that they are sorted, and what is above others. */
static void place_folders(struct grouping *g)
{
	size_t at = 0;

	for (size_t i = 0; i < g->nfolder; i++) {
		struct folder *f = &g->folder[i];

		for (f->begin = at; at < g->n && strcmp(g->p[at].key, f->key) == 0;)
			at++;
		f->end = at;
		for (size_t len = 0; f->end > f->begin && f->key[len];
			len = runpath_level(f->key, len)) {
			struct folder *above = find_folder(g, f->key, len);

			if (above)
				above->is_above = true;
		}
	}
}

static bool same_sort(const struct placed *a, const struct placed *b)
{
	return strcmp(a->key, b->key) == 0 && a->rank == b->rank &&
		strcmp(a->file->digest->kind, b->file->digest->kind) == 0 &&
		span_eq(folders_of(a), folders_of(b));
}

/* Numbers files of the same key, kind and rank. */
static void number(struct placed *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i].nth = i > 0 && same_sort(&p[i - 1], &p[i]) ? p[i - 1].nth + 1 : 0;
	for (size_t i = 0; i < n; i++)
		p[i].is_only = !p[i].file->digest->has_events && p[i].nth == 0 &&
			!(i + 1 < n && same_sort(&p[i], &p[i + 1]));
}

ORDER(by_rank, struct side_part, compare3_down(a->digest->has_events, b->digest->has_events),
	compare3(a->rank, b->rank), compare3(a->turn, b->turn),
	by_name(a->digest->path, b->digest->path))

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

/* Files of the folders above that say how the folder's runs were made: listed, and counted. */
static size_t list_asides(const struct grouping *g, const struct folder *f, struct side_part *out)
{
	size_t n = 0;

	for (size_t len = 0; f->key[len]; len = runpath_level(f->key, len)) {
		const struct folder *above = find_folder(g, f->key, len);

		for (size_t i = above ? above->begin : 0; above && i < above->end; i++) {
			const struct placed *p = &g->p[i];

			if (p->file->digest->is_aside && out)
				out[n] = (struct side_part){ p->file->digest, p->rank,
					p->file->turn };
			n += p->file->digest->is_aside;
		}
	}
	return n;
}

/* The files of one folder by the repeat they are of. */
struct repeats {
	size_t n;
	size_t *begin; /* by repeat, one more: places in `at` */
	size_t *at;    /* files */
	size_t *only;  /* those that belong to every repeat */
	size_t nonly;
};

static void find_repeats(struct repeats *r, const struct grouping *g, const struct folder *f)
{
	*r = (struct repeats){ 0 };
	for (size_t i = f->begin; i < f->end; i++)
		r->n = MAX(g->p[i].nth + 1, r->n);
	r->begin = arena_array(g->mem, r->n + 2, sizeof(*r->begin));
	r->at = arena_array(g->mem, f->end - f->begin, sizeof(*r->at));
	r->only = arena_array(g->mem, f->end - f->begin, sizeof(*r->only));
	for (size_t i = f->begin; i < f->end; i++)
		r->begin[g->p[i].nth + 2]++;
	for (size_t i = 2; i < r->n + 2; i++)
		r->begin[i] += r->begin[i - 1];
	for (size_t i = f->begin; i < f->end; i++) {
		r->at[r->begin[g->p[i].nth + 1]++] = i;
		if (g->p[i].is_only)
			r->only[r->nonly++] = i;
	}
}

static void add_part(struct side_run *run, const struct placed *p)
{
	run->part[run->n++] = (struct side_part){ p->file->digest, p->rank, p->file->turn };
}

static void add_run(struct side *s, const struct grouping *g, const struct folder *f,
	const struct repeats *r, size_t repeat)
{
	struct side_run *run = &s->run[s->nrun++];
	size_t n = list_asides(g, f, NULL), own = r->begin[repeat + 1] - r->begin[repeat];
	size_t first = r->at[r->begin[repeat]];

	if (repeat > 0)
		own += r->nonly;
	run->part = arena_array(g->mem, n + own, sizeof(*run->part));
	run->n = list_asides(g, f, run->part);
	for (size_t i = r->begin[repeat]; i < r->begin[repeat + 1]; i++)
		add_part(run, &g->p[r->at[i]]);
	for (size_t i = 0; repeat > 0 && i < r->nonly; i++) {
		add_part(run, &g->p[r->only[i]]);
		first = MIN(r->only[i], first);
	}
	for (size_t i = 0; i < run->n; i++)
		run->nrank += run->part[i].digest->has_events;
	qsort(run->part, run->n, sizeof(*run->part), by_rank);
	run->is_whole = f->key[0] == '\0';
	run->name = name_run(&g->p[first], own, repeat, r->n, g->mem);
}

/* A folder that is all about how runs were made, and has runs below, is none itself. */
static void split(struct side *s, const struct grouping *g, const struct folder *f)
{
	struct repeats r;

	if (f->begin == f->end || (f->is_aside && f->is_above))
		return;
	find_repeats(&r, g, f);
	for (size_t i = 0; i < r.n; i++)
		add_run(s, g, f, &r, i);
}

/* Ranks that files say only together. */
static const char *find_ranks(struct placed *p, size_t n, struct arena *mem)
{
	struct sides_name *name = arena_array(mem, n, sizeof(*name));

	for (size_t i = 0; i < n; i++)
		name[i] = (struct sides_name){ .within = p[i].file->within,
			.kind = p[i].file->digest->kind,
			.key = p[i].key,
			.rank = p[i].rank,
			.is_fixed = p[i].file->digest->rank >= 0 || p[i].file->digest->has_events,
			.is_doubtful = p[i].file->run &&
				span_in(span_of(p[i].file->digest->kind),
					"text_log|jsonl_log|metrics_csv") };
	const char *said = sides_names_find(name, n, mem);
	for (size_t i = 0; i < n; i++) {
		p[i].key = name[i].key;
		p[i].rank = name[i].rank;
	}
	return said;
}

void sides_group(struct side *s, const struct side_file *file, size_t n, struct arena *mem)
{
	struct placed *p = arena_array(mem, n, sizeof(*p));
	struct grouping g = { p, n, arena_array(mem, n, sizeof(*g.folder)), 0, mem };

	s->nover = 0;
	for (size_t i = 0; i < n; i++) {
		const struct digest *d = file[i].digest;

		p[i] = (struct placed){ .file = &file[i],
			.key = file[i].run ? file[i].run : runpath_key(file[i].within, mem),
			.rank = d->rank >= 0 ? d->rank : runpath_rank(file[i].within) };
	}
	s->said = find_ranks(p, n, mem);
	sort_rows(p, n, sizeof(*p), by_key);
	find_folders(&g);
	sort_rows(p, n, sizeof(*p), by_key);
	place_folders(&g);
	number(p, n);
	s->run = arena_array(mem, n, sizeof(*s->run));
	s->nrun = 0;
	for (size_t i = 0; i < g.nfolder; i++)
		split(s, &g, &g.folder[i]);
}

size_t sides_ranks(const struct side *s)
{
	size_t most = 0;

	for (size_t i = 0; i < s->nrun; i++)
		most = MAX(s->run[i].nrank, most);
	return most;
}

size_t sides_steps(const struct side *s)
{
	size_t n = 0;

	for (EACH(const struct side_run, run, s->run, s->nrun))
		for (size_t k = 0; k < run->nrank; k++)
			n += run->part[k].digest->nstep;
	return n;
}

/* ---- conditions ---- */

static int by_text(const void *pa, const void *pb)
{
	return span_cmp(*(const struct span *)pa, *(const struct span *)pb);
}

size_t sides_parts(const struct side *s)
{
	return SUM(size_t, i, s->nrun, s->run[i].n);
}

struct side_trace *sides_traces(const struct side *s, size_t *n, size_t *nrun, struct arena *mem)
{
	struct side_trace *v = arena_array(mem, sides_parts(s), sizeof(*v));

	*n = *nrun = 0;
	for (size_t i = 0; i < s->nrun; i++) {
		*nrun += s->run[i].nrank > 0;
		for (size_t k = 0; k < s->run[i].nrank; k++)
			v[(*n)++] = (struct side_trace){ .digest = s->run[i].part[k].digest,
				.run = i,
				.nrank = s->run[i].nrank };
	}
	for (size_t i = 0; i < *n; i++)
		if (v[i].digest->nstep > 0)
			v[i].weight = 1 /
				((double)v[i].digest->nstep * (double)v[i].nrank * (double)*nrun);
	return v;
}

struct span sides_condition(
	const struct side *s, const char *key, bool is_config, struct arena *mem)
{
	struct span *v = arena_array(mem, sides_parts(s), sizeof(*v)), value;
	SCOPED_STR b = { 0 };
	size_t n = 0;

	for (EACH(const struct side_run, run, s->run, s->nrun))
		for (size_t k = 0; k < run->n; k++) {
			const struct digest *d = run->part[k].digest;

			value = digest_condition(is_config ? &d->config : &d->env, key);
			if (value.p)
				v[n++] = value;
		}
	sort_rows(v, n, sizeof(*v), by_text);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || !span_eq(v[i], v[i - 1])) {
			str_adds(&b, i ? ", " : "");
			str_add(&b, v[i].p, v[i].n);
		}
	value = (struct span){ arena_copy(mem, b.s ? b.s : "", b.n), b.n };
	return value;
}
