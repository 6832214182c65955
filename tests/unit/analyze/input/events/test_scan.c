/* All scanners against each other on noise, token soup and generated traces (skipping:
 * test_skip.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/events/event_batch.h"
#include "analyze/input/events/trace_document.h"
#include "analyze/input/events/scan.h"
#include "base/compiler.h"
#include "tests/fuzz/memory_file.h"
#include "tests/unit/loading.h"

static void add(uint64_t *h, const void *p, size_t n)
{
	const unsigned char *c = p;
	size_t i;

	for (i = 0; i < n; i++)
		*h = (*h ^ c[i]) * 1099511628211u;
}

static void add_number(uint64_t *h, int64_t v)
{
	*h = (*h ^ (uint64_t)v) * 1099511628211u;
}

static void add_events(uint64_t *h, const struct batch *b)
{
	const struct events *e = &b->events;

	add(h, e->start, e->n * sizeof(*e->start));
	add(h, e->dur, e->n * sizeof(*e->dur));
	add(h, e->name, e->n * sizeof(*e->name));
	add(h, e->lane, e->n * sizeof(*e->lane));
	add(h, e->args, e->n * sizeof(*e->args));
	add(h, e->kind, e->n);
	add(h, e->flags, e->n);
	memory_args_digest(h, &b->args);
}

/* All a batch holds. */
static uint64_t batch_digest(const struct batch *b)
{
	uint64_t h = 14695981039346656037u;
	size_t i;

	add_events(&h, b);
	for (i = 0; i < b->ndict; i++) {
		add(&h, b->dict[i].text.p, b->dict[i].text.n);
		add(&h, &b->dict[i].offset, sizeof(b->dict[i].offset));
		add(&h, &b->dict[i].odd, sizeof(b->dict[i].odd));
	}
	for (i = 0; i < b->ncat; i++) {
		add(&h, &b->cat[i].name, sizeof(b->cat[i].name));
		add(&h, b->cat[i].count, sizeof(b->cat[i].count));
	}
	for (i = 0; i < b->lanes.n; i++) {
		const struct lane *l = &b->lanes.lane[i];

		add_number(&h, l->pid);
		add_number(&h, l->tid);
		add_number(&h, l->is_device);
		add_number(&h, l->device);
		add_number(&h, l->stream);
	}
	for (i = 0; i < b->nname; i++) {
		add_number(&h, b->name[i].pid);
		add_number(&h, b->name[i].tid);
		add_number(&h, b->name[i].what);
		add_number(&h, b->name[i].value);
	}
	for (i = 0; i < b->nmember; i++)
		add(&h, b->member[i].value.p, b->member[i].value.n);
	add(&h, &b->tally, sizeof(b->tally));
	add(&h, b->kind_count, sizeof(b->kind_count));
	add(&h, &b->nevent, sizeof(b->nevent));
	add(&h, &b->first, sizeof(b->first));
	add(&h, &b->last, sizeof(b->last));
	return h;
}

struct scanned {
	uint64_t digest;
	size_t used, events;
	struct doc end;
};

/* How it is scanned: `guess` from somewhere, `eof` nothing follows, for `needs`. */
struct how {
	bool guess, eof;
	unsigned needs;
};

static struct scanned scan(const struct scanner *s, const char *p, size_t n, struct how how)
{
	char *w = loading_window(p, n);
	struct scanned r = { 0 };
	struct batch b;
	struct plan plan;

	plan_init(&plan, how.needs, s, 7);
	batch_init(&b, how.needs, 7);
	if (how.guess)
		doc_guess(&r.end);
	else
		doc_init(&r.end);
	r.used = doc_scan(&plan, &b, &r.end, w, n, 1000, how.eof);
	r.events = b.events.n;
	r.digest = batch_digest(&b);
	batch_clear(&b);
	free(w);
	return r;
}

