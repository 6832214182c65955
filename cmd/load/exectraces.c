/* Execution traces: those that are named, one after the other, and those that lie beside traces. */
#include "cmd/load/exectraces.h"

#include <dirent.h>

#include "analyze/input/exectrace/exectrace_read.h"
#include "analyze/trace/producers.h"
#include "base/reach.h"

enum { NAMES_MAX = 100000 }; /* of a folder, looked at */

enum status exectraces_load(
	struct exectraces *x, const struct opt_list *path, const char **where, struct err *e)
{
	x->v = zeroed(path->n, sizeof(*x->v));
	for (size_t i = 0; i < path->n; i++) {
		*where = path->v[i];
		exectrace_init(&x->v[x->n++]);
		TRY(exectrace_load(&x->v[i], path->v[i], e));
	}
	*where = NULL;
	return OK;
}

/* ---- those that nobody named ---- */

struct found {
	struct arena *mem;
	const char **path; /* the arena's */
	size_t n, cap;
};

static void add(struct found *f, const char *folder, size_t nfolder, const char *name)
{
	ARENA_PUSH(f->mem, f->path, f->n, f->cap,
		arena_printf(f->mem, "%.*s%s", (int)nfolder, folder, name));
}

static bool is_in_word(char c)
{
	return is_letter(c) || is_digit(c);
}

/* The next word of a file's name, between what is no letter and no digit. */
static struct span next_word(struct span *name)
{
	while (name->n && !is_in_word(name->p[0]))
		*name = (struct span){ name->p + 1, name->n - 1 };
	struct span word = (struct span){ name->p, 0 };
	while (name->n && is_in_word(name->p[0])) {
		*name = (struct span){ name->p + 1, name->n - 1 };
		word.n++;
	}
	return word;
}

/* "resnet_et.json", "et.rank0.json.gz", "execution_trace_3.json" */
static bool is_called_so(const char *name)
{
	struct span rest = span_of(name), word;
	bool is_json = false, is_et = false, was_execution = false;

	while ((word = next_word(&rest)).n) {
		is_json |= span_is(word, "json");
		is_et |= span_is(word, "et") || (was_execution && span_is(word, "trace"));
		was_execution = span_is(word, "execution");
	}
	return is_json && is_et;
}

ORDER(by_path, char *const, strcmp(*a, *b))

/* Of n sorted paths. */
static bool is_among(const char *path, const char *const *of, size_t n)
{
	return n && bsearch(&path, of, n, sizeof(*of), by_path);
}

/* Of a folder, written with its '/', or "": what is called so and is none of the operands. */
static void find_called(
	struct found *f, const char *folder, const char *const *operand, size_t noperand)
{
	const struct dirent *at;
	DIR *d = reach_folder(*folder ? folder : ".");

	for (size_t i = 0; d && i < NAMES_MAX && (at = readdir(d)) != NULL; i++) {
		if (at->d_name[0] == '.' || !is_called_so(at->d_name))
			continue;
		add(f, folder, strlen(folder), at->d_name);
		if (is_among(f->path[f->n - 1], operand, noperand))
			f->n--;
	}
	if (d)
		(void)closedir(d);
}

static void find_within(struct found *f, const char *path)
{
	struct folder folder;
	struct err e;

	err_clear(&e);
	if (folder_read(&folder, path, NULL, &e) == OK)
		for (size_t i = 0; i < folder.n; i++)
			if (folder.file[i].is_exectrace)
				add(f, folder.file[i].path, strlen(folder.file[i].path), "");
	folder_clear(&folder);
}

static void leave(struct exectraces *x, const char *path, const char *why)
{
	x->left[x->nleft++] =
		(struct exectraces_left){ path, arena_copy(&x->mem, why, strlen(why)) };
}

/* What is none is passed over; what is one and cannot be read is said. */
static void load_found(struct exectraces *x, const char *path)
{
	struct exectrace *et = &x->v[x->n];
	struct err e;

	if (x->n >= EXECTRACES_MAX) {
		leave(x, path, "there are more than 64 execution traces; --et takes this one");
		return;
	}
	err_clear(&e);
	exectrace_init(et);
	et->is_found = true;
	if (exectrace_load(et, path, &e) == OK) {
		x->n++;
		return;
	}
	exectrace_clear(et);
	if (e.status != E_FORMAT)
		leave(x, path, e.text);
}

