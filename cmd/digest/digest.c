/*
 * The digest command: records of traces, those of digests as they are, in one file.
 *
 * A few traces are in memory at a time, as many as threads read; of each its record stays.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/input/folder.h"
#include "analyze/input/load_file.h"
#include "analyze/input/load_twice.h"
#include "analyze/input/parts.h"
#include "analyze/trace/kept_file.h"
#include "analyze/trace/record.h"
#include "base/door.h"
#include "base/io.h"
#include "base/opt.h"
#include "base/minmax.h"
#include "base/parallel.h"
#include "base/plural.h"
#include "cmd/command.h"
#include "cmd/digest/digest_make.h"
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/say.h"

struct digest_options_given {
	const char *out;
	int64_t threads;
	bool is_strict, is_quiet;
};

#define AT(field) offsetof(struct digest_options_given, field)
static const struct opt own_opts[] = {
	OPT("output", 'o', OPT_TEXT, "FILE",
		"the file of digests, which appears when it is complete", AT(out), NULL, NULL),
	OPT("threads", 0, OPT_INT, "N", "threads; 0 = one per core [0]", AT(threads), NULL, NULL),
	OPT("strict", 0, OPT_FLAG, NULL, "a file that is cut off or damaged is an error",
		AT(is_strict), NULL, NULL),
	OPT("quiet", 'q', OPT_FLAG, NULL, "no line about what was written", AT(is_quiet), NULL,
		NULL),
};
#undef AT

static const struct opt_group groups[] = { { "Options", own_opts, COUNT_OF(own_opts), NULL } };

/* One trace, and its record. */
struct item {
	const struct load_beside *beside; /* what is read with it, or NULL */
	const char *path;
	struct str record;
	struct span name;
	struct arena mem;
	struct err err;
};

struct digesting {
	const struct analyses *analyses;
	struct digest_options_given o;
	const char **path;
	size_t npath;
	struct item *item;
	size_t n, cap;
	size_t left; /* files of folders that are no traces */
	struct digest_asks asks;
	unsigned threads_each;
	struct arena mem;
	const char *where; /* what err is about; NULL */
	struct err err;
};

/* ---- which files ---- */

static void add_item(struct digesting *d, const char *path, const struct load_beside *beside)
{
	struct item *item;

	d->item = array_grow(d->item, &d->cap, d->n + 1, sizeof(*d->item));
	item = &d->item[d->n++];
	*item = (struct item){ .path = arena_copy(&d->mem, path, strlen(path)),
		.beside = load_beside_copy(beside, &d->mem) };
	arena_init(&item->mem);
	err_clear(&item->err);
}

/* The traces of all runs in it; what lies beside them is in no digest. */
static enum status add_folder(struct digesting *d, const char *path)
{
	size_t before = d->n, i, k, n;
	struct part *part;
	struct folder f;
	int64_t beyond;
	enum status st = folder_read(&f, path, NULL, &d->err);

	if (st == OK) {
		n = parts_of(&f, path, &part);
		for (i = 0; i < n; i++) {
			if (part[i].first)
				add_item(d, part[i].first->path, part[i].first->beside);
			for (k = 0; k < part[i].ntrace; k++)
				add_item(d, part[i].trace[k]->path, part[i].trace[k]->beside);
		}
		d->left += f.n - (d->n - before);
	}
	beyond = f.too_many;
	folder_clear(&f);
	if (st != OK || d->n > before)
		return st;
	(void)err_set(&d->err, E_NODATA, -1, "the folder holds no trace");
	record_say_beyond(beyond, &d->err);
	return d->err.status;
}

static enum status list(struct digesting *d)
{
	size_t i;

	output_spares(d->path, d->npath);
	TRY(output_plan_named(d->o.out, &d->err));
	for (i = 0; i < d->npath; i++) {
		d->where = d->path[i];
		if (folder_is(d->path[i]))
			TRY(add_folder(d, d->path[i]));
		else
			add_item(d, d->path[i], NULL);
	}
	d->where = NULL;
	return door_check(&d->err);
}

/* ---- reading and writing ---- */

static void make_one(void *ctx, size_t i)
{
	struct digesting *d = ctx;
	struct item *item = &d->item[i];
	const struct digest_source s = { item->path, item->path, item->beside, d->threads_each,
		d->o.is_strict };

	item->err.status =
		digest_make(&s, &d->asks, &item->record, &item->name, &item->mem, &item->err);
}

