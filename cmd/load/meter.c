/*
 * The line's figures are the sums of what was last said of each file.
 */
#include "cmd/load/meter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/zeroed.h"

void meter_begin(struct meter *m, const char *name, size_t n, int64_t total, bool is_quiet)
{
	size_t i;

	*m = (struct meter){ .total = total, .file = zeroed(n, sizeof(*m->file)) };
	for (i = 0; i < n; i++)
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
