/* From needs to keys. */
#include "analyze/input/events/plan.h"

#include <assert.h>

static uint8_t add_key(struct plan *p, const char *text)
{
	size_t n = strlen(text);

	if (n == 0) {
		assert(p->nkey < PLAN_MAX_KEYS);
		p->key_empty = p->key_empty == PLAN_NO_KEY ? (uint8_t)p->nkey++ : p->key_empty;
		return p->key_empty;
	}
	unsigned at = plan_slot(text, n);

	for (; p->slot[at].used; at = (at + 1) % PLAN_SLOTS)
		if (p->slot[at].n == n && memcmp(p->slot[at].text, text, n) == 0)
			return p->slot[at].id;
	assert(p->nkey < PLAN_MAX_KEYS);
	p->slot[at] = (struct plan_key){ text, (uint8_t)n, (uint8_t)p->nkey, true };
	return (uint8_t)p->nkey++;
}

static unsigned kinds_for(unsigned needs)
{
	unsigned kinds = KINDS_ALL &
		~(KIND_BIT(KIND_PYTHON) | KIND_BIT(KIND_MEMORY) | KIND_BIT(KIND_INSTANT) |
			KIND_BIT(KIND_COUNTER) | KIND_BIT(KIND_FLOW) | KIND_BIT(KIND_ASYNC));

	if (needs & NEED_PYTHON)
		kinds |= KIND_BIT(KIND_PYTHON);
	if (needs & NEED_MEMORY)
		kinds |= KIND_BIT(KIND_MEMORY);
	if (needs & NEED_SAMPLES)
		kinds |= KIND_BIT(KIND_COUNTER);
	return kinds;
}

static void list_column(struct plan *p, enum arg arg, struct plan_column c)
{
	enum args_table t = arg_infos[arg].table;
	struct plan_set *set = &p->set[arg_set(arg)];
	uint64_t keys = UINT64_C(1) << c.key;

	if (c.other_key != PLAN_NO_KEY)
		keys |= UINT64_C(1) << c.other_key;
	p->keys[t] |= keys;
	if (arg_set(arg) == SET_NONE) {
		p->column[t][p->ncolumn[t]++] = c;
		return;
	}
	if (set->ncolumn == 0)
		p->set_of[t][p->nset[t]++] = (uint8_t)arg_set(arg);
	set->keys |= keys;
	p->set_keys |= keys;
	set->column[set->ncolumn++] = c;
}

static void list_columns(struct plan *p)
{
	for (unsigned i = 0; i < ARG_COUNT; i++) {
		const char *alias = arg_alias((enum arg)i);
		struct plan_column c = { (uint8_t)i, p->key_of[i], PLAN_NO_KEY,
			(uint8_t)arg_size(arg_infos[i].type) };

		if (c.key == PLAN_NO_KEY)
			continue;
		if (alias)
			c.other_key = add_key(p, alias);
		list_column(p, (enum arg)i, c);
	}
}

void plan_init(struct plan *p, unsigned needs, const struct scanner *scanner, uint64_t seed)
{
	*p = (struct plan){
		.scanner = scanner, .needs = needs, .seed = seed, .key_empty = PLAN_NO_KEY
	};
	p->kinds_kept = kinds_for(needs);
	p->keeps_functions = (needs & NEED_FUNCTIONS) != 0;
	for (unsigned i = 0; i < ARG_COUNT; i++)
		p->key_of[i] =
			arg_infos[i].need & needs ? add_key(p, arg_infos[i].key) : PLAN_NO_KEY;
	p->key_device = add_key(p, "device");
	p->key_stream = add_key(p, "stream");
	p->key_name = add_key(p, "name");
	p->key_labels = add_key(p, "labels");
	p->key_finished = add_key(p, "finished");
	uint64_t lane_keys = UINT64_C(1) << p->key_device | UINT64_C(1) << p->key_stream;

	for (unsigned k = 0; k < KIND_COUNT; k++) {
		if (!(p->kinds_kept & KIND_BIT(k)))
			continue;
		for (unsigned i = 0; i < ARG_COUNT; i++)
			if (p->key_of[i] != PLAN_NO_KEY && arg_is_of((enum arg)i, (enum kind)k))
				p->want[k] |= UINT64_C(1) << p->key_of[i];
		if (kind_is_on_device((enum kind)k) || k == KIND_OTHER)
			p->want[k] |= lane_keys;
		if (k == KIND_OTHER && p->key_of[ARG_DEVICE_CORRELATION] != PLAN_NO_KEY)
			p->want[k] |= UINT64_C(1) << p->key_of[ARG_DEVICE_CORRELATION];
		p->want[CLASS_ANY] |= p->want[k];
	}
	p->want[CLASS_META] = UINT64_C(1) << p->key_name | UINT64_C(1) << p->key_labels;
	p->want[CLASS_ANY] |= p->want[CLASS_META];
	list_columns(p);
}

void plan_narrow(struct plan *p, unsigned kinds, bool rows)
{
	for (unsigned k = 0; k < KIND_COUNT; k++)
		if (!(kinds & KIND_BIT(k)))
			p->want[k] = 0;
	p->kinds_kept &= rows ? kinds : 0;
	p->keeps_functions = p->keeps_functions && rows && (kinds & KIND_BIT(KIND_PYTHON));
	p->keeps_marks = rows;
	p->is_for_tap = !rows;
}
