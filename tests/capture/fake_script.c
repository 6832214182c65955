/* Records from a file, as the fake CUPTI hands them out: what a line says stands in the record,
 * byte for byte, and nothing else does.
 *
 *   # a comment
 *   kernel start=@10000 end=@11500 stream=7 correlation=5 name=_Z5saxpyifPfS_ grid_x=1024
 *
 * The first word is a kind, the others are fields of capture/cupti_abi.h without the record's name,
 * in small letters.  A number is decimal or, with 0x, hexadecimal; one after @ is nanoseconds after
 * the time that fake_script was given; a name is a word.  A copy between devices (peer) has the
 * fields of a copy, too, as its record begins like one. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cupti_abi.h"
#include "tests/capture/fake_lanes.h"
#include "tests/capture/fake_records.h"

enum { LINE_MAX_ = 1024 };

struct field {
	const char *name; /* KERNEL_START */
	size_t at, size;
};

static const struct field fields[] = {
#define X(id, record, field, at, type, since) { #id, at, sizeof(type) },
	CUPTI_FIELDS(X)
#undef X
};

static const struct {
	const char *word, *prefix, *also;
	uint32_t kind;
} kinds[] = {
	{ "kernel", "KERNEL", "", ACT_KERNEL },
	{ "copy", "COPY", "", ACT_MEMCPY },
	{ "peer", "PEER", "COPY", ACT_MEMCPY2 },
	{ "set", "SET", "", ACT_MEMSET },
	{ "runtime", "API", "", ACT_RUNTIME },
	{ "driver", "API", "", ACT_DRIVER },
	{ "sync", "SYNC", "", ACT_SYNC },
	{ "event", "EVENT", "", ACT_CUDA_EVENT },
	{ "overhead", "OVERHEAD", "", ACT_OVERHEAD },
	{ "external", "EXTERNAL", "", ACT_EXTERNAL },
	{ "memory", "MEMORY", "", ACT_MEMORY2 },
	{ "graph", "GRAPH", "", ACT_GRAPH },
	{ "context", "CONTEXT", "", ACT_CONTEXT },
	{ "device", "DEVICE", "", ACT_DEVICE },
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static void fail(const char *what, const char *word)
{
	fprintf(stderr, "fake script: %s '%s'\n", what, word);
	abort();
}

static const struct field *find(const char *prefix, const char *word)
{
	size_t i, k, n = strlen(prefix);

	for (i = 0; n && i < sizeof(fields) / sizeof(fields[0]); i++) {
		const char *name = fields[i].name;

		if (strncmp(name, prefix, n) != 0 || name[n] != '_' ||
			strlen(name + n + 1) != strlen(word))
			continue;
		for (k = 0; word[k] && (name[n + 1 + k] | 32) == (word[k] | 32);)
			k++;
		if (!word[k])
			return &fields[i];
	}
	return NULL;
}

/* A name of CUPTI's: it lives as long as the process. */
static const char *name_for_ever(const char *text)
{
	static char names[4096];
	static size_t used;
	size_t n = strlen(text) + 1;
	char *p = names + used;

	if (n > sizeof(names) - used)
		fail("no room for", text);
	memcpy(p, text, n);
	used += n;
	return p;
}

static uint64_t value_of(const struct field *f, const char *text, int64_t start_ns)
{
	char *end;
	uint64_t v;

	if (strcmp(f->name, "KERNEL_NAME") == 0)
		return (uint64_t)(uintptr_t)name_for_ever(text);
	if (strcmp(f->name, "DEVICE_NAME") == 0)
		return (uint64_t)(uintptr_t)strdup(text); /* the reader's to free */
	v = strtoull(text + (*text == '@'), &end, 0);
	if (*end)
		fail("bad value", text);
	return *text == '@' ? v + (uint64_t)start_ns : v;
}

/* One `field=value` into the record. */
static void put_field(unsigned char *r, size_t k, char *word, int64_t start_ns)
{
	char *equals = strchr(word, '=');
	const struct field *f;
	uint64_t v;

	if (!equals)
		fail("no value for", word);
	*equals = 0;
	f = find(kinds[k].prefix, word);
	if (!f)
		f = find(kinds[k].also, word);
	if (!f)
		fail("unknown field", word);
	v = value_of(f, equals + 1, start_ns);
	memcpy(r + f->at, &v, f->size); /* little endian, as all that CUDA runs on */
}

static void play_line(struct lane *l, char *line, int64_t start_ns)
{
	unsigned char r[FAKE_RECORD_MAX] = { 0 };
	char *rest = line, *word = strsep(&rest, " ");
	size_t k;

	for (k = 0; k < KINDS && strcmp(kinds[k].word, word) != 0;)
		k++;
	if (k == KINDS)
		fail("unknown kind", word);
	memcpy(r, &kinds[k].kind, sizeof(kinds[k].kind));
	while ((word = strsep(&rest, " ")))
		if (*word)
			put_field(r, k, word, start_ns);
	lanes_put(l, r);
}

__attribute__((visibility("default"))) void fake_play(const char *path, int64_t start_ns);
void fake_play(const char *path, int64_t start_ns)
{
	struct lane *l = lanes_mine();
	FILE *f = fopen(path, "r");
	char line[LINE_MAX_];

	if (!f)
		fail("cannot read", path);
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		if (*line && *line != '#')
			play_line(l, line, start_ns);
	}
	(void)fclose(f);
}
