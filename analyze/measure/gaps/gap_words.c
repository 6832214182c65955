/* Gap words: names against patterns, once for each name. */
#include "analyze/measure/gaps/gap_words.h"

#include "analyze/trace/run_steps.h"
#include "base/words.h"

/* Functions that take from a queue. */
#define QUEUES "*queue.py(*): get|*queues.py(*): get|<built-in method get of _queue.SimpleQueue*"

enum { OF_HOST = GAP_WORDS_HOST, OF_CALL, OF_FUNCTION, SOURCES = GAP_WORDS_SOURCES };

enum { NOT_ASKED, SAYS_NOTHING, SAYS_CAUSE };

static const struct {
	enum gap_cause cause;
	const char *names[SOURCES];
	const char *help;
} words[] = {
#define GAP_WORD(cause, host, call, function, help) \
	{ GAP_CAUSE_##cause, { host, call, function }, help },
#include "analyze/measure/gaps/gap_words.def"
#undef GAP_WORD
};

#define X(name, key, word, doc) word "|"
const char wait_words[] = GAP_CAUSES(X);
#undef X

WORDS(gap_cause_word, enum gap_cause, GAP_CAUSES, 3)

WORDS(gap_cause_doc, enum gap_cause, GAP_CAUSES, 4)

static char small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* Whether a name is as a pattern says: '*' is any text. */
static bool fits(struct span name, struct span pattern)
{
	size_t at = 0, i = 0, star = SIZE_MAX, from = 0;

	while (at < name.n) {
		if (i < pattern.n && pattern.p[i] == '*') {
			star = i++;
			from = at;
		} else if (i < pattern.n && small(pattern.p[i]) == small(name.p[at])) {
			i++;
			at++;
		} else if (star != SIZE_MAX) {
			i = star + 1;
			at = ++from;
		} else {
			return false;
		}
	}
	i = FIRST_FROM(k, i, pattern.n, pattern.p[k] != '*');
	return i == pattern.n;
}

static bool fits_one(struct span name, struct span patterns)
{
	while (patterns.n > 0) {
		size_t n = 0;

		while (n < patterns.n && patterns.p[n] != '|')
			n++;
		if (fits(name, (struct span){ patterns.p, n }))
			return true;
		n += n < patterns.n;
		patterns = (struct span){ patterns.p + n, patterns.n - n };
	}
	return false;
}

static enum gap_cause cause_by_name(struct span name, enum kind k)
{
	return FIND_VALUE(i, COUNT_OF(words),
		fits_one(name, span_of(words[i].names[gap_words_source(k)])), words[i].cause,
		GAP_CAUSE_COUNT);
}

void gap_words_init(struct gap_words *w, const struct run *r, struct arena *mem)
{
	w->run = r;
	w->known = arena_array(mem, r->strings.n * SOURCES, sizeof(*w->known));
	if (!r->steps || r->steps->is_serving || !steps_lane(r, &w->loop))
		w->loop = NO_ROW;
}

uint8_t gap_words_look(struct gap_words *w, uint32_t row)
{
	enum kind k = (enum kind)w->run->events.kind[row];
	enum gap_cause c = cause_by_name(run_name(w->run, row), k);

	return (uint8_t)(c == GAP_CAUSE_COUNT ? SAYS_NOTHING : SAYS_CAUSE + (int)c);
}

enum gap_cause gap_words_own(struct gap_words *w, uint32_t row)
{
	enum gap_cause c = gap_words_of(w, row);

	return c == GAP_CAUSE_DATA && w->run->events.lane[row] != w->loop &&
			fits_one(run_name(w->run, row), SPAN(QUEUES))
		? GAP_CAUSE_COUNT
		: c;
}

bool gap_words_any(const struct run *r, unsigned causes)
{
	SCOPED_ARENA mem = { 0 };
	struct gap_words w;

	gap_words_init(&w, r, &mem);
	for (uint32_t row = 0; row < r->events.n; row++)
		if (causes >> gap_words_of(&w, row) & 1)
			return true;
	return false;
}

enum gap_cause gap_words_of_function(struct gap_words *w, struct pyframes *f, uint32_t place)
{
	uint32_t at = place;
	uint8_t in = SAYS_NOTHING;

	for (; at != NO_ROW && f->says[at] == NOT_ASKED; at = f->parent[at]) {
		enum gap_cause own = gap_words_own(w, f->row[at]);

		if (own == GAP_CAUSE_COUNT)
			continue;
		f->says[at] = (uint8_t)(SAYS_CAUSE + (int)own);
		break;
	}
	if (at != NO_ROW)
		in = f->says[at];
	for (uint32_t up = place; up != at && up != NO_ROW; up = f->parent[up])
		f->says[up] = in;
	return in == SAYS_NOTHING ? GAP_CAUSE_COUNT : (enum gap_cause)(in - SAYS_CAUSE);
}

nsec gap_words_since(struct gap_words *w, const struct pyframes *f, uint32_t place)
{
	while (gap_words_own(w, f->row[place]) == GAP_CAUSE_COUNT)
		place = f->parent[place];
	return w->run->events.start[f->row[place]];
}

const char *gap_words_help(enum gap_cause c)
{
	return FIND_VALUE(i, COUNT_OF(words), words[i].cause == c, words[i].help, NULL);
}