/* Every scanner makes the same of it; returns how many events. */
static size_t check_scan_for(const char *p, size_t n, struct how how)
{
	const struct scanner *const *s = scanner_all();
	struct scanned first = scan(s[0], p, n, how);

	assert_true(first.used <= n && (!how.eof || first.used == n));
	for (s++; *s; s++) {
		struct scanned r = scan(*s, p, n, how);

		if (r.digest != first.digest)
			print_error("%s differs: %.*s\n", (*s)->name, (int)(n < 500 ? n : 500), p);
		assert_true(r.digest == first.digest);
		assert_int_equal(r.used, first.used);
		assert_int_equal(r.end.where, first.end.where);
		assert_int_equal(r.end.comma, first.end.comma);
		assert_int_equal(r.end.lost_bytes, first.end.lost_bytes);
	}
	return first.events;
}

/* With all of args, and with so little that the rest of them is passed over. */
static size_t check_scan(const char *p, size_t n, bool guess, bool eof)
{
	(void)check_scan_for(p, n, (struct how){ guess, eof, NEED_LINKS });
	return check_scan_for(p, n, (struct how){ guess, eof, LOADING_ALL });
}

static void noise(void **state)
{
	uint64_t seed = 11;
	int i;

	(void)state;
	for (i = 0; i < 1500; i++) {
		char text[700];
		size_t n = loading_random(&seed) % sizeof(text), k;

		for (k = 0; k < n; k++)
			text[k] = (char)loading_random(&seed);
		(void)check_scan(text, n, true, i & 1);
		(void)check_scan(text, n, false, i & 1);
	}
}

/* What may stand behind a number, and behind a string, each byte there is. */
static void any_byte_behind_a_value(void **state)
{
	static const char head[] = "{\"ph\":\"X\",\"name\":\"a\",\"cat\":\"cpu_op\",\"ts\":1";
	static const char tail[] = ",\"dur\":2,\"args\":{\"b\":[\"c\"";
	int c;

	(void)state;
	for (c = 0; c < 2 * 256; c++) {
		char text[128];
		int n = snprintf(text, sizeof(text), "%s%c%s%cd]}},{%s}", head, c < 256 ? c : ',',
			tail, c < 256 ? ',' : c - 256, head + 1);

		assert_true(n > 0 && n < (int)sizeof(text));
		(void)check_scan(text, (size_t)n, true, true);
	}
}

static void token_soup(void **state)
{
	static const char *const tokens[] = { "{", "}", "[", "]", ",", ":", "\"", "\\", "\\\"", " ",
		"\n  ", "\"ph\":", "\"ph\": \"X\"", "\"X\"", "\"name\": ", "\"aten::mm\"",
		"\"cat\": \"kernel\"", "\"cpu_op\"", "\"ts\": 1.5", "\"dur\": 2", "\"pid\": 1",
		"\"tid\": \"stream 7\"", "\"args\": {", "\"correlation\": 12",
		"\"External id\": 99999999999", "\"grid\": [1, 2, 3]", "},\n  {", "},{\"ph\":",
		"{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":1,\"dur\":2,\"args\":{\"stream\":7}}",
		"null", "NaN", "-5.-123", "1e400", "\xff", "\x01", "traceEvents",
		"\"traceEvents\": [", "\\u12" };
	uint64_t seed = 5;
	size_t events = 0;
	int i;

	(void)state;
	for (i = 0; i < 6000; i++) {
		struct str text = { 0 };
		size_t n = loading_random(&seed) % 60, k;

		str_adds(&text, "");
		for (k = 0; k < n; k++)
			str_adds(&text, tokens[loading_random(&seed) % COUNT_OF(tokens)]);
		events += check_scan(text.s, text.n, i % 3 > 0, i & 1);
		str_free(&text);
	}
	assert_true(events > 300);
}

