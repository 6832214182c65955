/*
 * The list of kinds, and the choice between them.
 */
#include "analyze/input/artifact/artifact.h"

#include "base/compiler.h"

static const struct artifact *const all[] = {
#define X(name) &artifact_##name,
	ARTIFACTS(X)
#undef X
};

const struct artifact *const *artifact_all(size_t *n)
{
	*n = COUNT_OF(all);
	return all;
}

enum match artifact_probe(const struct artifact *kind, const struct head *h)
{
	return kind->probe ? kind->probe(h) : document_probe(kind->sign, h);
}

enum status artifact_read(const struct artifact *kind, struct reading *in, struct err *e)
{
	return kind->read ? kind->read(in, e) : document_read(kind->member, kind->measure, in, e);
}

enum status artifact_find(const struct head *h, const struct artifact **kind, struct err *e)
{
	const struct artifact *best = NULL, *other = NULL;
	enum match surest = MATCH_NO;
	size_t i;

	for (i = 0; i < COUNT_OF(all); i++) {
		enum match m = artifact_probe(all[i], h);

		if (m > surest) {
			surest = m;
			best = all[i];
			other = NULL;
		} else if (m == surest && m > MATCH_WEAK) {
			other = all[i];
		}
	}
	*kind = other ? NULL : best;
	if (!other)
		return OK;
	(void)err_set(e, E_FORMAT, 0, "looks like two kinds of file: %s, and %s", best->title,
		other->title);
	return err_hint(e, "its keys are those of both; keep them in files of their own");
}

enum status artifact_look(
	struct source *s, struct head *h, const struct artifact **kind, struct err *e)
{
	static const size_t far[] = { HEAD_BYTES, HEAD_LONG };
	size_t i;

	*kind = NULL;
	for (i = 0; i < COUNT_OF(far); i++) {
		struct span text;

		TRY(source_peek(s, far[i], &text, e));
		head_look(h, text, text.n < far[i]);
		if (head_is_trace(h))
			return OK;
		TRY(artifact_find(h, kind, e));
		if (*kind || h->is_whole || (h->form != HEAD_OBJECT && h->form != HEAD_ARRAY))
			return OK;
	}
	return OK;
}
