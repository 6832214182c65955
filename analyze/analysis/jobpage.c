/* The job that several runs are the ranks of. */
#include "analyze/analysis/jobpage.h"

#include "analyze/job/digest/digest_new.h"
#include "analyze/job/digest/digest_pack.h"
#include "analyze/trace/digest/digest_facts.h"
#include "analyze/trace/digest/digest_file.h"
#include "analyze/analysis/fold.h"
#include "analyze/analysis/job_words.h"
#include "analyze/analysis/runs_table.h"
#include "analyze/analysis/shared.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/columns/record.h"

static const struct digest_options look = { .no_host = true, .shapes = true, .collectives = true };

/* Of what it needs, what a run can be asked for. */
static const unsigned INDEXES = NEED_ORDER | NEED_LINKS | NEED_STEPS;

unsigned jobpage_needs(void)
{
	return digest_needs(&look);
}

void jobpage_init(struct jobpage *p, size_t ninput)
{
	*p = (struct jobpage){ .n = ninput };
	p->digest = arena_array(&p->mem, ninput, sizeof(struct digest *));
	p->path = arena_array(&p->mem, ninput, sizeof(*p->path));
	p->rank = arena_array(&p->mem, ninput, sizeof(*p->rank));
	FILL(p->rank, ninput, FOLD_NO_RANK);
}

void jobpage_clear(struct jobpage *p)
{
	for (size_t i = 0; i < p->n; i++)
		digest_free(p->digest[i]);
	arena_clear(&p->mem);
	*p = (struct jobpage){ 0 };
}

/* The trace of a run that may be known by its folder. */
static const char *path_of(const struct run *r, struct arena *mem)
{
	const struct record *record = r->record;
	size_t n = strlen(r->path);

	while (n > 1 && r->path[n - 1] == '/')
		n--;
	for (size_t i = 0; record && record->is_folder && i < record->nfile; i++)
		if (record->file[i].state == FILE_READ &&
			strcmp(record->file[i].kind, "trace") == 0)
			return arena_printf(mem, "%.*s%c%s", (int)n, r->path,
				record->is_packed ? '!' : '/', record->file[i].name);
	return arena_copy(mem, r->path, strlen(r->path));
}

/* What a digest has of it is all there is, and of all steps. */
static void look_at_kept(
	struct jobpage *p, const struct run *r, const struct filter *f, size_t input)
{
	struct digest_options o = look;
	struct digest_facts facts;
	struct err e;

	o.filter = f;
	if (digest_facts_get(&facts, r->kept, &p->mem, &e) != OK)
		return;
	p->path[input] = facts.path.p;
	if (digest_unpack(&p->digest[input], r->kept, p->path[input], &o, &e) != OK)
		p->digest[input] = NULL;
}

void jobpage_record(const struct run *r, struct str *to)
{
	static const struct filter everything;
	struct digest_options o = look;
	struct digest_file_out record;
	struct digest *d;
	struct err e;

	o.filter = &everything;
	if (!r->has_trace || ~r->built & INDEXES || digest_look(&d, r, &o, &e) != OK)
		return;
	digest_file_begin(&record);
	if (digest_pack(&record, d, &e) == OK)
		digest_file_put(&record, to);
	digest_file_end(&record);
	digest_free(d);
}

/* Ledgers are the same through both filters. */
static bool is_of_all(const struct filter *f)
{
	return !f->device && !f->stream && !f->cat;
}

struct shared *jobpage_share(const struct run *r, const struct filter *f)
{
	if (r->kept || !r->has_trace || ~r->built & INDEXES || !is_of_all(f))
		return NULL;
	struct shared *s = shared_new(r, f, SHARED_BIT(LEDGERS) | SHARED_BIT(WAITING));
	shared_make(s, SHARED_LEDGERS);
	shared_make(s, SHARED_WAITING);
	return s;
}

