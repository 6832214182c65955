/* What libarchive takes apart: streams and archives whole, cut, damaged, locked, nested and
 * swollen, read in pieces of any size; names that lead elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/input/source/archive_members.h"
#include "analyze/input/source/source.h"
#include "base/compiler.h"
#include "tests/fuzz/memory_file.h"
#include "tests/unit/loading.h"
#include "tests/unit/packing.h"

struct outcome {
	enum status status;
	struct err err;
	struct str text;
	struct tally tally;
	char container[48];
};

static void read_all(struct outcome *o, struct source *s)
{
	char buf[1000];
	size_t got = sizeof(buf);

	while (got == sizeof(buf) &&
		(o->status = source_read(s, buf, sizeof(buf), &got, &o->err)) == OK)
		str_add(&o->text, buf, got);
	o->tally = s->tally;
	(void)snprintf(o->container, sizeof(o->container), "%s", source_container(s));
	source_close(s);
}

/* At most `piece` bytes come at once, as from a pipe. */
static void read_pipe(struct outcome *o, struct span file, size_t piece)
{
	struct memory_file f = { (const uint8_t *)file.p, file.n, 0, piece };
	struct source s;

	memset(o, 0, sizeof(*o));
	str_adds(&o->text, "");
	tally_init(&o->tally);
	o->status = source_open_reader(&s, memory_read, &f, NULL, &o->err);
	if (o->status == OK)
		read_all(o, &s);
}

/* From a file on disk; member: "!name", or "" for the archive. */
static void read_disk(struct outcome *o, struct span file, const char *member)
{
	char path[] = "/tmp/traceq-unpack-XXXXXX", whole[200];
	int fd = mkstemp(path);
	struct source s;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, file.p, file.n), file.n);
	(void)close(fd);
	(void)snprintf(whole, sizeof(whole), "%s%s", path, member);
	memset(o, 0, sizeof(*o));
	str_adds(&o->text, "");
	o->status = source_open(&s, whole, NULL, &o->err);
	if (o->status == OK)
		read_all(o, &s);
	(void)unlink(path);
}

static void expect_whole(const struct outcome *o, const char *container)
{
	int i;

	if (o->status != OK)
		print_error("%s\n", o->err.text);
	assert_int_equal(o->status, OK);
	assert_string_equal(o->text.s, packing_text);
	assert_string_equal(o->container, container);
	for (i = 0; i < PROBLEM_COUNT; i++)
		assert_int_equal(o->tally.count[i], 0);
}

static void expect_error(struct outcome *o, enum status status, const char *words)
{
	if (o->status != status || !strstr(o->err.text, words))
		print_error("%d: %s; wanted %s\n", o->status, o->err.text, words);
	assert_int_equal(o->status, status);
	assert_non_null(strstr(o->err.text, words));
	str_free(&o->text);
}

static struct span span_of_str(const struct str *s)
{
	return (struct span){ s->s, s->n };
}

static struct span text_span(void)
{
	return span_of(packing_text);
}

/* Without libarchive there is one thing to hold: that it is said. */
static bool is_there(void)
{
	struct outcome o;
	size_t i;

	if (!unpack_missing())
		return true;
	for (i = 0; i < PACKINGS; i++) {
		read_pipe(&o, packings[i].bytes, 0);
		expect_error(&o, E_FORMAT, unpack_missing());
	}
	return false;
}

static void streams(void **state)
{
	static const size_t pieces[] = { 0, 1, 2, 7, 4096 };
	size_t i, k;

	(void)state;
	if (!is_there())
		skip();
	for (i = 0; i < PACKINGS; i++)
		for (k = 0; k < COUNT_OF(pieces); k++) {
			struct outcome o;

			read_pipe(&o, packings[i].bytes, pieces[k]);
			expect_whole(&o, packings[i].name);
			str_free(&o.text);
		}
}

/* Two files, one behind the other, are one text, as for gzip. */
static void frames(void **state)
{
	size_t i;

	(void)state;
	if (!is_there())
		skip();
	for (i = 0; i < PACKINGS; i++) {
		struct str two = { 0 };
		struct outcome o;

		str_add(&two, packings[i].bytes.p, packings[i].bytes.n);
		str_add(&two, packings[i].bytes.p, packings[i].bytes.n);
		read_pipe(&o, span_of_str(&two), 0);
		assert_int_equal(o.status, OK);
		assert_int_equal(o.text.n, 2 * text_span().n);
		str_free(&o.text);
		str_free(&two);
	}
}

/* What came is a beginning of the text, and when it is not all of it that is counted or an error.
 */
static void expect_beginning(struct outcome *o, const char *container)
{
	size_t n = text_span().n;

	if (strcmp(o->container, container) == 0) { /* else too short to tell what is inside */
		assert_true(o->text.n <= n);
		assert_memory_equal(o->text.s, packing_text, o->text.n);
	}
	if (o->text.n < n && o->status == OK)
		assert_true(o->tally.count[PROBLEM_TRUNCATED_GZIP] ||
			o->tally.count[PROBLEM_CORRUPT_GZIP] ||
			o->tally.count[PROBLEM_GZIP_NO_TRAILER]);
	assert_true(o->tally.count[PROBLEM_TRUNCATED_GZIP] <= 1);
	str_free(&o->text);
}

