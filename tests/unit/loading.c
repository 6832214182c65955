/* Loading from memory with faults, a digest over more than the fuzz targets need, and wrappings. */
#include "tests/unit/loading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <zlib.h>

#include "analyze/input/text/limits.h"
#include "tests/fuzz/memory_file.h"

struct faulty_file {
	struct memory_file file;
	size_t fails_at;
};

static ssize_t faulty_read(void *ctx, void *buf, size_t n)
{
	struct faulty_file *f = ctx;

	if (f->fails_at && f->file.at + n > f->fails_at)
		n = f->fails_at > f->file.at ? f->fails_at - f->file.at : 0;
	if (f->fails_at && n == 0) {
		errno = EIO;
		return -1;
	}
	return memory_read(&f->file, buf, n);
}

static void add(uint64_t *h, const void *p, size_t n)
{
	const unsigned char *c = p;
	size_t i;

	for (i = 0; i < n; i++)
		*h = (*h ^ c[i]) * 1099511628211u;
}

static void add_number(uint64_t *h, int64_t v)
{
	add(h, &v, sizeof(v));
}

/* What memory_run_digest leaves out: counts, names of lanes, metadata, the end of the text. */
static uint64_t digest_of(const struct run *r)
{
	uint64_t h = memory_run_digest(r);
	size_t i;

	for (i = 0; i < r->ncat; i++) {
		add_number(&h, r->cat[i].cat);
		add_number(&h, r->cat[i].has_cat);
		add_number(&h, r->cat[i].ph);
		add_number(&h, r->cat[i].count);
	}
	for (i = 0; i < r->lanes.n; i++) {
		add_number(&h, r->lanes.lane[i].process_name);
		add_number(&h, r->lanes.lane[i].process_labels);
	}
	for (i = 0; i < r->meta.nentry; i++) {
		add_number(&h, r->meta.entry[i].key);
		add_number(&h, r->meta.entry[i].value);
	}
	add(&h, r->ids.wide.key, r->ids.wide.n * r->ids.wide.size);
	add_number(&h, r->first_ns);
	add_number(&h, r->last_ns);
	add_number(&h, r->text_bytes);
	add_number(&h, r->saw_window_end | r->is_array << 1 | r->is_complete << 2);
	add_number(&h, r->meta.base_ns);
	add_number(&h, r->meta.rank);
	return h;
}

void loading_run(struct loaded *l, struct span file, const struct loading *how)
{
	struct faulty_file f = { { (const uint8_t *)file.p, file.n, 0, how->piece },
		how->fails_at };
	struct load_options o = { .needs = how->needs ? how->needs : LOADING_ALL,
		.threads = how->threads ? how->threads : 1,
		.strict = how->strict,
		.inflate = how->inflate,
		.scanner = how->scanner,
		.window_bytes = how->window_bytes };

	err_clear(&l->err);
	l->status = load_reader(faulty_read, &f, "test", &o, &l->run, &l->err);
	if (l->status == OK) {
		l->digest = digest_of(&l->run);
		return;
	}
	assert_int_equal(l->err.status, l->status);
	assert_true(l->err.text[0] != '\0');
	assert_null(strchr(l->err.text, '\n'));
	l->digest = (uint64_t)-l->status;
	add(&l->digest, l->err.text, strlen(l->err.text));
}

void loading_release(struct loaded *l)
{
	if (l->status == OK)
		run_clear(&l->run);
	l->status = E_NODATA;
}

void loading_text(struct loaded *l, const char *text)
{
	struct loading how = { 0 };

	loading_run(l, span_of(text), &how);
	if (l->status != OK)
		print_error("%s\n", l->err.text);
	assert_int_equal(l->status, OK);
}

size_t loading_row(const struct loaded *l, const char *name)
{
	size_t i;

	for (i = 0; i < l->run.events.n; i++)
		if (span_is(run_name(&l->run, i), name))
			return i;
	return SIZE_MAX;
}

int loading_problem(const struct loaded *l)
{
	int found = PROBLEM_COUNT, i;

	for (i = 0; i < PROBLEM_COUNT; i++)
		if (l->run.tally.count[i])
			found = found == PROBLEM_COUNT ? i : -1;
	return found;
}

void loading_wrap(struct str *out, struct span t, enum wrapping as)
{
	static const int window_bits[] = { -15, 15 + 16, 15 };
	z_stream z = { 0 };
	size_t room;
	Bytef *buf;

	assert_int_equal(
		deflateInit2(&z, 6, Z_DEFLATED, window_bits[as], 8, Z_DEFAULT_STRATEGY), Z_OK);
	room = deflateBound(&z, t.n);
	buf = malloc(room);
	assert_non_null(buf);
	z.next_in = (z_const Bytef *)(uintptr_t)t.p;
	z.avail_in = (uInt)t.n;
	z.next_out = buf;
	z.avail_out = (uInt)room;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	str_add(out, (const char *)buf, room - z.avail_out);
	(void)deflateEnd(&z);
	free(buf);
}

bool loading_fixture(struct str *out, const char *arguments)
{
	const char *program = getenv("FIXTURES");
	struct str command = { 0 };
	char buf[4096];
	FILE *f;
	size_t n;

	if (!program || !*program)
		return false;
	str_addf(&command, "'%s' %s", program, arguments);
	f = popen(command.s, "r");
	str_free(&command);
	assert_non_null(f);
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		str_add(out, buf, n);
	assert_int_equal(pclose(f), 0);
	return true;
}

size_t loading_every(void)
{
	const char *part = getenv("GATE_PART");

	return part && *part ? 3 : 1;
}

uint32_t loading_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33);
}

char *loading_window(const char *p, size_t n)
{
	char *w = malloc(n + WINDOW_PADDING);

	assert_non_null(w);
	if (n)
		memcpy(w, p, n);
	memset(w + n, '"', WINDOW_PADDING);
	return w;
}