void jobpage_look(struct jobpage *p, const struct run *r, const struct filter *f, struct shared *s,
	size_t input)
{
	const struct filter steps = { .steps = f->steps, .comm = f->comm };
	struct digest_known known;
	struct digest_options o = look;
	struct err e;

	p->is_chosen = f->rank != NULL;
	p->is_part = f->is_part;
	if (r->kept && !p->digest[input]) {
		look_at_kept(p, r, f, input);
		return;
	}
	if (!r->has_trace || p->digest[input] || ~r->built & INDEXES)
		return;
	err_clear(&e);
	o.filter = &steps;
	if (is_of_all(f) && shared_known(s, &known))
		o.known = &known;
	p->path[input] = path_of(r, &p->mem);
	if ((r->job ? digest_unpack(&p->digest[input], r->job, p->path[input], &o, &e)
		    : digest_look(&p->digest[input], r, &o, &e)) == OK)
		p->digest[input]->path = p->path[input];
	else
		p->digest[input] = NULL;
}

/* Bytes of folders that all their paths begin with: the operand, as far as it matters. */
static size_t start_of(const struct jobpage *p)
{
	struct result names;

	result_init(&names, "");
	for (size_t i = 0; i < p->n; i++)
		if (p->digest[i])
			(void)result_input(&names, p->path[i]);
	size_t n = runs_start(&names);
	result_clear(&names);
	return n;
}

/* The input that a digest is of. */
struct looked {
	const struct digest *digest;
	size_t input;
};

ORDER(by_digest, struct looked, compare3((uintptr_t)a->digest, (uintptr_t)b->digest))

/* Which inputs are ranks of the job. */
static void number(struct jobpage *p)
{
	struct looked *v = arena_array(&p->mem, p->n, sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		if (p->digest[i])
			v[n++] = (struct looked){ p->digest[i], i };
	qsort(v, n, sizeof(*v), by_digest);
	for (size_t i = 0; i < p->own.nrank; i++) {
		const struct looked key = { p->own.part[i].digest, 0 };
		const struct looked *of = bsearch(&key, v, n, sizeof(*v), by_digest);

		if (of)
			p->rank[of->input] = p->own.part[i].rank;
	}
}

bool jobpage_find(struct jobpage *p)
{
	size_t best = 0;

	struct side_file *file = arena_array(&p->mem, p->n, sizeof(*file));
	size_t n = 0, start = start_of(p);
	for (size_t i = 0; i < p->n; i++)
		if (p->digest[i])
			file[n++] = (struct side_file){ .path = p->path[i],
				.within = p->path[i] + start,
				.digest = p->digest[i] };
	sides_group(&p->side, file, n, &p->mem);
	for (size_t i = 0; i < p->side.nrun; i++)
		if (p->side.run[i].nrank > p->side.run[best].nrank)
			best = i;
	if (p->side.nrun == 0 || p->side.run[best].nrank < 2)
		return false;
	for (size_t i = 0; i < p->side.nrun; i++)
		if (i != best && !members_is_leftover(&p->side, i))
			return false;
	if (!members_job(&p->own, &p->side, best, &p->mem))
		return false;
	members_init(&p->members, &p->side, best, &p->mem);
	p->own.is_chosen = p->is_chosen;
	p->run = &p->side.run[best];
	number(p);
	/* What is wrong with those ranks, by their digests. */
	job_init(&p->job, &p->own, &p->mem);
	job_facts_init(&p->facts, &p->job, &p->mem);
	job_why_of(&p->why, &p->facts, &p->mem);
	return true;
}

/* Where no trace says its rank, the paths do. */
static void say_names(const struct jobpage *p, struct result *r)
{
	for (size_t i = 0; i < p->run->nrank; i++)
		if (p->run->part[i].digest->rank >= 0)
			return;
	result_note(r, NOTE_INFO, "ranks_by_name", -1, (int64_t)p->run->nrank,
		"ranks are those in the paths; the traces say none");
}

void jobpage_put(const struct jobpage *p, struct result *r, enum jobpage_form form)
{
	jobpage_tables(p, r, form);
	say_names(p, r);
	if (!p->is_chosen && !p->is_part)
		job_notes_members(r, &p->members);
	job_notes_ranks(r, &p->job);
}
