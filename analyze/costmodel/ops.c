/* The table of ops (ops.def), and the row of a name. */
#include "analyze/costmodel/formulas.h"
#include "base/base.h"
#include "analyze/costmodel/ops.h"

#define P(...)              \
	{                   \
		__VA_ARGS__ \
	}
#define NO (-1)
#define OP(names, class, unit, level, formula, p, source) \
	{ names, ROOF_CLASS_##class, ROOF_##unit, ROOF_##level, roof_##formula, p, source },

const struct roof_op roof_ops[] = {
#include "analyze/costmodel/ops.def"
};
const size_t roof_nop = COUNT_OF(roof_ops);

const char *const roof_class_words[ROOF_CLASS_COUNT] = {
#define X(name, word) [ROOF_CLASS_##name] = word,
	ROOF_CLASSES(X)
#undef X
};

/* How much of a name a row speaks for: 0 for none. */
static size_t fits(const struct roof_op *op, struct span name)
{
	const char *names = op->names;
	struct span own;
	size_t most = 0;

	while (span_words(&names, &own)) {
		bool is_begin = own.p[own.n - 1] == '*';
		size_t n = own.n - is_begin;

		if ((is_begin ? name.n >= n : name.n == n) && memcmp(name.p, own.p, n) == 0)
			most = MAX(n + !is_begin, most);
	}
	return most;
}

static const struct roof_op *best_of(struct span name)
{
	const struct roof_op *best = NULL;
	size_t most = 0, n;

	for (size_t i = 0; i < roof_nop; i++) {
		n = fits(&roof_ops[i], name);
		if (n > most) {
			most = n;
			best = &roof_ops[i];
		}
	}
	return best;
}

const struct roof_op *roof_op_of(struct span name)
{
	const struct roof_op *op = best_of(name);

	if (!op && name.n > 1 && name.p[name.n - 1] == '_' && span_starts(name, "aten::"))
		op = best_of((struct span){ name.p, name.n - 1 });
	return op;
}
