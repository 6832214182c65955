/* Files of several sides, read side by side. */
#include "cmd/load/read_sides.h"

#include "analyze/job/digest/digest_new.h"
#include "analyze/job/digest/digest_pack.h"
#include "analyze/job/match/rank_members.h"
#include "analyze/input/folder.h"
#include "analyze/trace/columns/record.h"
#include "analyze/input/load.h"
#include "analyze/input/load_kept.h"
#include "analyze/input/load_twice.h"
#include "analyze/input/run_parts.h"
#include "analyze/analysis/notes.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/runpath.h"
#include "base/door.h"
#include "base/parallel.h"
#include "cmd/load/progress.h"

struct reading {
	struct sides *sides;
	const struct sides_options *how;
	struct meter meter;
	unsigned threads_each;
};

static void read_one(void *ctx, size_t i)
{
	struct reading *r = ctx;
	struct sides_file *f = &r->sides->file[i];
	const struct load_options o = {
		.needs = digest_needs(&r->how->digest),
		.threads = r->threads_each,
		.strict = r->how->is_strict,
		.comm = r->how->digest.filter->comm,
		.progress = meter_tick,
		.progress_ctx = &r->meter.file[i],
		.beside = f->beside,
		.cuts_on_device = f->cuts_on_device,
	};
	struct run run;

	if (f->err.status != OK || (f->digest && !f->cuts_on_device))
		return;
	digest_free(f->digest);
	f->digest = NULL;
	if (load_single(f->placed.path, &o, &run, &f->err) != OK)
		return;
	if (run.kept) {
		f->is_kept = true;
		/* What a digest keeps of a trace; whether --rank wants it, it says, too. */
		const struct filter rank = { .rank = r->how->digest.filter->rank };
		SCOPED_ARENA mem = { 0 };
		f->is_filtered = filter_takes_any(&rank, &run, &f->err) == E_NODATA;
		if (!f->is_filtered &&
			digest_unpack(&f->digest, run.kept, load_shown(run.path, &mem),
				&r->how->digest, &f->err) != OK)
			f->digest = NULL;
		run_clear(&run);
		return;
	}
	f->is_filtered =
		run.has_trace && filter_takes_any(r->how->digest.filter, &run, &f->err) == E_NODATA;
	if (!f->is_filtered && digest_new(&f->digest, &run, &r->how->digest, &f->err) != OK)
		f->digest = NULL;
	run_clear(&run);
}

static struct sides_file *add_file(
	struct sides *s, size_t side, const char *path, const char *within)
{
	struct sides_file *file = PUSH(s->file, s->nfile, s->file_cap,
		(struct sides_file){
			.placed = { .path = arena_copy(&s->mem, path, strlen(path)),
				.within = arena_copy(&s->mem, within, strlen(within)) },
			.side = side,
		});
	err_clear(&file->err);
	return file;
}

/* A file of a folder; its run: what tells the folder's runs apart, below what tells the folder. */
static void add_found(struct sides *s, size_t side, const struct folder_file *found,
	const char *above, bool is_alone)
{
	struct sides_file *file =
		add_file(s, side, found->path, is_alone ? found->name : found->path);
	struct str why = { 0 };

	file->is_found = true;
	file->beside = load_beside_copy(found->beside, &s->mem);
	file->placed.run = arena_printf(&s->mem, "%s%s", above, found->run);
	switch (found->what) {
	case FOLDER_TWICE:
		file->is_odd_twin = !twice_put(found, &why);
		file->is_copy = found->kind && !found->twin->is_other;
		file->twin = arena_copy(&s->mem, why.s, why.n);
		file->placed.turn = found->twin->turn;
		if (!found->twin->is_other)
			(void)err_set(&file->err, E_FORMAT, -1, "%s", why.s);
		str_free(&why);
		break;
	case FOLDER_BESIDE:
		(void)err_set(
			&file->err, E_FORMAT, -1, "it lies above several runs; give it by itself");
		break;
	case FOLDER_UNKNOWN:
	case FOLDER_DAMAGED:
		(void)err_set(&file->err, found->what == FOLDER_DAMAGED ? E_SYNTAX : E_FORMAT, -1,
			"%s", found->why);
		break;
	default:
		if (found->later)
			(void)err_set(&file->err, E_FORMAT, -1, "%s tells of the same run later on",
				found->later->name);
		break;
	}
}

/* Files of a folder that can be read.  The others are left out with a word. */
static enum status add_folder(
	struct sides *s, size_t side, const char *path, bool is_alone, struct err *e)
{
	struct folder f;
	struct part *part;
	enum status st = folder_read(&f, path, NULL, e);
	const char *above = "";

