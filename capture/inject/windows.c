/*
 * The intervals that are recorded.
 */
#include "capture/inject/windows.h"

#include <string.h>

void windows_init(struct windows *w)
{
	*w = (struct windows){ 0 };
	(void)pthread_mutex_init(&w->lock, NULL);
}

void windows_open(struct windows *w, int64_t now_ns)
{
	(void)pthread_mutex_lock(&w->lock);
	if (w->depth++ == 0) {
		if (w->n < WINDOWS_MAX)
			w->v[w->n++] = (struct window){ now_ns, INT64_MAX };
		else
			w->left_out++;
	}
	(void)pthread_mutex_unlock(&w->lock);
}

void windows_close(struct windows *w, int64_t now_ns)
{
	(void)pthread_mutex_lock(&w->lock);
	if (w->depth > 0 && --w->depth == 0 && w->n > 0 && w->v[w->n - 1].end_ns == INT64_MAX)
		w->v[w->n - 1].end_ns = now_ns;
	(void)pthread_mutex_unlock(&w->lock);
}

void windows_look(struct windows *w, struct windows_view *view)
{
	(void)pthread_mutex_lock(&w->lock);
	view->n = w->n;
	memcpy(view->v, w->v, (size_t)w->n * sizeof(w->v[0]));
	(void)pthread_mutex_unlock(&w->lock);
}

bool windows_hold(const struct windows_view *view, int64_t start_ns, int64_t end_ns)
{
	int i;

	for (i = view->n - 1; i >= 0; i--)
		if (start_ns >= view->v[i].start_ns)
			return end_ns <= view->v[i].end_ns;
	return false;
}