/* Windows cut out of generated traces, at random and right at events. */
static void generated(void **state)
{
	static const char *const arguments[] = { "tiny", "tiny --layout compact",
		"tiny --layout line", "tiny --layout kineto2021", "tiny --layout indent4",
		"rocm --steps 1 --layout orjson", "healthy --steps 1 --memory",
		"tiny --layout chrome", "tiny --layout jax", "tiny --layout ascend",
		"tiny --damage quote-name", "tiny --damage interleaved", "tiny --damage bad-utf8" };
	uint64_t seed = 17;
	size_t a, events = 0;
	int i;

	(void)state;
	for (a = 0; a < COUNT_OF(arguments); a++) {
		struct str text = { 0 };

		if (!loading_fixture(&text, arguments[a]))
			skip();
		(void)check_scan(text.s, text.n, false, true);
		for (i = 0; i < 60; i++) {
			size_t from = loading_random(&seed) % text.n;
			size_t n = loading_random(&seed) % (i % 2 ? 400 : 20000);

			n = n < text.n - from ? n : text.n - from;
			events += check_scan(text.s + from, n, true, i & 1);
			from = doc_last_anchor(text.s, from + n);
			events += check_scan(
				text.s + from, text.n - from < n ? text.n - from : n, true, i & 1);
		}
		str_free(&text);
	}
	assert_true(events > 3000);
}

/* The k-th of a few events that recur but for two numbers. */
static void add_event(struct str *text, int which, int a, int b)
{
	switch (which) {
	case 0:
		str_addf(text,
			"{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":%d.5,\"dur\":2,"
			"\"args\":{\"stream\":7,\"correlation\":%d,\"grid\":[1,2,3],\"note\":\"[{\"}}",
			a, b);
		break;
	case 1:
		str_addf(text,
			"{\"ph\":\"s\",\"id\":%d,\"pid\":1,\"tid\":2,\"ts\":%d,\"cat\":\"ac2g\",\"name\":\"ac2g\"}",
			a, b);
		break;
	case 2:
		str_addf(text,
			"{\"ts\":%d,\"ph\":\"X\",\"pid\":1,\"dur\":3,\"cat\":\"cpu_op\",\"tid\":2,"
			"\"name\":\"aten::m\\u006d\",\"args\":{\"External id\":%d}}",
			a, b);
		break;
	default:
		str_addf(text,
			"{\"ph\":\"X\",\"name\":\"a long name, longer than two loads of a vector unit can "
			"hold at once\",\"pid\":\"p\",\"tid\":\"t\",\"ts\":%d,\"dur\":%d}",
			a, b);
		break;
	}
}

/* Events that recur word for word, and with a few bytes changed: nothing is taken for granted. */
static void recurring(void **state)
{
	static const char wrong[] = "\"\\{}[],: x0n\n";
	uint64_t seed = 23;
	size_t n = 0;
	int i, k;

	(void)state;
	for (i = 0; i < 1500; i++) {
		struct str text = { 0 };

		for (k = 0; k < 24; k++) {
			str_adds(&text, k ? "," : "");
			add_event(&text, i % 2 ? k % 4 : k % 2 * 3, k, i);
		}
		for (k = 0; k < i % 4; k++)
			text.s[loading_random(&seed) % text.n] =
				wrong[loading_random(&seed) % (sizeof(wrong) - 1)];
		n += check_scan(text.s, text.n, true, i & 1);
		str_free(&text);
	}
	assert_true(n > 1500 * 12);
}

/* Blanks come and go before values, NUL and other control bytes among them. */
static void blanks_before_values(void **state)
{
	static const char cut[] = "{\"ph\":\"X\",\"\":1,\"ts\":\"\",\"cat\":\"k\",\"\":7,"
				  "\"ts\":\0005,\"args\":{";
	static const char blank[] = " \t\n\0\1";
	uint64_t seed = 31;
	size_t n = 0;
	int i, k;

	(void)state;
	(void)check_scan(cut, sizeof(cut) - 1, true, true);
	for (i = 0; i < 300; i++) {
		struct str text = { 0 }, spread = { 0 };
		size_t at;

		for (k = 0; k < 24; k++) {
			str_adds(&text, k ? "," : "");
			add_event(&text, i % 2 ? k % 4 : k % 2 * 3, k, i);
		}
		for (at = 0; at < text.n; at++) {
			str_addc(&spread, text.s[at]);
			if (text.s[at] == ':' && loading_random(&seed) % 4 == 0)
				str_addc(&spread, blank[loading_random(&seed) % 5]);
		}
		n += check_scan(spread.s, spread.n, true, i & 1);
		str_free(&text);
		str_free(&spread);
	}
	assert_int_equal(n, 300 / 2 * (24 / 4 * 3) + 300 / 2 * 24);
}

