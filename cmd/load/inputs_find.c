/* Paths to what there is to load: files as they are, folders by what their files begin with. */
#include "cmd/load/inputs.h"

#include "analyze/input/load_twice.h"
#include "analyze/input/run_parts.h"
#include "analyze/trace/columns/record.h"
#include "base/door.h"
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
	struct load_options with = *o;

	with.beside = f->beside;
	return load_single(f->path, &with, run, e);
}

static enum status by_part(
	const struct input *f, const struct load_options *o, struct run *run, struct err *e)
{
	return load_part(f->folder, f->part, f->shown, o, run, e);
}

/* Runs of one answer: those that stay are fewer. */
static enum status check_count(const struct input_list *l, struct err *e)
{
	size_t max = l->want->is_one_by_one ? OPERANDS_MAX : OPERANDS_TOGETHER_MAX;

	if (l->n < max)
		return OK;
	return err_set(
		e, E_LIMIT, -1, "an answer is about at most %zu runs; give fewer at a time", max);
}

static enum status add(struct input_list *l, const struct input *f, struct err *e)
{
	TRY(check_count(l, e));
	PUSH(l->input, l->n, l->cap, *f)->shown = arena_copy(&l->mem, f->shown, strlen(f->shown));
	return OK;
}

static enum status add_left(struct input_list *l, const char *path, const char *why, struct err *e)
{
	struct input left = { .kind = INPUT_LEFT, .path = path, .shown = path };

	TRY(add(l, &left, e));
	left.err = zeroed(1, sizeof(*left.err));
	(void)err_set(left.err, E_LIMIT, -1, "%s", why);
	l->input[l->n - 1].err = left.err;
	return OK;
}

/* The folder, kept until inputs_lose. */
static struct folder *new_folder(struct input_list *l)
{
	struct input_folder *new = zeroed(1, sizeof(*new));

	new->next = l->folder;
	l->folder = new;
	return &new->folder;
}

static bool is_first(const struct inputs_want *want, const char *path)
{
	return ANY(i, want->nfirst, strcmp(want->first[i], path) == 0);
}

/* The other traces of a run: what is taken first, then as many others as there is room for. */
static enum status find_traces(struct input_list *l, const struct part *part, struct err *e)
{
	size_t room = l->want->is_one_by_one ? SIZE_MAX : TRACES_MAX - 1, nfirst = 0;

	for (size_t i = 0; i < part->ntrace; i++)
		nfirst += is_first(l->want, part->trace[i]->path);
	room -= MIN(room, nfirst);
	for (size_t i = 0; i < part->ntrace; i++) {
		const char *path = part->trace[i]->path;
		bool is_taken = part->trace[i]->is_record || is_first(l->want, path);

		if (!is_taken && room == 0) {
			TRY(add_left(l, path,
				"charts and reports look at 64 traces of a run at most; "
				"'traceq digest' makes one file of all for them",
				e));
			continue;
		}
		room -= !is_taken;
		TRY(add(l,
			&(struct input){
				.kind = part->trace[i]->is_record ? INPUT_NAMED : INPUT_FURTHER,
				.path = path,
				.shown = path,
				.load = by_file,
				.beside = part->trace[i]->beside,
				.may_wait = !l->is_strict,
				.bytes = part->trace[i]->bytes },
			e));
	}
	return OK;
}

static enum status find_run(struct input_list *l, const struct folder *f, const struct part *part,
	bool is_one_of_many, struct err *e)
{
	bool is_named = part->ntrace && l->want->is_of_events && !l->want->is_of_folders;
	bool has_others = is_one_of_many || part->ntrace;
	struct input run = {
		.kind = INPUT_RUN,
		.path = part->path,
		.shown = is_named ? part->first->path : part->path,
		.load = by_part,
		.folder = f,
		.part = part,
		.has_others = has_others,
		.may_wait = has_others && part->first && !l->is_strict,
		.bytes = part->first ? part->first->bytes : 0,
	};

	TRY(add(l, &run, e));
	return l->want->is_of_events ? find_traces(l, part, e) : OK;
}

static enum status find_runs(struct input_list *l, const char *path, struct err *e)
{
	struct folder *f = new_folder(l);
	struct part *part;

	TRY(folder_read(f, path, NULL, e));
	size_t n = parts_of(f, path, &part);
	twice_settle(f, NULL);
	for (size_t i = 0; i < n; i++)
		TRY(find_run(l, f, &part[i], n > 1, e));
	return OK;
}

static enum status find_named(struct input_list *l, const char *path,
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

	return add(l, &f, e);
}

/* A folder that is one run with traces of several ranks: each of them; else as one run. */
static enum status find_ranks(struct input_list *l, const char *path, struct err *e)
{
	struct folder *f = new_folder(l);
	struct part *part;

	if (folder_read(f, path, NULL, e) == OK && parts_of(f, path, &part) == 1 && part->ntrace) {
		twice_settle(f, NULL);
		return find_run(l, f, part, false, e);
	}
	err_clear(e);
	return find_named(l, path, by_path, e);
}

enum status inputs_find(struct input_list *l, const char *path, struct err *e)
{
	bool is_folder = folder_is(path);

	if (!is_folder && l->want->takes_missing && folder_is_missing(path))
		return find_named(l, path, by_nothing, e);
	if (!is_folder)
		return find_named(l, path, by_file, e);
	if (l->want->folder == FOLDER_EACH_RUN)
		return find_runs(l, path, e);
	if (l->want->folder == FOLDER_RANKS)
		return find_ranks(l, path, e);
	return find_named(l, path, by_path, e);
}

static void add_trace(
	struct trace_list *l, const char *path, const struct load_beside *beside, struct arena *mem)
{
	ARENA_PUSH(mem, l->v, l->n, l->cap,
		(struct trace_item){
			arena_copy(mem, path, strlen(path)), load_beside_copy(beside, mem) });
}

/* The traces of all runs in it. */
static enum status add_folder(
	struct trace_list *l, const char *path, struct arena *mem, struct err *e)
{
	size_t before = l->n, n;
	struct part *part;
	struct folder f;
	enum status st = folder_read(&f, path, NULL, e);

	if (st == OK) {
		n = parts_of(&f, path, &part);
		for (EACH(const struct part, p, part, n)) {
			if (p->first)
				add_trace(l, p->first->path, p->first->beside, mem);
			for (size_t k = 0; k < p->ntrace; k++)
				add_trace(l, p->trace[k]->path, p->trace[k]->beside, mem);
		}
		l->left += f.n - (l->n - before);
	}
	int64_t beyond = f.too_many;
	folder_clear(&f);
	if (st != OK || l->n > before)
		return st;
	(void)err_set(e, E_NODATA, -1, "the folder holds no trace");
	record_say_beyond(beyond, e);
	return e->status;
}

enum status traces_find(struct trace_list *l, const char *const *path, size_t n, struct arena *mem,
	const char **where, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		*where = path[i];
		if (folder_is(path[i]))
			TRY(add_folder(l, path[i], mem, e));
		else
			add_trace(l, path[i], NULL, mem);
	}
	*where = NULL;
	return door_check(e); /* also of what lies in folders */
}

void input_list_cut(struct input_list *l, size_t keep)
{
	while (l->n > keep)
		free(l->input[--l->n].err);
}

void input_list_clear(struct input_list *l)
{
	struct input_folder *f;

	input_list_cut(l, 0);
	free(l->input);
	while ((f = l->folder)) {
		l->folder = f->next;
		folder_clear(&f->folder);
		free(f);
	}
	arena_clear(&l->mem);
	*l = (struct input_list){ 0 };
}
