/* What rules about files share: looking things up. */
#include "analyze/answer/diagnose/rules.h"

static bool is_copy(const struct record *r, int artifact)
{
	return r->nartifact > 0 && r->artifact[artifact].is_copy;
}

const struct scalar *recorded_find(const struct look *k, const char *end)
{
	for (EACH(const struct scalar, s, k->record->scalars.v, k->record->scalars.n))
		if (span_ends(s->key, end) && !is_copy(k->record, s->artifact))
			return s;
	return NULL;
}

double recorded_number(const struct look *k, const char *end)
{
	return scalar_number(recorded_find(k, end));
}

const struct sheet *recorded_sheet(const struct look *k, enum sheet_table kind, size_t i)
{
	const struct sheet *copy = NULL;
	size_t n = 0;

	for (size_t j = 0; j < k->record->nsheet; j++) {
		const struct sheet *s = k->record->sheet[j];

		if (s->kind != kind)
			continue;
		if (is_copy(k->record, s->artifact))
			copy = copy ? copy : s;
		else if (n++ == i)
			return s;
	}
	return n == 0 && i == 0 ? copy : NULL;
}

const char *recorded_device(const struct look *k, int artifact)
{
	static const struct meaning words[] = { { span_in, "ascend_csv", 1 },
		{ span_in, "rocprof_stats|proton", 2 } };
	static const char *const devices[] = { "CUDA", "NPU", "GPU" };

	if (artifact < 0)
		return devices[0];
	return devices[MEANING_OF(span_of(k->record->artifact[artifact].kind), words, 0)];
}
