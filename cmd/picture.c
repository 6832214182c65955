/* Files of a chart.  All three stand in one folder; the script knows the others by name only. */
#include "cmd/picture.h"

#include "base/io.h"
#include "report/chart/charts.h"
#include "report/chart/draw/svg.h"
#include "report/chart/draw/tiles.h"

enum { PICTURE_HEAD = 1024 };

/* path = dir/name.  The others are beside it. */
struct files {
	struct arena mem;
	const char *dir, *stem; /* stem: the name without its suffix */
	enum picture kind;
};

static enum status split(struct files *f, const char *path, struct err *e)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	arena_init(&f->mem);
	for (const char *p = path; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7F)
			return err_set(
				e, E_USAGE, -1, "the name of a picture has no control characters");
	f->kind = gnuplot_picture(name);
	if (f->kind == PICTURES)
		return err_hinted(e, E_USAGE, "the suffix says what is drawn: -o chart.png",
			"'%s' is no .svg, .png, .pdf or .html", path);
	f->dir = slash ? arena_copy(&f->mem, path, (size_t)(slash - path) + (slash == path)) : ".";
	f->stem = arena_copy(&f->mem, name, (size_t)(strrchr(name, '.') - name));
	return OK;
}

static const char *name_of(struct files *f, const char *suffix)
{
	return arena_printf(&f->mem, "%s.%s", f->stem, suffix);
}

static const char *path_of(struct files *f, const char *suffix)
{
	const char *name = name_of(f, suffix);

	return strcmp(f->dir, ".") == 0 ? name : arena_printf(&f->mem, "%s/%s", f->dir, name);
}

/* ---- what is written ---- */

static bool is_ours(struct span head, const void *ctx UNUSED)
{
	return span_starts(head, GNUPLOT_MARK);
}

static bool is_our_picture(struct span head, const void *ctx UNUSED)
{
	const char *end = memchr(head.p, '\n', head.n);
	struct span first = { head.p, end ? (size_t)(end - head.p) : 0 };

	if (head.n > PICTURE_HEAD)
		head.n = PICTURE_HEAD;
	return span_has(first, SVG_MARK) || span_starts(head, TILES_MARK) ||
		(span_starts(head, "<?xml ") &&
			span_has(head,
				"<title>" GNUPLOT_NAME "</title>\n<desc>Produced by GNUPLOT "));
}

static enum status plan_beside(
	struct files *f, const char *suffix, const char *beside, struct err *e)
{
	const struct door_output out = {
		.path = path_of(f, suffix), .beside = beside, .is_ours = is_ours
	};

	return door_plan(&out, e);
}

enum status picture_plan(const struct picture_to *to, struct err *e)
{
	const struct door_output picture = { .option = to->option,
		.path = to->path,
		.beside = to->option ? NULL : to->beside,
		.is_ours = is_our_picture };
	const char *beside = to->option ? to->path : to->beside;
	struct files f;
	enum status st = split(&f, to->path, e);

	THEN(st, door_plan(&picture, e));
	bool is_alone = f.kind == PICTURE_PAGE || (to->is_alone && f.kind == PICTURE_SVG);
	if (st == OK && !is_alone)
		st = plan_beside(&f, "dat", beside, e);
	if (st == OK && !is_alone)
		st = plan_beside(&f, "gp", beside, e);
	arena_clear(&f.mem);
	return st;
}

/* ---- writing ---- */

struct texts {
	struct str data, script;
};

static enum status write_files(struct files *f, const struct chart *c, const char *const *asks,
	struct texts *t, struct err *e)
{
	gnuplot_data(&t->data, c);
	gnuplot_script(&t->script, c, name_of(f, "dat"), name_of(f, gnuplot_suffix(f->kind)),
		f->kind, asks);
	TRY(io_put(path_of(f, "dat"), &t->data, e));
	return io_put(path_of(f, "gp"), &t->script, e);
}

/* What was written may have no name yet: gnuplot has files of its own. */
static enum status run(struct files *f, const struct texts *t, struct err *e)
{
	const struct gnuplot_job job = { .dir = f->dir,
		.data = { t->data.s, t->data.n },
		.script = { t->script.s, t->script.n },
		.picture = path_of(f, gnuplot_suffix(f->kind)) };

	return gnuplot_run(&job, e);
}

/* A picture that says what its marks are, which gnuplot's do not. */
static enum status write_alone(struct files *f, const struct chart *c, struct err *e)
{
	SCOPED_STR text = { 0 };

	if (f->kind == PICTURE_PAGE)
		tiles_page(&text, c);
	else
		svg_alone(&text, c);
	return io_put(path_of(f, gnuplot_suffix(f->kind)), &text, e);
}

static enum status put_picture(struct files *f, const struct chart *c, const char *const *asks,
	bool is_alone, struct err *e)
{
	struct texts t = { 0 };
	bool is_own = f->kind == PICTURE_PAGE ||
		(f->kind == PICTURE_SVG && c->npanel > 0 &&
			(c->panel[0].kind == PANEL_FLAME || c->panel[0].kind == PANEL_LANES));
	enum status st = OK;

	io_hold();
	if (!is_own || !(is_alone || f->kind == PICTURE_PAGE))
		st = write_files(f, c, asks, &t, e);
	THEN(st, is_own ? write_alone(f, c, e) : run(f, &t, e));
	str_free(&t.data);
	str_free(&t.script);
	if (st == OK)
		return io_release(e);
	if (st == E_NODATA) { /* no gnuplot: the others are of use without */
		struct err late;

		if (io_release(&late) != OK)
			*e = late;
		return e->status;
	}
	io_drop();
	return st;
}

