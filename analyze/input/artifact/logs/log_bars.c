/* Bars, taken apart from their marks: "%|", "| ", "["; and which bar one is. */
#include "analyze/input/artifact/logs/log_bars.h"

#include <stdio.h>

#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/input/text/num.h"

enum { NUMBER_MAX = 24 };

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
	return span_trim_end(span_trim(t), " :");
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

/* What is counted, by the bar's unit, as the figure is called; NULL: bytes of a file. */
static const char *rate_name(struct span unit)
{
	if (span_in(unit, "B|iB|KB|MB|GB|KiB|MiB|GiB"))
		return NULL;
	if (span_in_nocase(unit,
		    "img|imgs|image|images|ex|example|examples|sample|samples|seq|seqs|sequence|"
		    "sequences|doc|docs"))
		return "samples_per_sec";
	return span_in_nocase(unit, "tok|toks|token|tokens") ? "tokens_per_sec" : "it_per_sec";
}

/* The unit without what scales it, "tok" of "ktok": *scale by that. */
static struct span unscaled(struct span unit, double *scale)
{
	struct span rest = span_from(unit, 1);
	bool is_known = span_in(rest, "it|batch|step|tok|token|tokens|img|ex|sample|samples|B");

	*scale = !is_known         ? 1
		: unit.p[0] == 'k' ? 1e3
		: unit.p[0] == 'M' ? 1e6
		: unit.p[0] == 'G' ? 1e9
				   : 1;
	return *scale > 1 ? rest : unit;
}

/* "4.4it/s", "2.5s/it", "1,25 batch/s", "12.3ktok/s": in what the bar counts a second. */
static void take_rate(struct log_bar *b, struct span t)
{
	char number[NUMBER_MAX];
	size_t n = FIRST(i, t.n, !is_digit(t.p[i]) && t.p[i] != '.' && t.p[i] != ',');
	struct span unit = span_trim(span_from(t, n)), of, below;
	double v, scale;

	if (n == 0 || n >= sizeof(number) || !span_cut(unit, '/', &of, &below))
		return;
	memcpy(number, t.p, n);
	number[n] = '\0';
	char *comma = memchr(number, ',', n);
	if (comma)
		*comma = '.';
	bool is_per = span_is(of, "s") && below.n > 0;
	if ((!is_per && !(of.n && span_is(below, "s"))) || !real_of((struct span){ number, n }, &v))
		return;
	of = is_per ? below : unscaled(of, &scale);
	b->rate = rate_name(of);
	if (b->rate)
		b->per_s = !is_per ? v * scale : v > 0 ? 1 / v : 0;
}

/* The rate, which a comma may be in, and what is behind it. */
static struct span cut_rate(struct span *t)
{
	size_t n = FIRST(i, t->n,
		t->p[i] == ',' &&
			!(i > 0 && i + 1 < t->n && is_digit(t->p[i - 1]) && is_digit(t->p[i + 1])));
	struct span rate = { t->p, n };

	*t = span_from(*t, MIN(n + 1, t->n));
	return rate;
}

/* What a program printed before the bar was drawn again: "... 1.0it/s]step 1 loss 2.5". */
static struct span cut_behind(struct span *t)
{
	int depth = 1;
	size_t i;

	for (i = 0; i < t->n && depth > 0; i++)
		depth += (t->p[i] == '[') - (t->p[i] == ']');
	struct span behind = span_trim(span_from(*t, i));
	t->n = depth == 0 ? i : t->n;
	return depth == 0 ? behind : SPAN("");
}

