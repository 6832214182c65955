/* The progress line.  The rate is that of the inflated text since the start: the figure that tells
 * how long a file of that size takes. */
#include "cmd/load/progress.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/width.h"
#include "cmd/clock.h"
#include "cmd/screen.h"
#include "report/escape.h"

enum { FIRST_MS = 300, EVERY_MS = 100, NAME_COLUMNS = 40 };

void progress_begin(struct progress *p, const char *path, bool is_quiet)
{
	*p = (struct progress){ .path = path };
	p->is_wanted = !is_quiet && isatty(STDERR_FILENO) && !screen_is_dumb();
	if (!p->is_wanted)
		return;
	p->has_utf8 = screen_has_utf8();
	p->start_ms = clock_ms();
}

/* "1.2 GB", "36 MB": decimal, as disks and networks are sold. */
static void add_bytes(struct str *b, double bytes)
{
	static const char *const unit[] = { "B", "kB", "MB", "GB", "TB" };
	size_t i = 0;

	while (bytes >= 1000 && i + 1 < COUNT_OF(unit)) {
		bytes /= 1000;
		i++;
	}
	str_addf(b, bytes < 9.95 && i > 0 ? "%.1f %s" : "%.0f %s", bytes, unit[i]);
}

void progress_tick(void *ctx, int64_t done, int64_t total, int64_t text)
{
	struct progress *p = ctx;
	struct str b = { 0 };

	if (!p->is_wanted)
		return;
	int64_t now = clock_ms();
	int64_t elapsed = now - p->start_ms;
	if (elapsed < FIRST_MS || (p->is_drawn && now - p->drawn_ms < EVERY_MS))
		return;
	str_adds(&b, "\r\033[Kreading ");
	/* The file's name without its folder, cut in its middle, harmless for a terminal. */
	const char *slash = strrchr(p->path, '/');
	const char *name = slash && slash[1] ? slash + 1 : p->path;
	SCOPED_STR safe = { 0 };
	if (strcmp(p->path, "-") == 0)
		name = "standard input";
	escape_terminal(&safe, span_of(name), p->has_utf8);
	width_cut(&b, (struct span){ safe.s, safe.n }, NAME_COLUMNS, p->has_utf8);
	if (total > 0)
		str_addf(&b, "  %d%% ",
			done >= total ? 100
				      : (int)saturate_size(100.0 * (double)done / (double)total));
	else {
		str_adds(&b, "  ");
		add_bytes(&b, (double)done);
		str_adds(&b, ", ");
	}
	add_bytes(&b, (double)text * 1000.0 / (double)elapsed);
	str_adds(&b, "/s");
	(void)fwrite(b.s, 1, b.n, stderr);
	(void)fflush(stderr);
	str_free(&b);
	p->is_drawn = true;
	p->drawn_ms = now;
}

void progress_end(struct progress *p)
{
	if (p->is_drawn)
		(void)fputs("\r\033[K", stderr);
	p->is_drawn = false;
}

/* ---- of several files ---- */

void meter_begin(struct meter *m, const char *name, size_t n, int64_t total, bool is_quiet)
{
	*m = (struct meter){ .total = total, .file = zeroed(n, sizeof(*m->file)) };
	for (size_t i = 0; i < n; i++)
		m->file[i].meter = m;
	(void)snprintf(m->title, sizeof(m->title), "%zu files", n);
	(void)pthread_mutex_init(&m->lock, NULL);
	progress_begin(&m->progress, n == 1 ? name : m->title, is_quiet);
}

void meter_tick(void *ctx, int64_t done, int64_t total, int64_t text)
{
	struct meter_file *f = ctx;
	struct meter *m = f->meter;

	(void)total;
	(void)pthread_mutex_lock(&m->lock);
	m->done += done - f->done;
	m->text += text - f->text;
	f->done = done;
	f->text = text;
	progress_tick(&m->progress, m->done, m->total, m->text);
	(void)pthread_mutex_unlock(&m->lock);
}

void meter_hide(struct meter *m)
{
	if (!m->file)
		return;
	(void)pthread_mutex_lock(&m->lock);
	progress_end(&m->progress);
	(void)pthread_mutex_unlock(&m->lock);
}

void meter_end(struct meter *m)
{
	if (!m->file)
		return;
	progress_end(&m->progress);
	(void)pthread_mutex_destroy(&m->lock);
	free(m->file);
	*m = (struct meter){ 0 };
}

int64_t meter_size(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (int64_t)st.st_size : 0;
}
