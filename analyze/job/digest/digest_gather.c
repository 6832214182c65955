/* Rows of a digest: sums by normal name, and by input shapes below it. */
#include "analyze/job/digest/digest_gather.h"

static const uint64_t seed = 0x6469676573747171u;

void gather_init(struct gather *g, const struct digest_view *v)
{
	*g = (struct gather){ .v = v };
	strings_init(&g->texts, seed);
	g->normal = array_grow(NULL, &(size_t){ 0 }, v->run->strings.n + 1, sizeof(*g->normal));
	memset(g->normal, 0, (v->run->strings.n + 1) * sizeof(*g->normal));
	keymap_init(&g->keys, sizeof(struct gather_key));
	keymap_init(&g->shapes, sizeof(struct gather_shape));
}

static sym normal(struct gather *g, sym name)
{
	struct str b = { 0 };

	if (g->normal[name])
		return g->normal[name] - 1;
	struct span text = strings_get(&g->v->run->strings, name);
	if (g->v->o->exact_names) {
		g->normal[name] = 1 + strings_intern(&g->texts, text);
	} else {
		opname_normal(&b, text);
		g->normal[name] = 1 + strings_intern(&g->texts, (struct span){ b.s, b.n });
		str_free(&b);
	}
	return g->normal[name] - 1;
}

/* Room for values by step, while the digest may have more. */
static int64_t *cells(struct gather *g)
{
	struct digest *d = g->v->d;

	if (d->nstep == 0 || d->nstep > DIGEST_CELLS_MAX - g->cells)
		return NULL;
	g->cells += d->nstep;
	return arena_array(&d->mem, d->nstep, sizeof(int64_t));
}

static uint32_t row_of(struct gather *g, const struct gather_item *item)
{
	const struct gather_key key = { normal(g, item->name), item->op ? normal(g, item->op) : 0,
		(uint32_t)item->kind, 0 };
	size_t n = g->keys.n;
	uint32_t at = keymap_add(&g->keys, &key);

	if (g->keys.n == n)
		return at;
	g->row = array_grow(g->row, &g->row_cap, g->keys.n, sizeof(*g->row));
	g->row[at] = (struct gather_row){
		.op = { .kind = item->kind, .step_ns = cells(g) },
		.first = INT64_MAX,
	};
	return at;
}

static void add_shape(struct gather *g, uint32_t row, const struct gather_item *item)
{
	const struct run *r = g->v->run;
	struct gather_shape key = { .row = row };
	size_t n = g->shapes.n;

	if (!g->v->o->shapes || item->op_row == NO_ROW ||
		args_table_of((enum kind)r->events.kind[item->op_row]) != ARGS_OP ||
		r->events.args[item->op_row] == NO_ARGS)
		return;
	key.dims = args_sym(&r->args, ARG_OP_DIMS, r->events.args[item->op_row] - 1);
	if (key.dims == 0)
		return;
	uint32_t at = keymap_add(&g->shapes, &key);
	if (g->shapes.n > n) {
		g->shape = array_grow(g->shape, &g->shape_cap, g->shapes.n, sizeof(*g->shape));
		g->shape[at] = (struct digest_shape){ 0 };
	}
	g->shape[at].calls++;
	saturate_onto(&g->shape[at].ns, item->ns);
}

void gather_add(struct gather *g, const struct gather_item *item)
{
	uint32_t at = row_of(g, item);
	struct gather_row *row = &g->row[at];

	row->op.all_calls++;
	saturate_onto(&row->op.all_ns, item->ns);
	row->first = MIN(item->start, row->first);
	if (!item->place)
		return;
	row->op.calls++;
	saturate_onto(&row->op.ns, item->ns);
	if (row->op.step_ns)
		saturate_onto(&row->op.step_ns[item->place - 1], item->ns);
	add_shape(g, at, item);
}

ORDER(by_first, struct gather_row, compare3(a->first, b->first), compare3(a->op.place, b->op.place))

static int by_name(const void *pa, const void *pb)
{
	return digest_op_compare(pa, pb);
}

ORDER(by_dims, struct digest_shape, span_cmp(a->dims, b->dims))

static struct span keep(struct gather *g, struct span s)
{
	return (struct span){ arena_copy(&g->v->d->mem, s.p, s.n), s.n };
}