static void check_prefixes(struct span file, const char *container)
{
	size_t n;

	for (n = 1; n < file.n; n++) {
		struct outcome o;
		char *exact = malloc(n);

		assert_non_null(exact);
		memcpy(exact, file.p, n);
		if (magic_container((struct span){ exact, n }) != magic_container(file)) { /* too
			                                                                      short
			                                                                      to
			                                                                      tell
			                                                                    */
			free(exact);
			continue;
		}
		read_pipe(&o, (struct span){ exact, n }, n % 3);
		expect_beginning(&o, container);
		if (n % 8 == 0) {
			read_disk(&o, (struct span){ exact, n }, "");
			expect_beginning(&o, container);
		}
		free(exact);
	}
}

/* One byte is another: an answer or an error, and nothing beyond memory. */
static void check_flips(struct span file)
{
	char *bytes = malloc(file.n);
	size_t i;

	assert_non_null(bytes);
	for (i = 0; i < file.n; i++) {
		struct outcome o;

		memcpy(bytes, file.p, file.n);
		bytes[i] = (char)(bytes[i] ^ (1 << i % 8));
		read_pipe(&o, (struct span){ bytes, file.n }, 0);
		str_free(&o.text);
		if (i % 8 == 0) {
			read_disk(&o, (struct span){ bytes, file.n }, "");
			str_free(&o.text);
		}
	}
	free(bytes);
}

static void cut_and_damaged(void **state)
{
	size_t i;

	(void)state;
	if (!is_there())
		skip();
	for (i = 0; i < PACKINGS; i++) {
		check_prefixes(packings[i].bytes, packings[i].name);
		check_flips(packings[i].bytes);
	}
}

static void make_tar(struct str *out)
{
	packing_tar(out, "run/", '5', SPAN(""));
	packing_tar(out, "run/t.json", '0', text_span());
	packing_tar_end(out);
}

static void archives(void **state)
{
	struct str tar = { 0 }, packed = { 0 }, inner = { 0 };
	struct packing_zip zip = { 0 };
	struct outcome o;

	(void)state;
	if (!is_there())
		skip();
	make_tar(&tar);
	read_pipe(&o, span_of_str(&tar), 0);
	expect_whole(&o, "tar");
	str_free(&o.text);
	read_disk(&o, span_of_str(&tar), "!run/t.json");
	expect_whole(&o, "tar");
	str_free(&o.text);
	loading_wrap(&packed, span_of_str(&tar), WRAP_GZIP);
	read_pipe(&o, span_of_str(&packed), 5);
	expect_whole(&o, "tar in gzip");
	str_free(&o.text);
	packing_tar(&inner, "t.json.zst", '0', packings[0].bytes);
	packing_tar_end(&inner);
	read_disk(&o, span_of_str(&inner), "");
	expect_whole(&o, "zstd in tar");
	str_free(&o.text);
	packing_zip_add(&zip, "a/t.json", 0, text_span());
	packing_zip_end(&zip);
	read_pipe(&o, span_of_str(&zip.out), 3);
	expect_whole(&o, "zip");
	str_free(&o.text);
	read_disk(&o, span_of_str(&zip.out), "!a/t.json");
	expect_whole(&o, "zip");
	check_prefixes(span_of_str(&tar), "tar");
	check_prefixes(span_of_str(&packed), "tar in gzip");
	check_prefixes(span_of_str(&zip.out), "zip");
	check_flips(span_of_str(&packed));
	check_flips(span_of_str(&zip.out));
	str_free(&o.text);
	str_free(&tar);
	str_free(&packed);
	str_free(&inner);
	packing_zip_free(&zip);
}

/* Links, devices and hidden names are passed by; further files are counted. */
static void choosing(void **state)
{
	SCOPED_STR tar = { 0 };
	struct outcome o;

	(void)state;
	if (!is_there())
		skip();
	packing_tar(&tar, "link.json", '2', SPAN(""));
	packing_tar(&tar, "hard.json", '1', SPAN(""));
	packing_tar(&tar, "null", '3', SPAN(""));
	packing_tar(&tar, "._t.json", '0', SPAN("resource fork"));
	packing_tar(&tar, "../../up.json", '0', SPAN("upwards"));
	packing_tar(&tar, "//etc/./t.json", '0', text_span());
	packing_tar(&tar, "more.json", '0', text_span());
	packing_tar(&tar, ".hidden", '0', text_span());
	packing_tar_end(&tar);
	read_pipe(&o, span_of_str(&tar), 0);
	assert_int_equal(o.status, OK);
	assert_string_equal(o.text.s, packing_text);
	assert_int_equal(o.tally.count[PROBLEM_FURTHER_MEMBERS], 1);
	str_free(&o.text);
	read_disk(&o, span_of_str(&tar), "!etc/t.json");
	expect_whole(&o, "tar");
	str_free(&o.text);
	read_disk(&o, span_of_str(&tar), "!link.json");
	expect_error(&o, E_NODATA, "no file of that name");
	read_disk(&o, span_of_str(&tar), "!/etc/passwd");
	expect_error(&o, E_NODATA, "no file of that name");
	read_disk(&o, text_span(), "!t.json");
	expect_error(&o, E_FORMAT, "not an archive");
}