void exectraces_find(struct exectraces *x, const char *const *path, size_t npath)
{
	struct found f = { .mem = &x->mem };
	const char **file = arena_array(&x->mem, npath, sizeof(*file));
	size_t n = 0;

	for (size_t i = 0; i < npath; i++)
		if (folder_is(path[i]))
			find_within(&f, path[i]);
		else if (strcmp(path[i], "-") != 0)
			file[n++] = path[i];
	if (n)
		qsort(file, n, sizeof(*file), by_path);
	/* The folders of n sorted paths, each once: a folder is read once, however many of its
	 * files are given. */
	const char **folder = arena_array(f.mem, n, sizeof(*folder));
	for (size_t i = 0; i < n; i++)
		folder[i] = arena_copy(f.mem, file[i], (size_t)(path_name(file[i]) - file[i]));
	if (n)
		qsort(folder, n, sizeof(*folder), by_path);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || strcmp(folder[i - 1], folder[i]) != 0)
			find_called(&f, folder[i], file, n);
	sort_rows(f.path, f.n, sizeof(*f.path), by_path);
	x->v = zeroed(f.n < EXECTRACES_MAX ? f.n + 1 : EXECTRACES_MAX, sizeof(*x->v));
	x->left = arena_array(&x->mem, f.n, sizeof(*x->left));
	for (size_t i = 0; i < f.n; i++)
		if (i == 0 || strcmp(f.path[i - 1], f.path[i]) != 0)
			load_found(x, f.path[i]);
}

void exectraces_list(const struct exectraces *x, struct result *out)
{
	for (EACH(const struct exectraces_left, l, x->left, x->nleft))
		result_note(out, NOTE_WARNING, "left_out", -1, 1, "%s is left out: %s", l->path,
			l->why);
}

void exectraces_clear(struct exectraces *x)
{
	for (size_t i = 0; i < x->n; i++)
		exectrace_clear(&x->v[i]);
	free(x->v);
	arena_clear(&x->mem);
	*x = (struct exectraces){ 0 };
}

/* ---- traces of graph captures ---- */

static enum status no_graphs(const struct run *r, struct err *e)
{
	return err_hinted(e, E_NODATA,
		"--capture needs the trace of a profiler that ran while graphs were captured "
		"(torch.cuda.graph; the first requests of vLLM and SGLang with profiling on)",
		"no graph is captured in it: there is no cudaStreamBeginCapture and no "
		"hipStreamBeginCapture%s",
		r->kind_count[KIND_RUNTIME] ? "" : ", nor any runtime call");
}

static enum status no_launches(const struct run *r, const struct captured *c, struct err *e)
{
	(void)err_set(e, E_NODATA, -1,
		"%zu graph%s captured in it, but no kernel launch lies between "
		"StreamBeginCapture and StreamEndCapture",
		c->ngraph, plural(c->ngraph, " is", "s are"));
	return err_hint(e, "%s", recording_word(r, RECORDING_CALLS));
}

/* A run without graphs among others of a folder says nothing; alone it is a mistake. */
static enum status look_at(struct captures *c, const struct run *r, bool is_alone, struct err *e)
{
	struct captured *v = &c->v[c->n];

	captured_init(v, r);
	if (v->nlaunch > 0) {
		c->n++;
		return OK;
	}
	if (is_alone)
		(void)(v->ngraph ? no_launches(r, v, e) : no_graphs(r, e));
	captured_clear(v);
	return is_alone ? e->status : OK;
}

enum status captures_load(struct captures *c, const struct opt_list *path, unsigned needs,
	const struct read_options *read, bool is_quiet, const char **where, struct err *e)
{
	const unsigned unused = NEED_STEPS | NEED_CALLS | NEED_MEMORY | NEED_SYNC | NEED_KERNEL;
	const struct inputs_want want = { .needs = (needs & ~unused) | CAPTURED_NEEDS,
		.folder = FOLDER_RANKS,
		.is_of_events = true };

	TRY(inputs_load(&c->inputs, &want, read, is_quiet, path->v, path->n, where, e));
	c->v = zeroed(c->inputs.n, sizeof(*c->v));
	for (size_t i = 0; i < c->inputs.n; i++) {
		*where = c->inputs.path[i];
		TRY(look_at(c, c->inputs.run[i], c->inputs.n == path->n, e));
	}
	*where = path->v[0];
	if (c->n == 0)
		return no_graphs(c->inputs.run[0], e);
	*where = NULL;
	return OK;
}

void captures_clear(struct captures *c)
{
	for (size_t i = 0; i < c->n; i++)
		captured_clear(&c->v[i]);
	free(c->v);
	inputs_clear(&c->inputs);
	*c = (struct captures){ 0 };
}
