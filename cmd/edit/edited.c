/* What commands that write traces share. */
#include "cmd/edit/edited.h"

#include <errno.h>
#include <unistd.h>

#include "analyze/analysis/notes.h"
#include "cmd/load/progress.h"
#include "cmd/say.h"
#include "report/format/renderer.h"

/* Of the traces, and of their calls. */
static const char choices[] = WRITER_NAMES "|speedscope|folded";

#define AT(field) offsetof(struct edited_options, field)
static const struct opt opts[] = {
	TEXT_OPT("output", 'o', "FILE", AT(path),
		"the trace to write, which appears when it is complete; its suffix says in which "
		"format, .gz that it is compressed; - is standard output"),
	CHOICE_OPT("to", "FORMAT", AT(to), choices + 1,
		"format of the file [by the suffix of -o, else json]; of one trace also its calls, as "
		"speedscope and folded stacks have them"),
	TEXT_OPT("level", 0, "N", AT(level),
		"how much to compress, 0 to 9 [what is fastest; for .gz only]"),
	INT_OPT("threads", 'j', "N", AT(threads),
		"threads that read and compress; the file is the same for any number [one per "
		"core]"),
	FLAG_OPT("strict", 0, AT(is_strict),
		"a damaged or truncated file is an error, not a warning"),
	FLAG_OPT("quiet", 'q', AT(is_quiet), "no progress and no line about what was written"),
};
#undef AT

const struct opt_group edited_group = { "Output", opts, COUNT_OF(opts), NULL };

const struct renderer *callformat_pick(const char *to, const char *path)
{
	const struct renderer *const of[] = { &renderer_speedscope, &renderer_folded };
	struct span name = span_of(path ? path : "");

	name.n -= span_ends(name, ".gz") ? 3 : 0;
	return FIND_VALUE(i, COUNT_OF(of),
		to ? strcmp(to, of[i]->name) == 0 : span_ends(name, of[i]->suffix), of[i], NULL);
}

enum status edited_check(const struct edited_options *o, const struct writer_kind **kind,
	bool *is_gzip, int *level, struct err *e)
{
	const struct renderer *calls = callformat_pick(o->to, o->path);
	bool is_stdout = !o->path || strcmp(o->path, "-") == 0;

	if (!o->path && isatty(STDOUT_FILENO))
		return err_hinted(e, E_USAGE, "such as -o cut.json.gz",
			"no -o FILE: a trace goes into a file");
	if (calls)
		return err_hinted(e, E_USAGE, "traceq cut writes it, of each trace",
			"%s holds the calls of one trace", calls->name);
	*kind = writer_pick(o->to, is_stdout ? ".json" : o->path);
	if (is_stdout && !o->to)
		*kind = &writer_json;
	if (!*kind)
		return err_hinted(e, E_USAGE, ".json, .json.gz, .pftrace, or --to says the format",
			"-o '%s': traceq writes no format with that suffix", o->path);
	*is_gzip = !is_stdout && span_ends(span_of(o->path), ".gz");
	*level = DEFLATE_FAST;
	if (!o->level)
		return OK;
	if (strlen(o->level) != 1 || o->level[0] < '0' || o->level[0] > '9')
		return err_hinted(e, E_USAGE, "1 is fast, 9 is small",
			"--level '%s': no number from 0 to 9", o->level);
	*level = o->level[0] - '0';
	return OK;
}

enum status edited_create(struct io_file *file, const struct edited_options *o, struct err *e)
{
	return io_named(o->path,
		o->is_new ? io_create_new(file, o->path, e) : io_create(file, o->path, e), e);
}

enum status edited_begin(
	struct edited *x, const struct edited_options *o, const struct document *d, struct err *e)
{
	const struct writer_kind *kind = NULL;
	bool is_gzip = false;
	int level = 0;

	TRY(edited_check(o, &kind, &is_gzip, &level, e));
	*x = (struct edited){ .is_stdout = !o->path || strcmp(o->path, "-") == 0 };
	x->name = x->is_stdout ? "standard output" : o->path;
	if (x->is_stdout)
		x->file.out = stdout;
	else
		TRY(edited_create(&x->file, o, e));
	enum status st = writer_begin(&x->w, kind, x->file.out, is_gzip, level, d, e);
	if (st != OK)
		edited_drop(x);
	return st;
}

enum status edited_end(struct edited *x, struct err *e)
{
	enum status st = io_named(x->name, writer_end(&x->w, e), e);

	if (st != OK) {
		edited_drop(x);
		return st;
	}
	if (!x->is_stdout)
		return io_named(x->name, io_commit(&x->file, e), e);
	if (fflush(stdout) == 0)
		return OK;
	return err_set(e, E_IO, -1, "standard output: cannot write: %s", strerror(errno));
}

const char *edited_blamed(const struct edited *x, const char *input)
{
	return x->w.has_failed ? x->name : input;
}

void edited_drop(struct edited *x)
{
	writer_drop(&x->w);
	if (!x->is_stdout)
		io_abandon(&x->file);
}

void edited_load(const struct edited_options *o, struct progress *p, struct load_options *to)
{
	*to = (struct load_options){ .threads = (unsigned)o->threads,
		.strict = o->is_strict,
		.progress = progress_tick,
		.progress_ctx = p };
}

char *edited_folder(const struct edited_options *o)
{
	bool is_stdout = !o->path || strcmp(o->path, "-") == 0;
	const char *temp = getenv("TMPDIR");
	char *folder =
		is_stdout ? xstrndup(temp && *temp ? temp : "/tmp", SIZE_MAX) : io_folder(o->path);

	if (!folder)
		die_oom(0);
	return folder;
}

enum status edited_plain(struct rereadable *p, const struct edited_options *o, const char *path,
	const struct load_options *load, struct err *e)
{
	char *folder = edited_folder(o);
	enum status st = rereadable_open(p, path, folder, load, e);
	free(folder);
	return st;
}

void edited_say_odd(const struct edited_options *o, const char *path, const struct tally *odd)
{
	struct result r;

	if (o->is_quiet)
		return;
	result_init(&r, "");
	notes_add_tally(&r, odd, result_input(&r, path));
	say_notes(&r, false);
	result_clear(&r);
}