/* Args; # are digits. */
static const char *const patterns[] = {
	"", "\"External id\":#", "\"External id\":#,\"External id\":#,\"n\":#",
	"\"External id\":\"#\",\"n\":#,\"Input Dims\":[[#,#],[#],[]],\"Input type\":[\"a#\"]",
	"\"External id\":#,\"n\":#,\"Input Dims\":[[#,#],[]],\"Input type\":[\"a#\\#\"]",
	"\"External id\":#,\"n\":#,\"Input Dims\":[[#,#],[]],\"Input type\":[\"a#\\\\\"]",
	"\"External id\":#,\"n\":#,\"Input Dims\":[[#,#],[]],\"Call stack\":\"a#}\"",
	"\"o\":{\"External id\":#.#e-#},\"text\":\"thirty-two bytes #### are compared, this is more\"",
	"\"Call stack\":\"a.py(#): f;\\\"b#\",\"key #\":#, \"Sequence number\": -#,\"Fwd thread id\": #",
	"\"correlation\":#,\"stream\":#,\"device\":#,\"grid\":[#,#,1],\"block\":[#,1,1],\"bytes\":#",
	"\"correlation\":#,\"text\":\"#\"#", /* a digit behind a quote: malformed */
};

static void add_digits(struct str *text, const char *pattern, uint64_t *seed)
{
	for (; *pattern; pattern++) {
		if (*pattern != '#')
			str_addc(text, *pattern);
		else
			str_addf(text, "%u", (unsigned)(loading_random(seed) % 120));
	}
}

/* An event with args, mostly the usual ones, seldom twice. */
static void add_event_with_args(struct str *text, const char *usual, int ts, uint64_t *seed)
{
	static const char *const kinds[] = { "cpu_op", "kernel", "cuda_runtime", "other" };
	int times = loading_random(seed) % 16 ? 1 : 2;

	str_addf(text,
		"{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":%d,\"dur\":2",
		kinds[loading_random(seed) % 6 ? 0 : loading_random(seed) % 4], ts);
	for (; times > 0; times--) {
		bool is_usual = loading_random(seed) % 8 > 0;

		str_adds(text, ",\"args\":{");
		add_digits(text,
			is_usual ? usual : patterns[loading_random(seed) % COUNT_OF(patterns)],
			seed);
		str_addc(text, '}');
	}
	str_addc(text, '}');
}

/* Args that are what they were but for their numbers, or nearly. */
static void args_again(void **state)
{
	static const char wrong[] = "0\"\\{}[],: x9";
	uint64_t seed = 29;
	size_t n = 0;
	int i, k;

	(void)state;
	for (i = 0; i < 3000; i++) {
		struct str text = { 0 };
		const char *usual = patterns[loading_random(&seed) % COUNT_OF(patterns)];

		for (k = 0; k < 40; k++) {
			str_adds(&text, k ? "," : "");
			add_event_with_args(&text, usual, k, &seed);
		}
		for (k = 0; k < i % 3; k++)
			text.s[loading_random(&seed) % text.n] =
				wrong[loading_random(&seed) % (sizeof(wrong) - 1)];
		n += check_scan(text.s, text.n, true, i & 1);
		str_free(&text);
	}
	assert_true(n > 3000 * 20);
}

static void picking(void **state)
{
	const struct scanner *const *s = scanner_all();
	size_t n = 0;

	(void)state;
	assert_ptr_equal(scanner_pick("portable"), &scanner_portable);
	assert_ptr_equal(scanner_pick(NULL), s[0]);
	assert_ptr_equal(scanner_pick("no such scanner"), s[0]);
	while (s[n]) {
		assert_ptr_equal(scanner_pick(s[n]->name), s[n]);
		n++;
	}
	assert_ptr_equal(s[n - 1], &scanner_portable);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise),
		cmocka_unit_test(any_byte_behind_a_value),
		cmocka_unit_test(token_soup),
		cmocka_unit_test(generated),
		cmocka_unit_test(recurring),
		cmocka_unit_test(blanks_before_values),
		cmocka_unit_test(args_again),
		cmocka_unit_test(picking),
	};

	return cmocka_run_group_tests_name("scan", tests, NULL, NULL);
}