/* Gives each row its shapes. */
static void hand_out_shapes(struct gather *g)
{
	struct arena *mem = &g->v->d->mem;

	for (size_t i = 0; i < g->shapes.n; i++) {
		const struct gather_shape *key = keymap_key(&g->shapes, (uint32_t)i);

		g->row[key->row].op.nshape++;
	}
	for (EACH(struct gather_row, row, g->row, g->keys.n)) {
		row->op.shape = arena_array(mem, row->op.nshape, sizeof(*row->op.shape));
		row->op.nshape = 0;
	}
	for (size_t i = 0; i < g->shapes.n; i++) {
		const struct gather_shape *key = keymap_key(&g->shapes, (uint32_t)i);
		struct digest_op *op = &g->row[key->row].op;
		struct digest_shape *shape = &op->shape[op->nshape++];

		*shape = g->shape[i];
		shape->dims = keep(g, strings_get(&g->v->run->strings, key->dims));
	}
	for (EACH(const struct gather_row, r, g->row, g->keys.n))
		sort_rows(r->op.shape, r->op.nshape, sizeof(*r->op.shape), by_dims);
}

void gather_finish(struct gather *g, struct digest_ops *out)
{
	hand_out_shapes(g);
	for (size_t i = 0; i < g->keys.n; i++) {
		const struct gather_key *key = keymap_key(&g->keys, (uint32_t)i);
		struct digest_op *op = &g->row[i].op;

		op->place = (uint32_t)i;
		op->name = keep(g, strings_get(&g->texts, key->name));
		op->op =
			key->op ? keep(g, strings_get(&g->texts, key->op)) : (struct span){ "", 0 };
	}
	sort_rows(g->row, g->keys.n, sizeof(*g->row), by_first);
	out->n = g->keys.n;
	out->v = arena_array(&g->v->d->mem, out->n, sizeof(*out->v));
	for (size_t i = 0; i < out->n; i++) {
		out->v[i] = g->row[i].op;
		out->v[i].place = (uint32_t)i;
	}
	sort_rows(out->v, out->n, sizeof(*out->v), by_name);
	FREE_ALL(g->row, g->shape, g->normal);
	keymap_clear(&g->keys);
	keymap_clear(&g->shapes);
	strings_clear(&g->texts);
}

/* ---- names without addresses and numbers in templates ---- */

enum { ADDRESS_DIGITS_MIN = 4 };

static bool is_word(char c)
{
	return is_letter(c) || is_digit(c) || c == '_';
}

/* The length of an address at i ("0x7f12ab34"), or 0. */
static size_t address_at(struct span s, size_t i)
{
	size_t n = 2;

	if (s.n - i < 2 || s.p[i] != '0' || s.p[i + 1] != 'x')
		return 0;
	while (i + n < s.n && is_hex_digit(s.p[i + n]))
		n++;
	return n >= 2 + ADDRESS_DIGITS_MIN ? n : 0;
}

/* The length of a whole number at i with its suffix ("4", "2ul"), or 0. */
static size_t number_at(struct span s, size_t i)
{
	size_t n = 0;

	while (i + n < s.n && is_digit(s.p[i + n]))
		n++;
	while (n > 0 && i + n < s.n && (s.p[i + n] == 'u' || s.p[i + n] == 'l'))
		n++;
	return i + n < s.n && (is_word(s.p[i + n]) || s.p[i + n] == '.') ? 0 : n;
}

void opname_normal(struct str *out, struct span name)
{
	size_t i = 0, depth = 0, n;

	if (span_starts(name, "ProfilerStep#")) {
		str_adds(out, "ProfilerStep#*");
		return;
	}
	while (i < name.n) {
		char c = name.p[i];
		bool inside = i > 0 && (is_word(name.p[i - 1]) || name.p[i - 1] == '.');

		if (c == '<')
			depth++;
		if (c == '>' && depth > 0)
			depth--;
		if (!inside && (n = address_at(name, i)) > 0) {
			str_adds(out, "0x*");
			i += n;
		} else if (!inside && depth > 0 && (n = number_at(name, i)) > 0) {
			str_addc(out, '#');
			i += n;
		} else {
			str_addc(out, c);
			i++;
		}
	}
}