bool picture_is_page(const char *path)
{
	return gnuplot_picture(path) == PICTURE_PAGE;
}

bool picture_is(const char *path)
{
	return gnuplot_picture(path) < PICTURE_PAGE;
}

/* With what the first analysis that could not answer says to do, unless that is an option of it. */
static enum status refuse(const struct chart_kind *kind, const struct answers *in, const char *why,
	const struct chart_look *look, struct err *e)
{
	const char *ask = chart_asks(kind, look)[0];
	const struct answer *a = ask ? answers_find(in, ask) : NULL;

	(void)err_set(e, E_NODATA, -1, "%s: %s", kind->id, why);
	if (a && !a->result && a->hint && a->hint[0] != '-')
		(void)err_hint(e, "%s", a->hint);
	return e->status;
}

enum status picture_draw(const struct chart_kind *kind, const struct answers *in,
	const struct chart_look *look, const char *path, bool is_alone, struct err *e)
{
	const char *asks[CHART_ASKS_MAX + 1] = { NULL };
	struct str ask[CHART_ASKS_MAX] = { { 0 } };
	struct files f;
	struct chart c;
	enum status st = split(&f, path, e);

	if (st != OK)
		goto out;
	for (size_t i = 0; i < CHART_ASKS_MAX && kind->ask[i]; i++) {
		look_ask(&ask[i], kind->ask[i], look->limit);
		asks[i] = ask[i].s;
	}
	st = chart_draw(kind, in, look, &c) ? put_picture(&f, &c, asks, is_alone, e)
					    : refuse(kind, in, c.why, look, e);
	chart_clear(&c);
out:
	arena_clear(&f.mem);
	for (size_t i = 0; i < CHART_ASKS_MAX; i++)
		str_free(&ask[i]);
	return st;
}

/* ---- how it is to look ---- */

enum { LIMIT_MAX = 200 };

/* "1280x640": two numbers, nothing else. */
static bool read_size(const char *text, unsigned long *width, unsigned long *height)
{
	static const char digits[] = "0123456789";
	size_t n = strspn(text, digits);

	if (n == 0 || n > 6 || text[n] != 'x')
		return false;
	size_t more = strspn(text + n + 1, digits);
	if (more == 0 || more > 6 || text[n + 1 + more])
		return false;
	*width = strtoul(text, NULL, 10);
	*height = strtoul(text + n + 1, NULL, 10);
	return true;
}

enum status look_read(struct chart_look *look, const struct look_options *o, struct err *e)
{
	unsigned long width = 0, height = 0;

	*look = (struct chart_look){ .title = o->title, .limit = (size_t)o->limit };
	if (o->theme && strcmp(o->theme, "dark") == 0)
		look->mode = THEME_DARK;
	if (o->title && !o->title[strspn(o->title, " ")])
		return err_set(e, E_USAGE, -1, "--title is empty");
	if (o->limit > LIMIT_MAX) {
		(void)err_set(e, E_USAGE, -1, "--limit %lld is more than a picture can show",
			(long long)o->limit);
		return err_hint(e, "at most %d; the analysis itself has all rows", LIMIT_MAX);
	}
	if (!o->size)
		return OK;
	if (!read_size(o->size, &width, &height) || width < CHART_WIDTH_MIN ||
		height < CHART_HEIGHT_MIN || width > CHART_SIDE_MAX || height > CHART_SIDE_MAX) {
		(void)err_set(e, E_USAGE, -1, "--size '%s' is no width and height", o->size);
		return err_hint(e, "pixels, such as 1280x640, from %dx%d to %dx%d", CHART_WIDTH_MIN,
			CHART_HEIGHT_MIN, CHART_SIDE_MAX, CHART_SIDE_MAX);
	}
	look->width = (unsigned)width;
	look->height = (unsigned)height;
	return OK;
}

void look_ask(struct str *b, const char *ask, size_t limit)
{
	static const char option[] = " --limit=";
	const char *at = strstr(ask, option);

	if (!at || limit == 0 || at[sizeof(option) - 1] == '0') {
		str_adds(b, ask);
		return;
	}
	str_add(b, ask, (size_t)(at - ask));
	str_addf(b, "%s%zu", option, limit);
	at += sizeof(option) - 1;
	str_adds(b, at + strspn(at, "0123456789"));
}

/* ---- how a document names it ---- */

/* The folder of the document, absolute, or NULL; to be freed. */
static char *home_of(const char *document)
{
	char *folder = io_folder(document), *home = realpath(folder, NULL);

	free(folder);
	return home;
}

/* Bytes of the folders that both begin with. */
static size_t shared(const char *a, const char *b)
{
	size_t i, n = 0;

	for (i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			n = i;
	if ((!a[i] || a[i] == '/') && (!b[i] || b[i] == '/'))
		n = i;
	return n;
}

static void put_relative(struct str *b, const char *home, const char *target)
{
	size_t n = shared(home, target), start = b->n;

	for (const char *p = home + n; *p; p++)
		if (*p == '/' && p[1])
			str_adds(b, b->n > start ? "/.." : "..");
	if (n == 0 && home[1] == '\0') /* from the root down */
		target++;
	else if (target[n] == '/')
		n++;
	if (target[n])
		str_addf(b, "%s%s", b->n > start ? "/" : "", target + n);
	if (b->n == start)
		str_adds(b, ".");
}

void relative_folder(struct str *b, const char *folder, const char *document)
{
	bool is_fixed = folder[0] == '/' || !document || strcmp(document, "-") == 0;
	char *home = is_fixed ? NULL : home_of(document);
	char *target = home ? realpath(folder, NULL) : NULL;

	if (target)
		put_relative(b, home, target);
	else
		str_adds(b, folder);
	FREE_ALL(home, target);
}
