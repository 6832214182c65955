/* Whole commands on valid runs: the input is not what a command reads, but what that is made of.
 * Bytes choose a command, options, and files out of a model of a run (valid_run.h), what else lies
 * beside (valid_beside.h) and what is odd about it (valid_trait.h), so that most commands answer
 * and what lies behind reading is reached.  What must hold of each is in perform.h.
 *
 *   byte 0       255: each command that reads files, where a corpus is replayed; with GATE_PART
 *                (tests/run.sh) every third of them, for each seed others
 *        1, 2    the command
 *        3       what is made of the files before it reads them: cut, merged, a digest
 *        4       how many files
 *        8...    the rest of the line
 *        64...   of each file 48 bytes: what it is (make_file)
 *
 * FUZZ_SHOW=FILE writes what is run as an input of fuzz_command, for each anew.
 * FUZZ_COUNTS=1 prints how the runs ended, 2 also each line and what it said first; of many runs,
 * too few of which answer or are odd, that is an error all the same. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "tests/fuzz/invocation.h"
#include "tests/fuzz/perform.h"
#include "tests/fuzz/valid_beside.h"
#include "tests/fuzz/valid_line.h"
#include "tests/fuzz/valid_run.h"
#include "tests/fuzz/valid_trait.h"
#include "tests/fuzz/words.h"

enum { AT_MODE, AT_VERB, AT_BEFORE = 3, AT_COUNT, AT_LINE = 8, LINE_BYTES = 56 };
enum { AT_FILE = 64, FILE_BYTES = 48, INPUT_BYTES = AT_FILE + INVOCATION_FILES * FILE_BYTES };
enum { EVERY_COMMAND = 255, OWN_TRAITS_FROM = 96, OWN_FILE_FROM = 160, TRAITS_FROM = 160 };
enum { COUNTS_FROM = 2000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) __attribute__((weak));

struct input {
	const uint8_t *data;
	size_t size;
};

/* What is run: the files, as fuzz_command's inputs have them, and whether something is odd. */
struct made {
	struct str name[INVOCATION_FILES], text[INVOCATION_FILES];
	size_t n;
	bool is_odd;
};

static struct {
	size_t runs, odd, code[3], undrawn;
} counts;

/* ---- files ---- */

/* Bytes 1 and 3: a trait, where they are high enough; 2 and 4: how. */
static bool spoil(struct valid_run *r, const struct draw *d)
{
	bool is_odd = false;
	size_t i;

	for (i = 1; i < 5; i += 2) {
		unsigned which = draw_byte(d, i);

		if (which < TRAITS_FROM)
			continue;
		valid_traits[(which - TRAITS_FROM) % valid_trait_count].spoil(
			r, draw_byte(d, i + 1));
		is_odd = true;
	}
	return is_odd;
}

static bool write_trace(struct draw *d, const struct draw *traits, unsigned nth, unsigned rank,
	struct str *name, struct str *out)
{
	struct valid_run r;
	SCOPED_ARENA mem = { 0 };
	bool is_odd;

	d->at = 5;
	valid_run_make(&r, &mem, d, nth, rank);
	is_odd = spoil(&r, traits);
	valid_run_write(&r, out);
	str_addf(name, "rank%u.json", nth);
	return is_odd;
}

/* File i: where the first of its bytes is low the next rank of the first file, or its next repeat;
 * where it is middling only what is odd about it is its own. */
static void make_file(
	struct made *m, const struct valid_verb *v, const struct input *in, unsigned i)
{
	struct draw own = draw_part(in->data, in->size, AT_FILE + i * FILE_BYTES, FILE_BYTES);
	struct draw first = draw_part(in->data, in->size, AT_FILE, FILE_BYTES);
	unsigned how = draw_byte(&own, 0);
	struct draw *d = how < OWN_FILE_FROM ? &first : &own;
	enum valid_kind kind = valid_line_kind(v, draw_byte(d, 0), i);

	if (kind == KIND_OF_TRACE) {
		m->is_odd |= write_trace(d, how < OWN_TRAITS_FROM ? &first : &own, i,
			valid_line_repeats(v) ? 0 : i, &m->name[i], &m->text[i]);
	} else {
		d->at = 1;
		m->is_odd |= valid_beside_write(kind, d, i, &m->name[i], &m->text[i]);
	}
}

static void make_files(struct made *m, const struct valid_verb *v, const struct input *in)
{
	struct draw d = draw_part(in->data, in->size, AT_COUNT, 1);
	size_t least = valid_line_files(v);
	unsigned i;

	memset(m, 0, sizeof(*m));
	m->n = 1 + draw_below(&d, INVOCATION_FILES);
	if (m->n < least)
		m->n = least;
	for (i = 0; i < m->n; i++)
		make_file(m, v, in, i);
}

static void free_files(struct made *m)
{
	size_t i;

	for (i = 0; i < INVOCATION_FILES; i++) {
		str_free(&m->name[i]);
		str_free(&m->text[i]);
	}
}

/* ---- runs ---- */

static void put_input(struct str *out, const char *line, const struct made *m)
{
	size_t i;

	str_adds(out, line);
	for (i = 0; i < m->n; i++) {
		str_addf(out, "\n=== %s\n", m->name[i].s);
		str_add(out, m->text[i].s ? m->text[i].s : "", m->text[i].n);
	}
}