	if (st == OK) {
		(void)parts_of(&f, path, &part);
		twice_settle(&f, NULL);
		if (!is_alone)
			above = runpath_key(arena_printf(&f.mem, "%s/", path), &f.mem);
		for (size_t i = 0; i < f.n; i++)
			if (f.file[i].what != FOLDER_JOINED)
				add_found(s, side, &f.file[i], above, is_alone);
		SCOPED_STR b = { 0 };
		bool is_odd;
		int64_t n = folder_put_left_out(&f, &b, &is_odd);
		if (is_odd) {
			PUSH(s->unseen, s->nunseen, s->unseen_cap,
				(struct sides_unseen){
					path, arena_copy(&s->mem, b.s, b.n), n, side, f.too_many });
		}
	}
	folder_clear(&f);
	return st;
}

/* A path's own name among the paths of its side: all of it when there are several. */
static const char *own_name(const struct operand_side *o, const char *path)
{
	const char *slash = strrchr(path, '/');

	return o->npath > 1 || !slash || !slash[1] ? path : slash + 1;
}

static enum status list_path(
	struct sides *s, size_t side, const struct operand_side *o, const char *path, struct err *e)
{
	size_t before = s->nfile;

	if (!folder_is(path)) {
		door_input(path);
		(void)add_file(s, side, path, own_name(o, path));
		return OK;
	}
	TRY(add_folder(s, side, path, o->npath == 1, e));
	if (s->nfile > before)
		return OK;
	return err_set(e, E_NODATA, -1, "the folder holds no files");
}

/* "profiler_context/stage_times.json" of a path. */
static const char *below_its_run(const char *path)
{
	const char *p = strrchr(path, '/');

	while (p && p > path && p[-1] != '/')
		p--;
	return p ? p : path;
}

static bool differs_elsewhere(const struct sides *s, const struct sides_file *copy)
{
	const char *name = below_its_run(copy->placed.path);

	return ANY(i, s->nfile,
		s->file[i].twin && s->file[i].err.status == OK && !s->file[i].is_copy &&
			strcmp(below_its_run(s->file[i].placed.path), name) == 0);
}

static enum status list(
	struct sides *s, const struct operands *o, const char **where, struct err *e)
{
	size_t before;

	for (size_t i = 0; i < o->n; i++) {
		before = s->nfile;
		for (size_t k = 0; k < o->side[i].npath; k++) {
			*where = o->side[i].path[k];
			TRY(list_path(s, i, &o->side[i], *where, e));
			if (s->nfile - before > OPERANDS_TOGETHER_MAX)
				return err_set(e, E_LIMIT, -1,
					"a side is at most %d files; give fewer at a time",
					OPERANDS_TOGETHER_MAX);
		}
	}
	*where = NULL;
	return OK;
}

static bool is_cut(const struct sides_file *f, bool on_device)
{
	const struct digest *d = f->digest;

	return d && d->has_steps && d->has_device && d->on_device == on_device;
}

static bool are_ranks(const struct sides_file *a, const struct sides_file *b)
{
	const char *x = a->placed.run ? a->placed.run : "", *y = b->placed.run ? b->placed.run : "";

	return a->side == b->side && strcmp(x, y) == 0 && a->digest->rank != b->digest->rank;
}

/* All ranks' steps are cut in one way: where the host of one runs ahead, on the device. */
static void cut_alike(struct sides *s, const struct sides_options *how)
{
	struct reading r = { .sides = s, .how = how };
	size_t n = 0;

	for (EACH(struct sides_file, f, s->file, s->nfile)) {
		f->cuts_on_device = is_cut(f, false) && !f->is_kept &&
			ANY(k, s->nfile, is_cut(&s->file[k], true) && are_ranks(f, &s->file[k]));
		n += f->cuts_on_device;
	}
	if (n == 0)
		return;
	int64_t bytes = SUM(int64_t, i, s->nfile,
		s->file[i].cuts_on_device ? meter_size(s->file[i].placed.path) : 0);
	r.threads_each = 1;
	meter_begin(&r.meter, s->file[0].placed.path, s->nfile, bytes, how->is_quiet);
	parallel_run(s->nfile, parallel_cores(how->threads), read_one, &r);
	meter_end(&r.meter);
}

/* It can be opened, and says nothing. */
static bool is_broken(const struct sides_file *f)
{
	enum status st = f->err.status;

	return st == E_SYNTAX || st == E_TRUNCATED || st == E_NODATA || st == E_FORMAT;
}

/* The first error that counts: of a file that was named, or of options. */
static enum status first_error(
	struct sides *s, size_t may_be_empty, const char **where, struct err *e)
{
	for (EACH(struct sides_file, f, s->file, s->nfile)) {
		bool is_odd = f->err.status == E_FORMAT || !s->is_strict;
		bool is_lost = f->side == may_be_empty && is_broken(f);

		if (f->digest || f->is_filtered ||
			((f->is_found || is_lost) && is_odd && f->err.status != E_USAGE))
			continue;
		*where = f->err.status == E_USAGE ? NULL : f->placed.path;
		*e = f->err;
		return e->status;
	}
	return OK;
}