static void refused(void **state)
{
	struct str outer = { 0 }, tar = { 0 };
	struct packing_zip zip = { 0 };
	struct outcome o;

	(void)state;
	if (!is_there())
		skip();
	make_tar(&tar);
	packing_tar(&outer, "inner.tar", '0', span_of_str(&tar));
	packing_tar_end(&outer);
	read_pipe(&o, span_of_str(&outer), 0);
	expect_error(&o, E_FORMAT, "an archive inside an archive");
	packing_zip_add(&zip, "t.json", 1, text_span());
	packing_zip_end(&zip);
	read_disk(&o, span_of_str(&zip.out), "");
	expect_error(&o, E_FORMAT, "t.json in the archive is encrypted");
	read_pipe(&o, span_of_str(&zip.out), 0);
	expect_error(&o, E_FORMAT, "t.json in the archive is encrypted");
	str_reset(&tar);
	packing_tar(&tar, "run/", '5', SPAN(""));
	packing_tar_end(&tar);
	read_pipe(&o, span_of_str(&tar), 0);
	expect_error(&o, E_NODATA, "no file is in the archive");
	str_free(&outer);
	str_free(&tar);
	packing_zip_free(&zip);
}

/* 300 MB of zeros from 339 bytes; inside a tar, too. */
static void bombs(void **state)
{
	struct str bomb = { 0 }, tar = { 0 };
	struct outcome o;
	int i;

	(void)state;
	if (!is_there())
		skip();
	for (i = 0; i < 3; i++)
		str_add(&bomb, packing_bomb.p, packing_bomb.n);
	read_pipe(&o, span_of_str(&bomb), 0);
	expect_error(&o, E_LIMIT, UNPACK_BOMB_TEXT);
	packing_tar(&tar, "t.json.bz2", '0', span_of_str(&bomb));
	packing_tar_end(&tar);
	read_pipe(&o, span_of_str(&tar), 0);
	expect_error(&o, E_LIMIT, UNPACK_BOMB_TEXT);
	str_free(&bomb);
	str_free(&tar);
}

/* The disk fails at byte k: E_IO with the place. */
static void read_faults(void **state)
{
	SCOPED_STR tar = { 0 };
	size_t i, k;

	(void)state;
	if (!is_there())
		skip();
	make_tar(&tar);
	for (i = 0; i <= PACKINGS; i++) {
		struct span file = i < PACKINGS ? packings[i].bytes : span_of_str(&tar);

		for (k = 1; k < file.n; k += file.n / 20) {
			struct loading how = { .fails_at = k };
			struct loaded l;

			loading_run(&l, file, &how);
			assert_int_equal(l.status, E_IO);
			assert_non_null(strstr(l.err.text, "cannot read"));
			assert_int_equal(l.err.offset, k);
		}
	}
}

/* Of a file on disk what is not wanted is passed over; behind its end there is nothing to pass. */
static void passed_over(void **state)
{
	enum { LARGE = 300000 };
	char *large = calloc(1, LARGE);
	SCOPED_STR tar = { 0 };
	struct outcome o;
	size_t n;

	(void)state;
	assert_non_null(large);
	if (!is_there())
		skip();
	packing_tar(&tar, "large", '0', (struct span){ large, LARGE });
	packing_tar(&tar, "t.json", '0', text_span());
	packing_tar_end(&tar);
	read_disk(&o, span_of_str(&tar), "!t.json");
	expect_whole(&o, "tar");
	str_free(&o.text);
	for (n = 1000; n < LARGE; n += 99000) {
		read_disk(&o, (struct span){ tar.s, n }, "!t.json");
		expect_error(&o, E_SYNTAX, "the tar archive ends before t.json");
	}
	free(large);
}

static void split(void **state)
{
	char path[] = "/tmp/traceq-split-!XXXXXX", whole[100];
	int fd = mkstemp(path);
	const char *name;
	size_t n;

	(void)state;
	assert_true(fd >= 0);
	(void)close(fd);
	(void)snprintf(whole, sizeof(whole), "%s!a!b", path);
	assert_true(members_split(whole, &n, &name));
	assert_int_equal(n, strlen(path));
	assert_string_equal(name, "a!b");
	assert_false(members_split(path, &n, &name));
	assert_false(members_split("/tmp!x", &n, &name));
	assert_false(members_split("!x", &n, &name));
	(void)unlink(path);
	assert_true(members_is_hidden("a/../b"));
	assert_true(members_is_hidden(".git/x"));
	assert_false(members_is_hidden("a.b/c..d"));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(streams), cmocka_unit_test(frames),
		cmocka_unit_test(cut_and_damaged), cmocka_unit_test(archives),
		cmocka_unit_test(choosing), cmocka_unit_test(refused), cmocka_unit_test(bombs),
		cmocka_unit_test(read_faults), cmocka_unit_test(passed_over),
		cmocka_unit_test(split) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
