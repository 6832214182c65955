/* From what was found to what asks on. */
#include "cmd/front/next.h"

#include <sys/stat.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/folder.h"
#include "analyze/input/format/format.h"
#include "base/shell.h"
#include "cmd/help/help.h"
#include "cmd/load/load_history.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "cmd/verb.h"
#include "report/format/renderer.h"

static const struct column next_columns[] = {
	TEXT_COLUMN("command", "next", "What to type.", COLUMN_SHOWN),
	TEXT_COLUMN("why", "what it answers", "What it answers.", COLUMN_ELASTIC),
};

struct table *next_table(struct result *r)
{
	struct table *t = result_table(r, "next", "next", next_columns, COUNT_OF(next_columns));

	t->input = -1;
	t->layout = TABLE_COMMANDS;
	return t;
}

void next_add(struct table *t, const char *why, const char *const *word)
{
	table_row(t);
	table_text(t, 0, span_of(shell_command(t->mem, word)));
	table_text(t, 1, span_of(why));
}

const char *next_file(const struct commands *all, struct arena *mem, const char *path)
{
	struct verb v;

	return verb_find(all, path, &v) ? arena_printf(mem, "./%s", path)
					: shell_operand(mem, path);
}

const char *next_output(struct arena *mem, const char *stem, const char *suffix)
{
	enum { TRIES = 100 };
	const char *name = arena_printf(mem, "%s%s", stem, suffix);
	struct stat at;

	for (int i = 2; i < TRIES && lstat(name, &at) == 0; i++)
		name = arena_printf(mem, "%s-%d%s", stem, i, suffix);
	return name;
}

/* The part of a step that takes most, of those that a command looks into. */
static void of_ledger(struct table *t, const char *path, const struct table *ledger)
{
	static const struct {
		const char *part, *command, *why;
	} parts[] = {
		{ "compute", "kernels", "its kernels, and the ops behind them" },
		{ "exposed comm", "comms", "its collectives, and what hides them" },
		{ "exposed copies", "copies", "its copies, by kind of memory" },
		{ "idle", "idle", "its gaps, and what the GPU waits for" },
	};
	size_t most = COUNT_OF(parts);
	double best = 0;

	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		double sum = SUM(double, row, ledger ? ledger->nrow - ledger->nfoot : 0,
			span_starts(table_word(ledger, row, "part"), parts[i].part)
				? table_number(ledger, row, "share_ratio")
				: 0);
		if (sum > best) {
			best = sum;
			most = i;
		}
	}
	if (most < COUNT_OF(parts))
		NEXT(t, parts[most].why, parts[most].command, path);
}

static const char *text_of(const struct table *t, size_t row, const char *key)
{
	struct span s = table_word(t, row, key);

	return arena_copy(t->mem, s.p, s.n);
}

/* The worst finding: what its rule is, and the place itself. */
static void of_findings(struct table *t, const char *trace, const struct table *f)
{
	for (size_t row = 0; f && row < f->nrow; row++) {
		if (!span_in(table_word(f, row, "severity"), "CRIT|WARN|note"))
			continue;
		NEXT(t, "what that finding means", "explain", text_of(f, row, "rule"));
		if (trace && table_word(f, row, "id").n > 0)
			NEXT(t, "its worst place alone", "cut", trace, "--around",
				text_of(f, row, "id"), "-o", next_output(t->mem, "cut", ".json"));
		return;
	}
}

void next_of_answers(
	struct table *t, const char *path, const char *trace, const struct result *diagnose)
{
	if (!diagnose)
		return;
	if (result_find(diagnose, "job", 0))
		NEXT(t, "who makes the others wait", "ranks", path);
	of_ledger(t, path, result_find(diagnose, "ledger", 0));
	of_findings(t, trace, result_find(diagnose, "findings", 0));
}

void next_plain(struct table *t)
{
	for (size_t i = 0; i < t->nrow; i++)
		t->cell[i * t->ncol + 1].s = SPAN("");
}

/* ---- a glance at the current folder ---- */

enum { GLANCE_FILES = 300, GLANCE_DEPTH = 1, SHOWN = 12, STORES = 4 };

static const struct column columns[] = {
	TEXT_COLUMN("what", "in this folder", "What it is.", COLUMN_SHOWN),
	{ "bytes", "size", "Its size.", NULL, CELL_INT, UNIT_BYTES, .flags = COLUMN_SHOWN },
	TEXT_COLUMN("file", "file", "Its name.", COLUMN_ELASTIC),
};

struct front {
	const struct commands *all;
	struct folder folder;
	const struct folder_file *trace[2]; /* the first ones */
	size_t ntrace, nother;
	const char *store[STORES]; /* of baselines */
	size_t nstore;
	struct result result;
};

/* Names under which runs leave something behind: a suffix, or a word in it. */
static bool wants(const char *name)
{
	static const char *const suffix[] = { ".json", ".jsonl", ".gz", ".zst", ".xz", ".bz2",
		".lz4", ".zip", ".tar", ".tgz", ".pftrace", ".perfetto-trace", ".pb", ".sqlite",
		".db", ".nsys-rep", ".csv", ".log", ".pickle", ".pkl", ".folded", ".tqd" };
	static const char *const word[] = { "trace", "tfevents", "metrics", "profile" };

	return ANY(i, COUNT_OF(suffix), span_ends(span_of(name), suffix[i])) ||
		ANY(i, COUNT_OF(word), strstr(name, word[i]));
}

static bool is_trace(const struct folder_file *f)
{
	return f->what == FOLDER_TRACE || f->what == FOLDER_FURTHER;
}

static bool is_known(const struct folder_file *f)
{
	return is_trace(f) || f->what == FOLDER_ARTIFACT || f->what == FOLDER_BESIDE;
}