static enum status group(struct sides *s, size_t at, const char *label, bool may_be_empty,
	const char **where, struct err *e)
{
	struct side *side = &s->side[at];
	struct side_file *file = arena_array(&s->mem, s->nfile, sizeof(*file));
	const struct sides_file *missed = NULL;
	size_t n = 0;

	side->label = label;
	side->left = arena_array(&s->mem, s->nfile, sizeof(*side->left));
	for (EACH(struct sides_file, f, s->file, s->nfile)) {
		if (f->side != at)
			continue;
		f->placed.digest = f->digest;
		if (f->digest)
			file[n++] = f->placed;
		else
			side->left[side->nleft++] = (struct side_left){ f->placed.path, f->err.text,
				f->err.status != E_FORMAT && !f->is_filtered };
		missed = f->is_filtered && !missed ? f : missed;
	}
	sides_group(side, file, n, &s->mem);
	members_set_aside(side, &s->mem);
	if (side->nrun > 0 || (may_be_empty && !missed))
		return OK;
	*where = label;
	if (missed) {
		*e = missed->err;
		return e->status;
	}
	(void)err_set(e, E_NODATA, -1, "no trace is in it, and no figures");
	(void)err_hint(e, "%zu file%s looked at; the first: %s", side->nleft, plural_s(side->nleft),
		side->nleft ? side->left[0].why : "none");
	/* Files and folders of a side that were too many to be looked at. */
	record_say_beyond(
		SUM(int64_t, i, s->nunseen, s->unseen[i].side == at ? s->unseen[i].beyond : 0), e);
	return e->status;
}

enum status sides_read(struct sides *s, const struct operands *o, const struct sides_options *how,
	const char **where, struct err *e)
{
	size_t may_be_empty = how->takes_broken ? o->n - 1 : SIZE_MAX;

	*s = (struct sides){ 0 };
	s->is_strict = how->is_strict;
	TRY(list(s, o, where, e));
	/*
	 * A copy is read all the same where a run it is compared with has a file there that is
	 * none: that one's figures would have no other side.  What a store knows is not known here.
	 */
	for (EACH(struct sides_file, f, s->file, s->nfile)) {
		if (f->is_copy && (o->n == 1 || differs_elsewhere(s, f))) {
			err_clear(&f->err);
			f->twin = NULL;
		}
	}
	TRY(door_check(e));
	struct reading r = { .sides = s, .how = how };
	unsigned files = parallel_share(how->threads, s->nfile, &r.threads_each);
	int64_t bytes = SUM(int64_t, i, s->nfile, meter_size(s->file[i].placed.path));
	meter_begin(
		&r.meter, s->nfile ? s->file[0].placed.path : "", s->nfile, bytes, how->is_quiet);
	parallel_run(s->nfile, files, read_one, &r);
	meter_end(&r.meter);
	if (how->digest.collectives)
		cut_alike(s, how);
	TRY(first_error(s, may_be_empty, where, e));
	s->nside = o->n;
	s->side = arena_array(&s->mem, o->n, sizeof(*s->side));
	for (size_t i = 0; i < o->n; i++)
		TRY(group(s, i, o->side[i].label, i == may_be_empty, where, e));
	return OK;
}

void sides_list(const struct sides *s, struct result *out)
{
	struct arena *mem = &out->keep;

	for (size_t i = 0; i < s->nfile; i++)
		if (s->file[i].digest)
			notes_add_tally(out, &s->file[i].digest->tally,
				result_input(out, load_shown(s->file[i].placed.path, mem)));
	for (size_t i = 0; i < s->nfile; i++)
		if (s->file[i].is_odd_twin || (s->file[i].twin && s->file[i].digest))
			result_note(out, s->file[i].is_odd_twin ? NOTE_WARNING : NOTE_INFO, "twice",
				-1, -1, "%s: %s", s->file[i].placed.path, s->file[i].twin);
	for (size_t i = 0; i < s->nside; i++)
		if (s->side[i].said)
			result_note(out, NOTE_INFO, "taken_by_name", -1, -1, "%s: %s",
				s->side[i].label, s->side[i].said);
	for (size_t i = 0; i < s->nunseen; i++)
		result_note(out, NOTE_WARNING, "not_looked_at", -1, s->unseen[i].n,
			"%s: skipped: %s", s->unseen[i].path, s->unseen[i].what);
}

void sides_clear(struct sides *s)
{
	free(s->unseen);
	for (size_t i = 0; i < s->nfile; i++)
		digest_free(s->file[i].digest);
	free(s->file);
	arena_clear(&s->mem);
	*s = (struct sides){ 0 };
}