static void show(const struct str *input)
{
	const char *path = getenv("FUZZ_SHOW");
	FILE *f = path ? fopen(path, "we") : NULL;

	if (!f)
		return;
	(void)fwrite(input->s, 1, input->n, f);
	(void)fclose(f);
}

/* Runs a line on the files; what it wrote is the file of the next one, where there is a step. */
static int run(const char *line, struct made *m, const struct valid_step *step, struct str *said)
{
	static struct invocation v; /* large; read anew each time */
	struct str input = { 0 }, text = { 0 };
	int code;

	put_input(&input, line, m);
	show(&input);
	if (!invocation_read(&v, (const uint8_t *)input.s, input.n))
		abort();
	code = perform(&v, said);
	if (step && code == 0 && invocation_written(step->writes, &text) && text.n) {
		str_reset(&m->name[0]);
		str_adds(&m->name[0], step->name);
		str_free(&m->text[0]);
		m->text[0] = text;
		text = (struct str){ 0 };
		m->n = 1;
	}
	invocation_clear();
	str_free(&text);
	str_free(&input);
	return code;
}

/* A chart that could not be drawn, as there is no gnuplot here, was made all the same. */
static void count(const char *line, int code, bool is_odd, const struct str *said)
{
	bool is_undrawn = code == 2 && said->s && strstr(said->s, "gnuplot is not");
	const char *how = getenv("FUZZ_COUNTS");

	if (how && *how == '2')
		(void)fprintf(stderr, "%d%s %s: %.*s\n", code, is_undrawn ? " undrawn" : "", line,
			said->s ? (int)strcspn(said->s, "\n") : 0, said->s ? said->s : "");
	counts.runs++;
	counts.odd += is_odd;
	counts.undrawn += is_undrawn;
	counts.code[is_undrawn ? 0 : code]++;
}

static void make_ready(struct made *m, const struct valid_verb *v, const struct input *in)
{
	struct draw d = draw_part(in->data, in->size, 0, in->size);
	const struct valid_step *before = valid_line_before(v, draw_byte(&d, AT_BEFORE));

	if (before && valid_line_kind(v, draw_byte(&d, AT_FILE), 0) == KIND_OF_TRACE)
		(void)run(before->line, m, before, NULL);
}

static void run_verb(const char *name, const struct input *in)
{
	struct draw d = draw_part(in->data, in->size, AT_LINE, LINE_BYTES);
	struct str line = { 0 }, said = { 0 };
	struct valid_verb v;
	struct made m;
	int code;

	if (!valid_line_verb(name, &d, &v))
		return;
	d.at = 2;
	make_files(&m, &v, in);
	make_ready(&m, &v, in);
	valid_line_write(&v, &d, m.n, &line);
	code = run(line.s, &m, NULL, &said);
	count(line.s, code, m.is_odd, &said);
	free_files(&m);
	str_free(&line);
	str_free(&said);
}

static void say_counts(void)
{
	size_t n = counts.runs;

	if (getenv("FUZZ_COUNTS"))
		(void)fprintf(stderr,
			"valid: %zu runs, %zu with something odd; exit 0: %zu (%zu of them charts "
			"that were not drawn), 1: %zu, 2: %zu\n",
			n, counts.odd, counts.code[0], counts.undrawn, counts.code[1],
			counts.code[2]);
	if (n >= COUNTS_FROM && (counts.code[2] * 5 >= n || counts.odd * 3 < n)) {
		(void)fprintf(stderr,
			"valid: of %zu runs %zu are odd, too few, or %zu have no answer, too "
			"many\n",
			n, counts.odd, counts.code[2]);
		_exit(1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct input in = { data, size };
	struct draw d = draw_part(data, size, AT_VERB, 2);
	const size_t step = getenv("GATE_PART") ? 3 : 1;
	static size_t seeds;
	struct words names;
	size_t i;

	if (!invocation_open() || (counts.runs == 0 && atexit(say_counts) != 0))
		abort();
	words_verbs(&names);
	if (size > AT_MODE && data[AT_MODE] == EVERY_COMMAND && !LLVMFuzzerMutate)
		for (i = seeds++ % step; i < names.n; i += step)
			run_verb(names.v[i], &in);
	else
		run_verb(draw_name(&d, &names), &in);
	return 0;
}

/* One to six of the bytes that choose something, or as libFuzzer does it. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	uint64_t state = seed * 2654435769u + 1;
	size_t n = 1 + words_below(&state, 6), i;

	if (words_below(&state, 4) == 0)
		return LLVMFuzzerMutate(data, size, max);
	for (i = 0; i < n; i++) {
		size_t part = words_below(&state, 4);
		size_t at = part == 0 ? words_below(&state, AT_LINE)
			: part == 1   ? AT_LINE + words_below(&state, 16)
			: part == 2   ? AT_FILE + words_below(&state, 24)
				      : words_below(&state, INPUT_BYTES);

		if (at >= max)
			continue;
		while (size <= at)
			data[size++] = 0;
		data[at] = (uint8_t)words_below(&state, 256);
	}
	return size;
}