/* What may have been something, and cannot be read. */
static bool is_unreadable(const struct folder_file *f)
{
	return f->what == FOLDER_DAMAGED && f->bytes > 0;
}

static const char *title_of(const struct folder_file *f)
{
	if (is_unreadable(f))
		return "cannot be read";
	if (is_trace(f))
		return f->format ? f->format->title : "trace";
	return f->kind ? f->kind->title : "log";
}

/* A store is known by its folder. */
static const char *store_of(struct front *x, const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? arena_copy(&x->result.mem, name, (size_t)(slash - name)) : ".";
}

/* Whether two names are the same but for the numbers in them. */
static bool is_numbered(const char *a, const char *b)
{
	static const char digits[] = "0123456789";

	while (*a && *b) {
		a += strspn(a, digits);
		b += strspn(b, digits);
		if (*a != *b)
			return false;
		a += *a != '\0';
		b += *b != '\0';
	}
	return *a == *b;
}

/* By what ranks are called: rank0.json and rank1.json, host_12.pt.trace.json and so on. */
static bool are_ranks(const struct folder_file *a, const struct folder_file *b)
{
	static const char *const word[] = { "rank", "worker", "node", "host", ".pt.trace." };

	return is_numbered(a->name, b->name) &&
		ANY(i, COUNT_OF(word), strstr(path_name(a->name), word[i]));
}

/* The folder of the first two traces that are ranks of one job; NULL: there are none. */
static const char *job_of(struct front *x)
{
	const struct folder_file *before = NULL;

	for (EACH(const struct folder_file, f, x->folder.file, x->folder.n)) {
		if (!is_trace(f))
			continue;
		ptrdiff_t n = path_name(f->name) - f->name;
		if (before && path_name(before->name) - before->name == n && are_ranks(before, f))
			return n ? arena_copy(&x->result.mem, f->name, (size_t)n) : ".";
		before = f;
	}
	return NULL;
}

static const char *file_of(struct front *x, const char *name)
{
	return next_file(x->all, &x->result.mem, name);
}

static void next_of_traces(struct front *x, struct table *t)
{
	const char *job = job_of(x);

	if (x->ntrace == 0)
		return;
	const char *first = file_of(x, x->trace[0]->name);
	NEXT(t, "what it is, where its time goes, what is wrong", first);
	if (job)
		NEXT(t, "who makes the other ranks wait", "ranks", file_of(x, job));
	if (x->ntrace > 1 && !are_ranks(x->trace[0], x->trace[1]))
		NEXT(t, "what changed, and what is noise", "diff", first,
			file_of(x, x->trace[1]->name));
	if (x->nstore)
		NEXT(t, "whether it may pass", "gate", file_of(x, x->store[0]), first);
}

static void list_next(struct front *x)
{
	struct table *t = next_table(&x->result);

	next_of_traces(x, t);
	/* Files that are no traces: each kind by the first of its files. */
	enum { MOST = 2 };
	size_t n = 0;
	for (size_t i = 0; i < x->folder.n && x->ntrace == 0 && n < MOST; i++)
		if (is_known(&x->folder.file[i]) &&
			!(x->folder.file[i].kind && x->folder.file[i].kind->is_setup)) {
			NEXT(t, "what it says", file_of(x, x->folder.file[i].name));
			n++;
		}
	if (x->nstore)
		NEXT(t, "the runs that count as good", "baseline", "list", file_of(x, x->store[0]));
	if (x->ntrace + x->nother > 1)
		NEXT(t, "all that is here, file by file", "info", ".");
	NEXT(t, "all commands", "--help");
}

static int put(struct front *x)
{
	const struct output_options o = { 0 };
	struct table *t = result_table(&x->result, "files", NULL, columns, COUNT_OF(columns));
	struct err e;

	t->input = -1;
	/* Traces first. */
	size_t n = 0;
	for (int pass = 0; pass < 2; pass++)
		for (EACH(const struct folder_file, f, x->folder.file, x->folder.n)) {
			if (!(is_known(f) || is_unreadable(f)) || is_trace(f) != (pass == 0) ||
				n++ >= SHOWN)
				continue;
			table_row(t);
			table_text(t, 0, span_of(title_of(f)));
			table_int(t, 1, f->bytes);
			table_text(t, 2, span_of(f->name));
		}
	if (n > SHOWN)
		t->footnote = arena_printf(
			&x->result.mem, "and %zu more; 'traceq info .' lists them", n - SHOWN);
	if (t->nrow == 0)
		result_drop_tables(&x->result, 0);
	list_next(x);
	if (output_put(&o, renderer_find("table"), &x->result, &e) != OK)
		return say_error(NULL, &e);
	return EXIT_ANSWERED;
}

int front_print(const struct commands *all)
{
	static const struct folder_reach near = { GLANCE_FILES, GLANCE_DEPTH, wants };
	struct front x = { .all = all };
	struct err e;

	result_init(&x.result, "");
	if (folder_glance(&x.folder, ".", &near, &e) == OK) {
		for (size_t i = 0; i < x.folder.n; i++) {
			if (strcmp(path_name(x.folder.file[i].path), HISTORY_FILE) == 0) {
				if (x.nstore < STORES)
					x.store[x.nstore++] = store_of(&x, x.folder.file[i].name);
			} else if (is_trace(&x.folder.file[i])) {
				if (x.ntrace < COUNT_OF(x.trace))
					x.trace[x.ntrace] = &x.folder.file[i];
				x.ntrace++;
			} else {
				x.nother += is_known(&x.folder.file[i]);
			}
		}
	}
	int exit_code = x.ntrace + x.nother + x.nstore ? put(&x) : help_all(all, false, true);
	folder_clear(&x.folder);
	result_clear(&x.result);
	return exit_code;
}
