/* Head and list of files of records. */
#include "analyze/trace/digest/digest_files.h"

#include "analyze/trace/digest/digest_file.h"

enum { AT_VERSION = 8, AT_RECORDS = 12, AT_LENGTH = 16, AT_LIST = 24, AT_CHECK = 28 };
enum { ENTRY_BYTES = 8 + 8 + 4 }; /* offset, length, bytes of the name */

static enum status bad(struct err *e, const char *what)
{
	return err_hinted(e, E_SYNTAX, "write it again: traceq digest FILE... -o X.tqd",
		"a damaged file of digests: %s", what);
}

enum status digest_files_head(struct digest_files *f, const char *head, struct err *e)
{
	uint32_t version = digest_file_u32(head + AT_VERSION),
		 list = digest_file_u32(head + AT_LIST);
	uint32_t n = digest_file_u32(head + AT_RECORDS);

	*f = (struct digest_files){ .n = n, .list = list };
	f->length = digest_file_u64(head + AT_LENGTH);
	f->check = digest_file_u32(head + AT_CHECK);
	if (memcmp(head, DIGEST_FILES_MAGIC, sizeof(DIGEST_FILES_MAGIC) - 1) != 0)
		return bad(e, "its first bytes are not those of one");
	if (version != DIGEST_FILE_VERSION)
		return digest_file_refuse_version(version, DIGEST_FILE_VERSION, e);
	if (n > DIGEST_FILES_RECORDS || list > DIGEST_FILES_LIST_MAX || list / ENTRY_BYTES < n)
		return bad(e, "its head says more records than there can be");
	if (f->length < (uint64_t)DIGEST_FILE_HEAD + list)
		return bad(e, "its head says fewer bytes than its list has");
	return OK;
}

static enum status take_entry(struct digest_files *f, const char *list, size_t *at, uint64_t *end,
	struct arena *mem, struct err *e)
{
	const char *p = list + *at;
	struct digest_file_place *r = &f->record[f->n];

	if (f->list - *at < ENTRY_BYTES)
		return bad(e, "its list ends too early");
	r->offset = digest_file_u64(p);
	r->length = digest_file_u64(p + 8);
	uint32_t name = digest_file_u32(p + 16);
	*at += ENTRY_BYTES;
	if (name > f->list - *at)
		return bad(e, "its list ends in a name");
	if (r->offset != *end || r->length > f->length - *end)
		return bad(e, "a record is not where its list says");
	r->name = arena_copy(mem, list + *at, name);
	if (name == 0 || strlen(r->name) != name)
		return bad(e, "a name in its list is none");
	if (f->n > 0 && strcmp(f->record[f->n - 1].name, r->name) >= 0)
		return bad(e, "the names of its list are not in order");
	*at += name;
	*end += r->length;
	f->n++;
	return OK;
}

enum status digest_files_list(struct digest_files *f, const char *head, const char *list,
	struct arena *mem, struct err *e)
{
	size_t n = f->n, at = 0;
	uint64_t end = (uint64_t)DIGEST_FILE_HEAD + f->list;
	uint32_t check = digest_file_check(0, (struct span){ head, AT_CHECK });

	if (f->check != digest_file_check(check, (struct span){ list, f->list }))
		return bad(e, "the checksum of its list is wrong");
	f->record = arena_array(mem, n, sizeof(*f->record));
	f->n = 0;
	while (f->n < n)
		TRY(take_entry(f, list, &at, &end, mem, e));
	if (at != f->list || end != f->length)
		return bad(e, "there is more in it than its list says");
	return OK;
}

/* ---- writing ---- */

int digest_file_compare(uint64_t a_bytes, uint32_t a_check, uint64_t b_bytes, uint32_t b_check)
{
	return COMPARE_BY(compare3(a_bytes, b_bytes), compare3(a_check, b_check));
}

static uint32_t check_of(struct span record)
{
	return record.n < DIGEST_FILE_HEAD ? 0 : digest_file_check_of(record.p);
}

ORDER(by_name_and_record, struct digest_file_entry, span_cmp(a->name, b->name),
	digest_file_compare(a->record.n, check_of(a->record), b->record.n, check_of(b->record)),
	span_cmp(a->record, b->record))

static void sort(struct digest_file_entry *v, size_t n)
{
	sort_rows(v, n, sizeof(*v), by_name_and_record);
}

/* A name as a member of an archive: below nothing, with no part that is hidden or leads upwards.
 * Bytes that end texts have no place in it. */
static struct span member_name(struct span name, struct arena *mem)
{
	char *out = arena_alloc(mem, name.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < name.n; i++) {
		bool begins = n == 0 || out[n - 1] == '/';

		if (!begins || (name.p[i] != '.' && name.p[i] != '/'))
			out[n++] = name.p[i] ? name.p[i] : '?';
	}
	while (n > 0 && out[n - 1] == '/')
		n--;
	return n > 0 ? (struct span){ out, n } : SPAN("trace");
}

static size_t without_twins(struct digest_file_entry *v, size_t n)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++)
		if (left == 0 || by_name_and_record(&v[left - 1], &v[i]) != 0)
			v[left++] = v[i];
	return left;
}

/* Of records of one name the second gets a "~2" behind it; false: there were none. */
static bool tell_apart(struct digest_file_entry *v, size_t n, struct arena *mem)
{
	bool any = false;
	size_t end;

	for (size_t i = 0; i < n; i = end) {
		end = FIRST_FROM(k, i + 1, n, !span_eq(v[k].name, v[i].name));
		for (size_t k = i + 1; k < end; k++) {
			const char *name = arena_printf(
				mem, "%.*s~%zu", (int)v[k].name.n, v[k].name.p, k - i + 1);

			v[k].name = span_of(name);
			any = true;
		}
	}
	return any;
}

size_t digest_files_sort(struct digest_file_entry *v, size_t n, struct arena *mem)
{
	for (EACH(struct digest_file_entry, entry, v, n))
		entry->name = member_name(entry->name, mem);
	sort(v, n);
	n = without_twins(v, n);
	while (tell_apart(v, n, mem))
		sort(v, n);
	return n;
}

void digest_files_put(const struct digest_file_entry *v, size_t n, struct str *out)
{
	SCOPED_STR list = { 0 };
	size_t from = out->n;
	uint64_t at = DIGEST_FILE_HEAD;

	for (size_t i = 0; i < n; i++)
		at += ENTRY_BYTES + v[i].name.n;
	for (EACH(const struct digest_file_entry, entry, v, n)) {
		digest_file_put_u64(&list, at);
		digest_file_put_u64(&list, entry->record.n);
		digest_file_put_u32(&list, (uint32_t)entry->name.n);
		str_add(&list, entry->name.p, entry->name.n);
		at += entry->record.n;
	}
	str_add(out, DIGEST_FILES_MAGIC, sizeof(DIGEST_FILES_MAGIC) - 1);
	digest_file_put_u32(out, DIGEST_FILE_VERSION);
	digest_file_put_u32(out, (uint32_t)n);
	digest_file_put_u64(out, at);
	digest_file_put_u32(out, (uint32_t)list.n);
	digest_file_put_u32(out,
		digest_file_check(digest_file_check(0, (struct span){ out->s + from, AT_CHECK }),
			(struct span){ list.s, list.n }));
	str_add(out, list.s, list.n);
}