static void make_all(struct digesting *d)
{
	long cores = d->o.threads > 0 ? (long)d->o.threads : sysconf(_SC_NPROCESSORS_ONLN);
	unsigned threads = (unsigned)MAX(cores, 1);
	unsigned files = (unsigned)MIN(d->n, threads);

	digest_asks_init(&d->asks, d->analyses);
	d->threads_each = threads / (files ? files : 1);
	parallel_run(d->n, files, make_one, d);
	digest_asks_clear(&d->asks);
}

static enum status put(struct digesting *d, size_t *n, size_t *bytes)
{
	struct kept_entry *v = arena_array(&d->mem, d->n, sizeof(*v));
	struct str file = { 0 };
	enum status st;
	size_t i;

	for (i = 0; i < d->n; i++)
		v[i] = (struct kept_entry){ d->item[i].name,
			{ d->item[i].record.s, d->item[i].record.n } };
	*n = kept_file_sort(v, d->n, &d->mem);
	kept_file_put(v, *n, &file);
	for (i = 0; i < *n; i++)
		str_add(&file, v[i].record.p, v[i].record.n);
	*bytes = file.n;
	st = io_put(d->o.out, &file, &d->err);
	str_free(&file);
	return st;
}

/* Every file that has no digest is said; then there is none of the others either. */
static bool say_failed(const struct digesting *d)
{
	bool any = false;
	size_t i;

	for (i = 0; i < d->n; i++)
		if (d->item[i].err.status != OK) {
			(void)say_error(d->item[i].path, &d->item[i].err);
			any = true;
		}
	return any;
}

static int answer(struct digesting *d)
{
	size_t n = 0, bytes = 0;

	if (list(d) != OK)
		return d->err.status == E_USAGE ? say_usage("digest", &d->err)
						: say_error(d->where, &d->err);
	make_all(d);
	if (say_failed(d))
		return EXIT_NO_ANSWER;
	if (put(d, &n, &bytes) != OK)
		return d->err.status == E_USAGE ? say_usage("digest", &d->err)
						: say_error(NULL, &d->err);
	if (d->o.is_quiet)
		return EXIT_ANSWERED;
	return output_line("%s: %zu digest%s, %zu bytes%s", d->o.out, n, plural_s(n), bytes,
		d->left ? "; of the folders only traces are in it" : "");
}

static enum status parse(struct digesting *d, const struct command_line *line)
{
	TRY(options_parse(
		groups, COUNT_OF(groups), (void *[]){ &d->o }, line, &d->path, &d->npath, &d->err));
	if (d->npath == 0) {
		(void)err_set(&d->err, E_USAGE, -1, "no file or folder given");
		return err_hint(&d->err, "usage: traceq digest FILE... -o X.tqd");
	}
	if (!d->o.out) {
		(void)err_set(&d->err, E_USAGE, -1, "no -o FILE: a digest goes into a file");
		return err_hint(&d->err, "usage: traceq digest FILE... -o X.tqd");
	}
	return OK;
}

static int run(const struct command_line *line)
{
	struct digesting d = { .analyses = &line->all->analyses };
	int exit_code;
	size_t i;

	door_begin();
	arena_init(&d.mem);
	err_clear(&d.err);
	if (parse(&d, line) != OK)
		exit_code = say_usage("digest", &d.err);
	else
		exit_code = answer(&d);
	for (i = 0; i < d.n; i++) {
		str_free(&d.item[i].record);
		arena_clear(&d.item[i].mem);
	}
	free(d.item);
	free(d.path);
	arena_clear(&d.mem);
	return exit_code;
}

COMMAND(digest) = {
	.name = "digest",
	.summary = "what is needed of traces in a hundredth of their size",
	.operands = "FILE... -o X.tqd",
	.doc = "Writes what is needed of each trace into one file: its digest, with sums by operator "
	       "and kernel, the ledger of each step, each collective, and the answers to what is "
	       "asked mostly. Digests are read as traces are: ranks, summary, top, comms, diff, gate "
	       "and report give the same figures from them, and what needs the events says so.\n\n"
	       "FILE is a trace, a folder, or digests, which go into the new file as they are: the "
	       "nodes of a cluster digest their own traces, and one of them puts the digests "
	       "together. The order of files makes no difference, and what is given twice is in it "
	       "once.",
	.examples = "traceq digest rank0.json.gz -o rank0.tqd\n"
		    "traceq digest runs/job/ -o job.tqd\n"
		    "traceq digest rank*.tqd -o job.tqd\n"
		    "traceq summary job.tqd",
	.group = groups,
	.ngroup = COUNT_OF(groups),
	.run = run,
};
