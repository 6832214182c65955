/* Bars taken apart from their marks: "%|", "| ", "[". */
#include "analyze/input/artifact/logs/log_bar.h"

#include "analyze/input/text/num.h"
#include "base/ascii.h"

/* t as far as `mark`, and what is behind it; false when it is not there. */
static bool cut(struct span *t, const char *mark, struct span *before)
{
	struct span m = span_of(mark);
	const char *p = memmem(t->p, t->n, m.p, m.n);

	if (!p)
		return false;
	*before = (struct span){ t->p, (size_t)(p - t->p) };
	t->n -= before->n + m.n;
	t->p = p + m.n;
	return true;
}

static struct span trim(struct span t)
{
	while (t.n && t.p[0] == ' ') {
		t.p++;
		t.n--;
	}
	while (t.n && (t.p[t.n - 1] == ' ' || t.p[t.n - 1] == ':'))
		t.n--;
	return t;
}

/* "45", "1.2k": how many. */
static bool count_of(struct span t, double *n)
{
	static const char scale[] = "kMG";
	const char *p = t.n ? memchr(scale, t.p[t.n - 1], sizeof(scale) - 1) : NULL;
	double times = 1;

	for (; p && p >= scale; p--)
		times *= 1e3;
	t.n -= times > 1;
	if (!real_of(t, n))
		return false;
	*n *= times;
	return true;
}

/* "4.4it/s" and "2.5s/it" in iterations a second; 0 for others. */
static double rate_of(struct span t)
{
	double v;

	if (t.n > 4 && span_ends(t, "it/s"))
		return real_of((struct span){ t.p, t.n - 4 }, &v) ? v : 0;
	if (t.n > 4 && span_ends(t, "s/it"))
		return real_of((struct span){ t.p, t.n - 4 }, &v) && v > 0 ? 1 / v : 0;
	return 0;
}

bool log_bar_find(struct log_bar *b, struct span t)
{
	struct span percent, bar, n, total, elapsed, rate;
	size_t i;

	*b = (struct log_bar){ .title = { "", 0 }, .postfix = { "", 0 } };
	if (!memchr(t.p, '|', t.n) || !cut(&t, "%|", &percent) || !cut(&t, "| ", &bar) ||
		!cut(&t, "/", &n) || !cut(&t, " [", &total) || !count_of(trim(n), &b->n))
		return false;
	for (i = percent.n; i > 0 && (is_digit(percent.p[i - 1]) || percent.p[i - 1] == '.'); i--)
		;
	if (i == percent.n)
		return false;
	b->title = trim((struct span){ percent.p, i });
	while (t.n && (t.p[t.n - 1] == ' ' || t.p[t.n - 1] == ']'))
		t.n--;
	if (!cut(&t, ",", &elapsed))
		return true;
	if (!cut(&t, ",", &rate)) {
		rate = t;
		t.n = 0;
	}
	b->per_s = rate_of(trim(rate));
	b->postfix = trim(t);
	return true;
}
