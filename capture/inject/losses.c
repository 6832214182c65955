/*
 * Losses by thread: a table that is looked through, since losses are few or their threads are.
 */
#include "capture/inject/losses.h"

#include <stdio.h>

void losses_add(struct losses *l, uint32_t tid)
{
	size_t i;

	for (i = 0; i < l->n && l->thread[i].tid != tid;)
		i++;
	if (i == LOSSES_THREADS) {
		l->others++;
		return;
	}
	if (i == l->n)
		l->thread[l->n++].tid = tid;
	l->thread[i].count++;
}

void losses_put(const struct losses *l, struct jtext *t)
{
	size_t i;

	JTEXT_LIT(t, "{");
	for (i = 0; i < l->n; i++) {
		jtext_puts(t, i ? ", \"" : "\"");
		jtext_u64(t, l->thread[i].tid);
		JTEXT_LIT(t, "\": ");
		jtext_u64(t, l->thread[i].count);
	}
	if (l->others) {
		JTEXT_LIT(t, ", \"others\": ");
		jtext_u64(t, l->others);
	}
	JTEXT_LIT(t, "}");
}

void losses_say(const struct losses *l, char *text, size_t size)
{
	uint64_t all = l->others;
	size_t i, most = 0;

	text[0] = 0;
	for (i = 0; i < l->n; i++) {
		all += l->thread[i].count;
		if (l->thread[i].count > l->thread[most].count)
			most = i;
	}
	if (l->n)
		(void)snprintf(text, size, " (of %zu%s threads; most of thread %u: %llu of %llu)",
			l->n, l->others ? " and more" : "", (unsigned)l->thread[most].tid,
			(unsigned long long)l->thread[most].count, (unsigned long long)all);
}
