/* Which files of a folder belong together: a kind a part. */
#include "analyze/input/folder_settle.h"

#include "analyze/input/format/format.h"
#include "analyze/input/format/parquet/export_files.h"
#include "analyze/input/load_file.h"
#include "analyze/input/load_kept.h"
#include "analyze/input/source/packed.h"
#include "analyze/trace/digest/digest_facts.h"
#include "analyze/trace/digest/digest_files.h"

/* --- logs --- */

static const char *const suffixes[] = { "-wal", "-journal", "-shm" };

struct named {
	struct span name; /* unpacked */
	const struct folder_file *file;
};

ORDER(by_unpacked, struct named, span_cmp(a->name, b->name))

/* The name of the database whose log it would be; empty: it is called otherwise. */
static struct span database_of(const char *name)
{
	struct span all = { name, packed_stem(name) };
	size_t k;

	for (size_t i = 0; i < COUNT_OF(suffixes); i++) {
		k = strlen(suffixes[i]);
		if (all.n > k && span_ends(all, suffixes[i]))
			return (struct span){ all.p, all.n - k };
	}
	return (struct span){ all.p, 0 };
}

/* Logs and journals of databases of the folder become FOLDER_JOINED, is_log. */
static void settle_logs(struct folder *f)
{
	struct named *v = arena_array(&f->mem, f->n, sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->file[i].format == &format_sqlite && f->file[i].what == FOLDER_TRACE)
			v[n++] = (struct named){ { f->file[i].name, packed_stem(f->file[i].name) },
				&f->file[i] };
	sort_rows(v, n, sizeof(*v), by_unpacked);
	for (size_t i = 0; n > 0 && i < f->n; i++) {
		struct folder_file *file = &f->file[i];
		const struct named key = { database_of(file->name), NULL }, *found;

		if (key.name.n == 0 || file->format || file->kind)
			continue;
		found = bsearch(&key, v, n, sizeof(*v), by_unpacked);
		if (!found)
			continue;
		file->what = FOLDER_JOINED;
		file->is_log = true;
		file->why = arena_printf(&f->mem, "read with %s", found->file->name);
	}
}

/* --- records --- */

ORDER(by_record, struct folder_file, strcmp(a->name, b->name),
	digest_file_compare((uint64_t)a->bytes, a->check, (uint64_t)b->bytes, b->check),
	strcmp(a->path, b->path))

static bool is_same_record(const struct folder_file *a, const struct folder_file *b)
{
	return strcmp(a->name, b->name) == 0 && a->bytes == b->bytes && a->check == b->check;
}

/* What is no record to the front, in its order; returns how many. */
static size_t part(struct folder *f)
{
	struct folder_file *record = arena_array(&f->mem, f->n, sizeof(*record));
	size_t n = 0, records = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->file[i].is_record)
			record[records++] = f->file[i];
		else
			f->file[n++] = f->file[i];
	for (size_t i = 0; i < records; i++)
		f->file[n + i] = record[i];
	return n;
}

/* Records of a folder behind all else, by name and by what they say, each once: how they lie in
 * files makes no difference. */
static void settle_records(struct folder *f)
{
	size_t from = part(f), n = from;

	if (from == f->n)
		return;
	sort_rows(f->file + from, f->n - from, sizeof(*f->file), by_record);
	for (size_t i = from; i < f->n; i++)
		if (n == from || !is_same_record(&f->file[n - 1], &f->file[i]))
			f->file[n++] = f->file[i];
	f->n = n;
}

/* What a file is called, wherever it lies and whatever it is packed in: "rank0.json". */
static struct span bare_name(const char *name, struct arena *mem)
{
	const char *base = path_name(name);
	const char *own = arena_copy(mem, base, load_kept_name(base));

	return (struct span){ own, packed_stem(own) };
}

/* The trace that a record was made of, by its name and its size, packed or not; NULL: it is not
 * there.  v: traces by their names. */
static const struct folder_file *digested(
	struct folder *f, const struct folder_file *record, const struct named *v, size_t n)
{
	struct span name = bare_name(record->name, &f->mem);
	size_t at = PARTITION_POINT(i, 0, n, span_cmp(v[i].name, name) < 0);
	struct digest_facts facts;

	if (at == n || !span_eq(v[at].name, name) ||
		!load_kept_facts(record->path, NULL, &facts, &f->mem))
		return NULL;
	for (; at < n && span_eq(v[at].name, name); at++)
		if (v[at].file->bytes == facts.file_bytes || v[at].file->bytes == facts.text_bytes)
			return v[at].file;
	return NULL;
}

/* A record beside the trace that it was made of says nothing more. */
static void settle_digested(struct folder *f)
{
	struct named *v = arena_array(&f->mem, f->n, sizeof(*v));
	size_t n = 0;

	for (EACH(const struct folder_file, file, f->file, f->n))
		if (file->what == FOLDER_TRACE && !file->is_record)
			v[n++] = (struct named){ bare_name(file->name, &f->mem), file };
	sort_rows(v, n, sizeof(*v), by_unpacked);
	for (EACH(struct folder_file, file, f->file, f->n)) {
		const struct folder_file *of =
			n > 0 && file->is_record && file->what == FOLDER_TRACE
			? digested(f, file, v, n)
			: NULL;

		if (of) {
			file->what = FOLDER_UNKNOWN;
			file->why = arena_printf(&f->mem, "the same recording as %s", of->name);
		}
	}
}

