/* Notes: what was added comes back, from memory and from a file; a file cut anywhere has fewer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "edit/window_notes.h"

enum { NOTES = 50, LONG = 9000 };

struct head {
	uint64_t number;
	bool is_odd;
};

static const struct span *texts_of(size_t i)
{
	static char text[LONG];
	static struct span v[NOTES_TEXTS];
	size_t k;

	for (k = 0; k < sizeof(text); k++)
		text[k] = (char)('a' + (i + k) % 26);
	v[0] = (struct span){ text, i };
	v[1] = (struct span){ i % 3 ? text : NULL, i % 3 ? LONG - i : 0 };
	v[2] = (struct span){ text + i, i % 5 };
	return v;
}

static void add_all(struct str *notes)
{
	struct head h = { 0 };
	size_t i;

	for (i = 0; i < NOTES; i++) {
		h.number = i;
		h.is_odd = i % 2;
		notes_add(notes, &h, sizeof(h), texts_of(i), NOTES_TEXTS);
	}
}

static void is_note(size_t i, const struct head *h, const struct span *text)
{
	size_t k;

	assert_int_equal(h->number, i);
	assert_int_equal(h->is_odd, i % 2);
	for (k = 0; k < NOTES_TEXTS; k++)
		assert_true(span_eq(text[k], texts_of(i)[k]));
}

static void in_memory(void **state)
{
	SCOPED_STR notes = { 0 };
	struct span left, text[NOTES_TEXTS];
	struct head h;
	size_t i;

	(void)state;
	add_all(&notes);
	left = (struct span){ notes.s, notes.n };
	for (i = 0; notes_next(&left, &h, sizeof(h), text, NOTES_TEXTS); i++)
		is_note(i, &h, text);
	assert_int_equal(i, NOTES);
	str_reset(&notes);
	notes_add(&notes, &i, sizeof(i), NULL, 0);
	left = (struct span){ notes.s, notes.n };
	assert_int_equal(left.n, sizeof(i));
	i = 0;
	assert_true(notes_next(&left, &i, sizeof(i), NULL, 0));
	assert_int_equal(i, NOTES);
	assert_false(notes_next(&left, &i, sizeof(i), NULL, 0));
}

static void in_a_file(void **state)
{
	struct str notes = { 0 }, buf = { 0 };
	struct span text[NOTES_TEXTS];
	struct head h;
	size_t n, i;

	(void)state;
	add_all(&notes);
	for (n = notes.n;; n = n > 1000 ? n * 3 / 4 : n - 1) {
		FILE *f = tmpfile();

		assert_non_null(f);
		assert_int_equal(fwrite(notes.s, 1, n, f), n);
		rewind(f);
		for (i = 0; notes_read(f, &buf, &h, sizeof(h), text, NOTES_TEXTS); i++)
			is_note(i, &h, text);
		assert_true(n == notes.n ? i == NOTES : i < NOTES);
		(void)fclose(f);
		if (n == 0)
			break;
		n = n > 1000 && n < 3000 ? 40 : n;
	}
	str_free(&notes);
	str_free(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_memory),
		cmocka_unit_test(in_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
