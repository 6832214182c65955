/*
 * Paths to what there is to load: files as they are, folders by what their files begin with.
 */
#include "cmd/load/inputs_find.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/input/load.h"
#include "analyze/input/load_twice.h"
#include "analyze/input/parts.h"
#include "base/zeroed.h"
#include "cmd/load/inputs.h"
#include "cmd/load/meter.h"
#include "cmd/load/operands.h"

enum { TRACES_MAX = 64 }; /* of one run, where all are looked at together */

static enum status by_path(
	const struct input *f, const struct load_options *o, struct run *run, struct err *e)
{
	return load_path(f->path, o, run, e);
}

static enum status by_nothing(
	const struct input *f, const struct load_options *o, struct run *run, struct err *e)
{
	return load_missing(f->path, o, run, e);
}

static enum status by_file(
	const struct input *f, const struct load_options *o, struct run *run, struct err *e)
{
	return load_single(f->path, o, run, e);
}

static enum status by_part(
	const struct input *f, const struct load_options *o, struct run *run, struct err *e)
{
	return load_part(f->folder, f->part, o, run, e);
}

/* Runs of one answer: those that stay are fewer. */
static enum status check_count(const struct inputs *in, struct err *e)
{
	size_t max = in->want.is_one_by_one ? OPERANDS_MAX : OPERANDS_TOGETHER_MAX;

	if (in->nfound < max)
		return OK;
	return err_set(
		e, E_LIMIT, -1, "an answer is about at most %zu runs; give fewer at a time", max);
}

static enum status add(struct inputs *in, const struct input *f, struct err *e)
{
	TRY(check_count(in, e));
	in->found = array_grow(in->found, &in->found_cap, in->nfound + 1, sizeof(*in->found));
	in->found[in->nfound] = *f;
	in->found[in->nfound++].shown = arena_copy(&in->mem, f->shown, strlen(f->shown));
	return OK;
}

static enum status add_left(struct inputs *in, const char *path, const char *why, struct err *e)
{
	struct input left = { .kind = INPUT_LEFT, .path = path, .shown = path };

	TRY(add(in, &left, e));
	left.err = zeroed(1, sizeof(*left.err));
	(void)err_set(left.err, E_LIMIT, -1, "%s", why);
	in->found[in->nfound - 1].err = left.err;
	return OK;
}

/* The folder, kept until inputs_lose. */
static struct folder *new_folder(struct inputs *in)
{
	struct input_folder *new = zeroed(1, sizeof(*new));

	new->next = in->folder;
	in->folder = new;
	return &new->folder;
}

/* The other traces of a run. */
static enum status find_traces(struct inputs *in, const struct part *part, struct err *e)
{
	size_t i;

	for (i = 0; i < part->ntrace; i++) {
		const char *path = part->trace[i]->path;

		if (i + 1 >= TRACES_MAX && !in->want.is_one_by_one)
			TRY(add_left(
				in, path, "a folder is at most 64 traces; give it by itself", e));
		else
			TRY(add(in,
				&(struct input){ .kind = INPUT_FURTHER,
					.path = path,
					.shown = path,
					.load = by_file,
					.may_wait = !in->options.strict,
					.bytes = part->trace[i]->bytes },
				e));
	}
	return OK;
}

static enum status find_run(struct inputs *in, const struct folder *f, const struct part *part,
	bool is_one_of_many, struct err *e)
{
	bool is_named = part->ntrace && in->want.is_of_events && !in->want.is_of_folders;
	bool has_others = is_one_of_many || part->ntrace;
	struct input run = {
		.kind = INPUT_RUN,
		.path = part->path,
		.shown = is_named ? part->first->path : part->path,
		.load = by_part,
		.folder = f,
		.part = part,
		.has_others = has_others,
		.may_wait = has_others && part->first && !in->options.strict,
		.bytes = part->first ? part->first->bytes : 0,
	};

	TRY(add(in, &run, e));
	return in->want.is_of_events ? find_traces(in, part, e) : OK;
}

static enum status find_runs(struct inputs *in, const char *path, struct err *e)
{
	struct folder *f = new_folder(in);
	struct part *part;
	size_t i, n;

	TRY(folder_read(f, path, NULL, e));
	n = parts_of(f, path, &part);
	twice_settle(f, in->options.inflate);
	for (i = 0; i < n; i++)
		TRY(find_run(in, f, &part[i], n > 1, e));
	return OK;
}

static enum status find_named(struct inputs *in, const char *path,
	enum status (*load)(const struct input *f, const struct load_options *o, struct run *run,
		struct err *e),
	struct err *e)
{
	const struct input f = {
		.kind = INPUT_NAMED,
		.path = path,
		.shown = path,
		.load = load,
		.may_wait = load == by_file,
		.bytes = meter_size(path),
	};

	return add(in, &f, e);
}

/* A folder that is one run with traces of several ranks: each of them; else as one run. */
static enum status find_ranks(struct inputs *in, const char *path, struct err *e)
{
	struct folder *f = new_folder(in);
	struct part *part;

	if (folder_read(f, path, NULL, e) == OK && parts_of(f, path, &part) == 1 && part->ntrace) {
		twice_settle(f, in->options.inflate);
		return find_run(in, f, part, false, e);
	}
	err_clear(e);
	return find_named(in, path, by_path, e);
}

enum status inputs_find(struct inputs *in, const char *path, struct err *e)
{
	bool is_folder = folder_is(path);

	if (!is_folder && in->want.takes_missing && folder_is_missing(path))
		return find_named(in, path, by_nothing, e);
	if (!is_folder)
		return find_named(in, path, by_file, e);
	if (in->want.folder == FOLDER_EACH_RUN)
		return find_runs(in, path, e);
	if (in->want.folder == FOLDER_RANKS)
		return find_ranks(in, path, e);
	return find_named(in, path, by_path, e);
}

void inputs_lose(struct inputs *in)
{
	struct input_folder *f;

	while ((f = in->folder)) {
		in->folder = f->next;
		folder_clear(&f->folder);
		free(f);
	}
}