/* --- tables --- */

/* The one that is read, or with which the others are, is the first of these that is there. */
enum { WHOLE = 2 }; /* so many of them have everything */
static const char *const words[] = { "results.db", "results.json", "kernel_trace",
	"counter_collection", "hip_api_trace", "hip_trace", "memory_copy_trace", "marker_api_trace",
	"hsa_api_trace", "hsa_trace", "rccl_api_trace", "rccl_trace", "memory_allocation_trace",
	"scratch_memory_trace", "marker_trace", "rocdecode_api_trace", "rocjpeg_api_trace",
	"agent_info" };

struct recorded {
	struct folder_file *file;
	size_t prefix; /* bytes of its name */
	size_t word;
};

/* What the name ends in, whatever it is packed in: false for a name of another making. */
static bool split(struct folder_file *file, struct recorded *t)
{
	const char *name = path_name(file->name);

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		size_t n = strlen(words[i]);
		const char *at = strstr(name, words[i]);

		if (at && (i < WHOLE || strncmp(at + n, ".csv", 4) == 0) &&
			(i >= WHOLE) == (file->format == &format_rocprof_csv)) {
			*t = (struct recorded){ file, (size_t)(at - file->name), i };
			return true;
		}
	}
	return false;
}

ORDER(by_prefix, struct recorded, memcmp(a->file->name, b->file->name, MIN(a->prefix, b->prefix)),
	compare3(a->prefix, b->prefix), compare3(a->word, b->word),
	strcmp(a->file->name, b->file->name))

/* The first of n has all that is in the others. */
static void leave(struct folder *f, struct recorded *t, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		t[i].file->what = FOLDER_UNKNOWN;
		t[i].file->why = arena_printf(&f->mem, "the same recording as %s", t[0].file->name);
	}
}

/* The first of n tables has the others beside it. */
static void join(struct folder *f, struct recorded *t, size_t n)
{
	struct load_beside *b = arena_alloc(&f->mem, sizeof(*b));

	b->path = arena_array(&f->mem, n, sizeof(*b->path));
	for (size_t i = 1; i < n; i++) {
		b->path[b->n++] = t[i].file->path;
		t[i].file->what = FOLDER_JOINED;
		t[i].file->why = arena_printf(&f->mem, "read with %s", t[0].file->name);
	}
	t[0].file->beside = b;
}

/* Of the outputs of a folder that have one prefix one stays: results as they are, and others are
 * FOLDER_UNKNOWN with a word; else the first table, of kernels where there is one, with the others
 * beside it, which are FOLDER_JOINED. */
static void settle_tables(struct folder *f)
{
	struct recorded *t = arena_array(&f->mem, f->n, sizeof(*t));
	size_t end, n = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->file[i].format && f->file[i].what == FOLDER_TRACE)
			n += split(&f->file[i], &t[n]);
	sort_rows(t, n, sizeof(*t), by_prefix);
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && t[i].prefix == t[end].prefix &&
			memcmp(t[i].file->name, t[end].file->name, t[i].prefix) == 0;)
			end++;
		if (end - i > 1 && t[i].word < WHOLE)
			leave(f, t + i, end - i);
		else if (end - i > 1)
			join(f, t + i, end - i);
	}
}

/* --- Ascend --- */

/* The name without its folder. */
static struct span last_of(const struct folder_file *file)
{
	const char *name = path_name(file->name);

	return (struct span){ name, packed_stem(name) };
}

/* What lies beside a database and says less of the same recording. */
static bool says_less(const struct folder_file *file, const struct folder_file *database)
{
	size_t n = (size_t)(path_name(database->name) - database->name);

	return file->what == FOLDER_TRACE &&
		span_in(last_of(file), "trace_view.json|analysis.db") &&
		path_name(file->name) == file->name + n &&
		memcmp(file->name, database->name, n) == 0;
}

/* Of what torch_npu writes of one recording the database stays: it has all that trace_view.json
 * has and the rank, and analysis.db has sums of it. */
static void settle_ascend(struct folder *f)
{
	for (EACH(const struct folder_file, database, f->file, f->n)) {
		if (database->what != FOLDER_TRACE || database->format != &format_sqlite ||
			!span_starts(last_of(database), "ascend_pytorch_profiler"))
			continue;
		for (EACH(struct folder_file, file, f->file, f->n))
			if (says_less(file, database)) {
				file->what = FOLDER_UNKNOWN;
				file->why = arena_printf(
					&f->mem, "the same recording as %s", database->name);
			}
	}
}

/* --- exports --- */

/* Of the tables of an export that of events is the trace; others are read with it. */
static void settle_exports(struct folder *f)
{
	for (EACH(struct folder_file, events, f->file, f->n)) {
		if (events->format != &format_parquet || events->what != FOLDER_TRACE)
			continue;
		for (EACH(struct folder_file, table, f->file, f->n)) {
			if (table == events || table->format != &format_parquet ||
				!export_is_beside(table->name, events->name))
				continue;
			table->what = FOLDER_JOINED;
			table->why = arena_printf(&f->mem, "read with %s", events->name);
		}
	}
}

void folder_settle(struct folder *f)
{
	settle_records(f);
	settle_digested(f);
	settle_tables(f);
	settle_ascend(f);
	settle_exports(f);
	settle_logs(f);
}
