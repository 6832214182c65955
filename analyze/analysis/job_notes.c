/* Notes about the members of a job. */
#include "analyze/analysis/job_notes.h"

#include "base/plural.h"

static void note_missing(struct result *r, const struct members *m, int input)
{
	int64_t all = m->nmissing + (int64_t)m->nrank;
	struct str b = { 0 };

	members_put_missing(&b, m);
	result_note(r, NOTE_WARNING, "ranks_missing", input, m->nmissing,
		"traces of %zu of %lld ranks: %s %s missing", m->nrank, (long long)all, b.s,
		plural(m->nmissing, "is", "are"));
	str_free(&b);
}

static void note_foreign(struct result *r, const struct members *m, int input)
{
	const struct side_part *p = m->foreign[0];
	bool is_world = p->digest->world > 0 && p->digest->world != m->world;

	result_note(r, NOTE_WARNING, "ranks_foreign", input, (int64_t)m->nforeign,
		"%zu %s not of this job of %lld ranks, the first %s: it says %s %lld", m->nforeign,
		plural(m->nforeign, "trace is", "traces are"), (long long)m->world, p->digest->path,
		is_world ? "a world of" : "rank",
		(long long)(is_world ? p->digest->world : p->rank));
}

void job_notes_members(struct result *r, const struct members *m, int input)
{
	if (members_are_whole(m))
		return;
	if (m->nmissing > 0)
		note_missing(r, m, input);
	if (m->nforeign > 0)
		note_foreign(r, m, input);
	if (m->nunknown > 0)
		result_note(r, NOTE_WARNING, "ranks_unknown", input, (int64_t)m->nunknown,
			"%zu %s no rank, the first %s", m->nunknown,
			plural(m->nunknown, "trace says", "traces say"),
			m->unknown[0]->digest->path);
	if (m->ndoubled > 0)
		result_note(r, NOTE_WARNING, "ranks_doubled", input, (int64_t)m->ndoubled,
			"%zu further %s of ranks that are there, the first %s of rank %lld",
			m->ndoubled, plural(m->ndoubled, "trace", "traces"),
			m->doubled[0]->digest->path, (long long)m->doubled[0]->rank);
}