bool log_bar_find(struct log_bar *b, struct span t)
{
	struct span percent, bar = SPAN(""), n, total, elapsed, rate;
	size_t i;

	*b = (struct log_bar){
		.title = { "", 0 }, .postfix = { "", 0 }, .behind = { "", 0 }, .drawn = { "", 0 }
	};
	if (!memchr(t.p, '|', t.n) ||
		(!cut(&t, "% Completed | ", &percent) && /* vLLM's loader */
			(!cut(&t, "%|", &percent) || !cut(&t, "| ", &bar))) ||
		!cut(&t, "/", &n) || !cut(&t, " [", &total) || !count_of(trim(n), &b->n))
		return false;
	for (i = percent.n; i > 0 && (is_digit(percent.p[i - 1]) || percent.p[i - 1] == '.'); i--)
		;
	if (i == percent.n)
		return false;
	b->title = trim((struct span){ percent.p, i });
	b->drawn = bar;
	b->n_at = trim(n).p;
	(void)count_of(trim(total), &b->total);
	b->behind = cut_behind(&t);
	t = span_trim_end(t, " ]");
	if (!cut(&t, ",", &elapsed))
		return true;
	struct span all = t;
	rate = trim(cut_rate(&t));
	b->per_s_at = rate.p;
	take_rate(b, rate);
	b->postfix = trim(memchr(rate.p, '=', rate.n) ? all : t); /* NeMo's have no rate */
	return true;
}

/* "Epoch 3": the title without its number, which is the bar's epoch. */
static struct span title_of(struct span title, double *epoch)
{
	struct span t = title;

	while (t.n && (is_digit(t.p[t.n - 1]) || strchr(" /:[]", t.p[t.n - 1])))
		t.n--;
	if (t.n < title.n && log_word_is_epoch(t))
		(void)label_number(
			span_from(title, FIRST_FROM(i, t.n, title.n, is_digit(title.p[i]))), epoch);
	return t;
}

bool log_bar_is_judging(struct span title)
{
	return span_starts_in_nocase(title, "eval|val|test|predict");
}

static bool is_judging(struct span title)
{
	return span_has_nocase(title, "eval") || span_has_nocase(title, "val") ||
		span_has_nocase(title, "test") || span_has_nocase(title, "predict");
}

/* What comes before a run's own work. */
static bool is_preparing(struct span title)
{
	return span_starts_in_nocase(title,
		"loading|downloading|fetching|capturing|map|filter|tokenizing|generating|resolving|"
		"saving|converting|packing|running tokenizer|adding eos|truncating|extracting|"
		"warming|compiling|profiling");
}

/* Which bar it is: by its title, or, where it has none, by its total; one that was full and begins
 * again at quite another speed is another. */
struct bar_kind *log_bars_kind(struct log_bars *g, const struct log_bar *bar, size_t writer)
{
	double epoch = 0;
	struct span title = title_of(bar->title, &epoch);
	size_t i;

	title.n = MIN(title.n, LABEL_MAX - 1);
	for (i = 0; i < g->nkind; i++) {
		const struct bar_kind *k = &g->kind[i];
		bool goes_on = k == g->newest && bar->n > k->place.step;
		bool is_other = title.n == 0 && k->per_s > 0 && bar->per_s > 0 && !goes_on &&
			k->place.step == k->place.total &&
			fabs(log(bar->per_s / k->per_s)) > log(3);

		if (k->writer == writer && span_is(title, k->title) &&
			(title.n || k->place.total == bar->total) && !is_other)
			break;
	}
	struct bar_kind *k = g->newest = &g->kind[MIN(i, LOG_BARS - 1)];
	if (i == g->nkind && g->nkind < LOG_BARS) {
		g->nkind++;
		(void)snprintf(k->title, sizeof(k->title), "%.*s", (int)title.n, title.p);
		memcpy(k->group, k->title, sizeof(k->group));
		if (title.n == 0)
			(void)snprintf(k->group, sizeof(k->group), "bar of %.0f", bar->total);
		k->writer = writer;
		k->is_main = !is_judging(title) && !is_preparing(title) &&
			!ANY(m, i, g->kind[m].writer == writer && g->kind[m].is_main);
	}
	k->per_s = bar->per_s;
	k->place.epoch = MAX(k->place.epoch, epoch);
	return k;
}

bool log_bars_is_again(const struct bar_kind *k, const struct log_bar *bar)
{
	const struct log_place *p = &k->place;
	double epoch;

	return p->has_step && p->step == bar->n && p->epoch == p->step_epoch &&
		log_word_is_epoch(title_of(bar->title, &epoch));
}
