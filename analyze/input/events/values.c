/* Texts to typed values: ids, integers, reals, names, grids.  A value that is none is unknown. */
#include "analyze/input/events/values.h"

#include "analyze/input/events/event_batch.h"
#include "analyze/input/events/plan.h"
#include "analyze/input/events/raw.h"
#include "analyze/input/text/num.h"

static uint32_t id_value(struct batch *b, struct span t)
{
	uint64_t v;

	return num_u64(t, &v) ? ids_pack(&b->ids, v) : 0;
}

/* "[128, 1, 1]" */
static void vec3_value(struct span t, uint32_t v[3])
{
	size_t k = 0;
	bool in = false;

	v[0] = v[1] = v[2] = 0;
	for (size_t i = 0; i < t.n && k < 3; i++) {
		if (t.p[i] >= '0' && t.p[i] <= '9') {
			v[k] = v[k] * 10 + (uint32_t)(t.p[i] - '0');
			in = true;
		} else if (in) {
			k++;
			in = false;
		}
	}
}

/* The value of an argument whose key was found, at *to. */
static void put_value(struct batch *b, const struct raw_event *raw, uint8_t key, enum arg arg,
	union arg_column to, int64_t offset)
{
	struct span t = raw->arg[key];

	switch (arg_infos[arg].type) {
	case ARG_ID: *to.id = id_value(b, t); break;
	case ARG_SYM:
		if (raw->quoted >> key & 1)
			*to.sym = batch_string(b, t, raw->escaped >> key & 1, offset);
		else
			*to.sym = span_is(t, "null") ? 0 : batch_json(b, t, offset);
		break;
	case ARG_VEC3: vec3_value(t, *to.vec3); break;
	case ARG_I64:
		if (!num_i64(t, to.i64))
			*to.i64 = ARG_UNKNOWN;
		break;
	case ARG_F64: (void)num_f64(t, to.f64); break;
	}
}

/* The number of the combination of a set's values, read. */
static uint32_t read_combination(const struct plan_set *set, enum args_set which, struct batch *b,
	const struct raw_event *raw, int64_t offset)
{
	unsigned char values[SET_MAX_BYTES];
	size_t size;
	const void *nothing = args_nothing(which, &size);

	memcpy(values, nothing, size);
	for (EACH(const struct plan_column, c, set->column, set->ncolumn)) {
		uint8_t key = raw_key(raw, c);
		enum arg arg = (enum arg)c->arg;
		union arg_value value;

		if (!raw_found(raw, key))
			continue;
		put_value(b, raw, key, arg, (union arg_column){ &value }, offset);
		memcpy(values + arg_offset(arg), &value, arg_size(arg_infos[arg].type));
	}
	return keymap_add(&b->args.set[which].values, values);
}

/* A text by its length and ends.  What lies between is where it points to. */
static struct set_text set_text(struct span t)
{
	struct set_text s = { .p = t.p };

	if (t.n <= 16) {
		s.ends = short_text(t);
		return s;
	}
	memcpy(&s.ends.lo, t.p, 8);
	memcpy(&s.ends.hi, t.p + t.n - 8, 8);
	s.ends.n = (uint32_t)t.n;
	return s;
}

/* The texts of a set's arguments; their hash. */
static size_t take_texts(
	const struct plan_set *set, const struct raw_event *raw, struct set_memo *m)
{
	uint64_t h = 0;

	m->found = raw->found & set->keys;
	m->quoted = raw->quoted & m->found;
	for (unsigned i = 0; i < set->ncolumn; i++) {
		uint8_t key = raw_key(raw, &set->column[i]);

		m->text[i] = raw_found(raw, key) ? set_text(raw->arg[key]) : (struct set_text){ 0 };
		h = h * 31 + short_hash(m->text[i].ends);
	}
	return (size_t)(h ^ h >> 20);
}

static bool same_texts(const struct set_memo *a, const struct set_memo *b, unsigned n)
{
	if (a->found != b->found || a->quoted != b->quoted)
		return false;
	return ALL(i, n,
		short_same(a->text[i].ends, b->text[i].ends) &&
			(a->text[i].ends.n <= 16 ||
				memcmp(a->text[i].p + 8, b->text[i].p + 8,
					a->text[i].ends.n - 16) == 0));
}

/* The number of the combination of a set's values; most are known by their texts. */
static uint32_t combination(const struct plan_set *set, enum args_set which, struct batch *b,
	const struct raw_event *raw, int64_t offset)
{
	struct set_memo key;

	if (!(raw->found & set->keys))
		return 0;
	if (raw->escaped & set->keys)
		return read_combination(set, which, b, raw, offset);
	if (UNLIKELY(!b->set_memo[which]))
		b->set_memo[which] = xcalloc(SET_MEMOS, sizeof(*b->set_memo[which]));
	struct set_memo *memo = &b->set_memo[which][take_texts(set, raw, &key) % SET_MEMOS];
	if (memo->round == b->round && same_texts(memo, &key, set->ncolumn))
		return memo->combination;
	key.combination = read_combination(set, which, b, raw, offset);
	key.round = b->round;
	*memo = key;
	return key.combination;
}

static void put_sets(const struct plan *plan, struct batch *b, const struct raw_event *raw,
	enum args_table t, size_t row, int64_t offset)
{
	for (unsigned i = 0; i < plan->nset[t]; i++) {
		enum args_set s = (enum args_set)plan->set_of[t][i];
		struct raw_sets *same = raw->sets;
		uint32_t which;

		if (LIKELY(same && same->known >> s & 1)) {
			which = same->combination[s];
		} else {
			which = combination(&plan->set[s], s, b, raw, offset);
			if (same) {
				same->combination[s] = which;
				same->known |= 1u << s;
			}
		}
		if (which || b->args.set[s].is_known)
			args_know_set(&b->args, s)[row] = which;
	}
}

uint32_t values_row(const struct plan *plan, struct batch *b, const struct raw_event *raw,
	enum kind kind, int64_t offset)
{
	enum args_table t = args_table_of(kind);
	size_t row = b->args.n[t];

	if (t == ARGS_NONE || !(raw->found & plan->keys[t]))
		return NO_ARGS;
	if (UNLIKELY(row >= b->args.cap[t]))
		args_reserve(&b->args, t, 1);
	b->args.n[t]++;
	for (EACH(const struct plan_column, c, plan->column[t], plan->ncolumn[t])) {
		uint8_t key = raw_key(raw, c);

		if (raw_found(raw, key)) {
			if (UNLIKELY(!b->args.is_known[c->arg]))
				args_know(&b->args, (enum arg)c->arg);
			union arg_column col = b->args.col[c->arg];
			col.any = (char *)col.any + row * c->size;
			put_value(b, raw, key, (enum arg)c->arg, col, offset);
		} else if (b->args.is_known[c->arg]) {
			args_unknown(&b->args, (enum arg)c->arg, row);
		}
	}
	put_sets(plan, b, raw, t, row, offset);
	return (uint32_t)row + 1;
}
