/* Reads the sums of lengths out of an annotation. */
#include "analyze/costmodel/request.h"

/* Behind the first `word` in s; an empty span where it is not there. */
static struct span behind(struct span s, struct span word)
{
	for (size_t i = 0; i + word.n <= s.n; i++)
		if (memcmp(s.p + i, word.p, word.n) == 0)
			return (struct span){ s.p + i + word.n, s.n - i - word.n };
	return (struct span){ s.p + s.n, 0 };
}

static bool take_word(struct span *s, struct span word)
{
	if (s->n < word.n || memcmp(s->p, word.p, word.n) != 0)
		return false;
	s->p += word.n;
	s->n -= word.n;
	return true;
}

static bool take_number(struct span *s, int64_t *v)
{
	const char *from = s->p;

	for (*v = 0; s->n > 0 && *s->p >= '0' && *s->p <= '9'; s->p++, s->n--)
		*v = saturate_add(saturate_times(*v, 10), *s->p - '0');
	return s->p > from;
}

/* "(sq1sk2sqsq3sqsk4)" behind a word. */
static bool read_lengths(struct span s, struct span word, struct roof_lengths *l)
{
	struct span at = behind(behind(s, word), SPAN("("));

	return take_word(&at, SPAN("sq")) && take_number(&at, &l->q) &&
		take_word(&at, SPAN("sk")) && take_number(&at, &l->k) &&
		take_word(&at, SPAN("sqsq")) && take_number(&at, &l->qq) &&
		take_word(&at, SPAN("sqsk")) && take_number(&at, &l->qk);
}

bool roof_request_read(struct span annotation, struct roof_request *r)
{
	return read_lengths(annotation, SPAN("context"), &r->prompt) &&
		read_lengths(annotation, SPAN("generation"), &r->decode);
}

bool roof_request_is(struct span name)
{
	return behind(name, SPAN("sqsk")).n > 0;
}
