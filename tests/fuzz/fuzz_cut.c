/* Cutting: whatever the trace is, cutting ends with a file or with one clear error; the file is a
 * trace again, as JSON has as many events in it as were kept, and never more than there were.  The
 * first two bytes choose what is kept, and how it is written. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyze/input/load.h"
#include "edit/cut.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PATH_ROOM = 40 };

/* A file in memory with these bytes, and how it is opened by name. */
static int file_of(const void *data, size_t size, char path[PATH_ROOM])
{
	int fd = memfd_create("fuzz", 0);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	(void)snprintf(path, PATH_ROOM, "/proc/self/fd/%d", fd);
	return fd;
}

static enum status checked(enum status st, const struct err *e)
{
	if (st != OK && (e->text[0] == '\0' || e->status != st))
		abort();
	return st;
}

static struct cut_want want_of(const uint8_t choice[2])
{
	static const char *const times[] = { NULL, "0ns-5us", "-20us", "1us-", "100ns-1ms", "-1s",
		"3us-4us", "0ns-1ns" };
	static const char *const steps[] = { NULL, "1", "1-2", "7" };
	struct cut_want want = { .time = times[choice[0] & 7],
		.no_python = choice[0] & 8,
		.no_args = choice[0] & 16,
		.sample_ns = choice[0] & 32 ? 1000 : 0 };

	want.filter.steps = steps[choice[0] >> 6];
	if (choice[1] & 16)
		want.filter.device = "0";
	return want;
}

/* Cuts the file at path into *out; how many events were kept, or -1. */
static int64_t cut_to(const char *path, const struct cut_want *want, const uint8_t choice[2],
	const struct load_options *load, struct str *out)
{
	const struct writer_kind *kind = choice[1] & 1 ? &writer_pftrace : &writer_json;
	struct cut cut = { 0 };
	struct writer w = { 0 };
	char *bytes = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&bytes, &size);
	struct document d;
	struct err e;
	int64_t kept = -1;

	err_clear(&e);
	if (!file)
		abort();
	if (checked(cut_survey(&cut, path, want, load, &e), &e) == OK) {
		d = cut_document(&cut);
		if (writer_begin(&w, kind, file, choice[1] & 2, 1, &d, &e) != OK)
			abort();
		if (cut_write(&cut, path, want, load, &w, &e) != OK) {
			writer_drop(&w);
		} else if (writer_end(&w, &e) == OK) {
			kept = cut.kept;
			if (kept > cut.survey.nevent)
				abort();
		}
		(void)checked(e.status, &e);
	}
	(void)fclose(file);
	if (kept >= 0)
		str_add(out, bytes, size);
	free(bytes);
	cut_clear(&cut);
	return kept;
}

/* What was written is a trace, if there were events; of JSON, with this many.  The other format
 * holds what shows, so that names alone may become nothing. */
static void read_again(const struct str *out, int64_t kept, bool is_json)
{
	struct memory_file f = { (const uint8_t *)out->s, out->n, 0, 0 };
	struct load_options o = { .needs = NEED_LINKS, .threads = 1, .strict = true };
	struct run run;
	struct err e;

	err_clear(&e);
	if (load_reader(memory_read, &f, "cut", &o, &run, &e) != OK) {
		if (kept > 0 && is_json)
			abort();
		return;
	}
	if (is_json && run.nevent != kept)
		abort();
	run_clear(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct load_options load = { .threads = 1 };
	SCOPED_STR out = { 0 };
	struct cut_want want;
	char path[PATH_ROOM];
	int64_t kept;
	int fd;

	if (size < 2)
		return 0;
	want = want_of(data);
	load.window_bytes = data[1] & 4 ? 64 + size % 700 : 0;
	load.threads = data[1] & 8 ? 2 : 1;
	fd = file_of(data + 2, size - 2, path);
	kept = cut_to(path, &want, data, &load, &out);
	(void)close(fd);
	if (kept >= 0)
		read_again(&out, kept, !(data[1] & 1));
	return 0;
}
