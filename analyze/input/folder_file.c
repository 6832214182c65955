/* Files of a folder: the list, and what each one is. */
#include "analyze/input/folder_file.h"

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/format/format.h"
#include "analyze/input/load_kept.h"
#include "analyze/input/source/alien.h"
#include "analyze/input/source/source.h"
#include "analyze/input/text/jsondoc_check.h"

struct folder_file *folder_file_add(struct folder *f)
{
	if (f->n == FOLDER_FILES) {
		f->too_many++;
		return NULL;
	}
	if (f->n == f->cap) {
		size_t cap = f->cap ? f->cap * 2 : 64;
		struct folder_file *more = arena_array(&f->mem, cap, sizeof(*more));

		if (f->n)
			memcpy(more, f->file, f->n * sizeof(*more));
		f->file = more;
		f->cap = cap;
	}
	return &f->file[f->n++];
}

void folder_file_damaged(struct folder *f, struct folder_file *file, const struct err *e)
{
	file->what = FOLDER_DAMAGED;
	file->why = arena_copy(&f->mem, e->text, strlen(e->text));
}

/* JSON of no known kind that is cut off or malformed: it may have been one. */
static bool is_torn_json(const struct head *h, struct err *e)
{
	size_t end;

	return h->is_whole && (h->form == HEAD_OBJECT || h->form == HEAD_ARRAY) &&
		jsondoc_check(h->text, &end, e) != OK;
}

void folder_file_judge(
	struct folder *f, struct folder_file *file, struct source *s, struct head *head)
{
	bool is_before;
	struct err e;

	err_clear(&e);
	if (load_kept_is(s)) {
		file->is_record = true;
		file->what = FOLDER_TRACE;
		if (load_kept_check(s, &file->check, &e) != OK)
			folder_file_damaged(f, file, &e);
		return;
	}
	file->format = format_find(s);
	if (file->format) {
		file->what = FOLDER_TRACE;
		return;
	}
	if (artifact_look(s, head, &file->kind, &e) != OK ||
		(!file->kind && !head_is_trace(head) && is_torn_json(head, &e))) {
		folder_file_damaged(f, file, &e);
	} else if (head_is_trace(head)) {
		file->what = FOLDER_TRACE;
	} else if (file->kind) {
		file->what = FOLDER_ARTIFACT;
	} else if (s->tally.count[PROBLEM_TRUNCATED_GZIP] || s->tally.count[PROBLEM_CORRUPT_GZIP]) {
		file->what = FOLDER_DAMAGED;
		file->why = head->form == HEAD_EMPTY
			? "damaged compressed data: nothing can be inflated"
			: "damaged compressed data: what can be inflated says nothing";
	} else {
		const char *what = alien_text(head->text, &is_before);

		file->what = FOLDER_UNKNOWN;
		file->is_exectrace = head_has(head, "schema") && head_has(head, "nodes");
		file->why = file->is_exectrace ? "a PyTorch execution trace, which critical reads"
			: head->form == HEAD_BINARY ? "binary data"
			: head->form == HEAD_TEXT   ? (what ? what : "other text")
			: head->form == HEAD_EMPTY  ? "only blanks"
						    : "other JSON";
	}
}
