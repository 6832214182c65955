/* Why: the work behind a part of the ledger, and what happened to it. */
#include "analyze/compare/contrast.h"
#include "analyze/job/digest/digest.h"
#include "analyze/compare/why.h"
#include "analyze/trace/commname.h"
#include "base/name/name.h"
#include "base/unit.h"

enum { NAME_COLUMNS = 70 };
static const double MOST_OF = 0.8;

void why_add_name(struct str *b, const struct opsum_key *key, struct arena *mem)
{
	name_shorten(b, span_of(opsum_name(key, mem)), NAME_COLUMNS, true);
}

static void add_count(struct str *b, double calls)
{
	unit_put_real(b, round(calls * 100) / 100);
}

static void add_calls(struct str *b, double calls)
{
	add_count(b, calls);
	str_adds(b, plural(calls, " call", " calls"));
}

static bool is_on_one_side(const struct contrast_row *row)
{
	return !row->base || !row->now || row->base->calls == 0 || row->now->calls == 0;
}

/* " has 12 calls per step (was 4) of 905 us each (was 310 us)" */
static void add_effect(struct str *b, const struct contrast_row *row)
{
	double m0 = (double)row->base_ns / row->base_calls;
	double m1 = (double)row->now_ns / row->now_calls;

	if (is_on_one_side(row)) {
		bool is_new = row->now_calls > 0;

		str_adds(b, is_new ? " is new: " : " is gone: ");
		unit_put_time(b, (double)(is_new ? row->now_ns : row->base_ns));
		str_adds(b, " in ");
		add_calls(b, is_new ? row->now_calls : row->base_calls);
		str_adds(b, " per step");
		return;
	}
	str_adds(b, " has ");
	add_calls(b, row->now_calls);
	str_adds(b, " per step");
	if (fabs(row->now_calls - row->base_calls) > 0.005 * row->base_calls) {
		str_adds(b, " (was ");
		add_count(b, row->base_calls);
		str_addc(b, ')');
	}
	if (m0 > 0 && fabs(m1 / m0 - 1) >= 0.02) {
		str_adds(b, " of ");
		unit_put_time(b, m1);
		str_adds(b, " each (was ");
		unit_put_time(b, m0);
		str_addc(b, ')');
	}
}

static bool is_comm(const struct digest_op *op)
{
	return commname_of(op->name) == COMMNAME_COMM;
}

/* Whether device work can be behind a part of the ledger. */
static bool belongs(const struct digest_op *op, enum digest_part part)
{
	switch (part) {
	case PART_MEMCPY: return op->kind == KIND_MEMCPY;
	case PART_COMM: return op->kind == KIND_KERNEL && is_comm(op);
	case PART_COMPUTE: return op->kind != KIND_MEMCPY && !is_comm(op);
	default: return false;
	}
}

/* Time per step of a row's work behind a part; PART_COUNT: of all. */
static double part_ns(const struct opsums *o, const struct opsum *row, enum digest_part part)
{
	double sum = 0;

	for (size_t i = 0; row && i < row->nitem; i++) {
		const struct opsum_item *item = &row->item[i];

		if (part == PART_COUNT || belongs(item->op, part))
			sum += (double)(item->shape ? item->shape->ns : item->op->ns) *
				o->trace[item->trace].weight;
	}
	return sum;
}

static double part_delta(
	const struct contrast_rows *r, const struct contrast_row *row, enum digest_part part)
{
	return part_ns(&r->now, row->now, part) - part_ns(&r->base, row->base, part);
}

/* No op is known of it, and only one side has it: what it became has another name. */
static bool is_nameless(const struct contrast_row *row)
{
	return row->key.op.n == 0 && row->key.kind == KIND_KERNEL && is_on_one_side(row);
}

/* Work that only one side has by its name and of no known op, on each side. */
struct pool {
	double base, now;
	double base_calls, now_calls;
	bool is_one; /* there is so much of it on both sides that it is taken for the same work */
};

static struct pool pool_of(const struct contrast_rows *r, enum digest_part part)
{
	struct pool p = { 0 };

	for (EACH(const struct contrast_row, row, r->v, r->n)) {
		if (!is_nameless(row) || fabs(part_delta(r, row, part)) < 0.5)
			continue;
		p.base += part_ns(&r->base, row->base, part);
		p.now += part_ns(&r->now, row->now, part);
		p.base_calls += row->base_calls;
		p.now_calls += row->now_calls;
	}
	p.is_one = fmin(p.base, p.now) > (1 - MOST_OF) * fmax(p.base, p.now);
	return p;
}

/* The row that changed most the step's way, of those `of` launched unless it is NULL; without
 * pooled rows where there is a pool. */
static const struct contrast_row *main_row(const struct contrast *c, const struct contrast_rows *r,
	enum digest_part part, const struct contrast_row *of, bool is_pooled)
{
	double sign = c->ledger.now > c->ledger.base ? 1 : -1, most = 0.5;
	const struct contrast_row *best = NULL;

	for (EACH(const struct contrast_row, row, r->v, r->n)) {
		if ((of && !span_eq(row->key.op, of->key.name)) || (is_pooled && is_nameless(row)))
			continue;
		double delta = sign * part_delta(r, row, part);
		if (delta > most) {
			best = row;
			most = delta;
		}
	}
	return best;
}

/* The kernel or copy that most of an op's change is.  Else the op, also where that kernel is on one
 * side only and the op is not: a kernel that is gone says nothing of an op that has another. */
static const struct contrast_row *kernel_of(
	const struct contrast *c, const struct contrast_row *op, enum digest_part part)
{
	if (!op || op->key.op.n > 0)
		return op;
	const struct contrast_row *kernel = main_row(c, &c->kernels, part, op, false);
	if (!kernel ||
		(kernel->key.kind == KIND_KERNEL && is_on_one_side(kernel) &&
			!is_on_one_side(op)) ||
		fabs(part_delta(&c->kernels, kernel, part)) <
			MOST_OF * fabs(part_delta(&c->device, op, part)))
		return op;
	return kernel;
}

static void add_row(struct str *b, const struct contrast_row *row, struct arena *mem)
{
	if (!row)
		return;
	str_adds(b, ": ");
	why_add_name(b, &row->key, mem);
	add_effect(b, row);
}

/* What is behind a part of a device's time: an op, one of its kernels, or what has no op's name. */
static void add_device_cause(
	struct str *b, const struct contrast *c, enum digest_part part, struct arena *mem)
{
	const struct contrast_rows *r = &c->device;
	const struct pool p = pool_of(r, part);
	const struct contrast_row *op = main_row(c, r, part, NULL, p.is_one);
	double sign = c->ledger.now > c->ledger.base ? 1 : -1;

	if (!p.is_one || sign * (p.now - p.base) < (op ? fabs(part_delta(r, op, part)) : 0.5)) {
		add_row(b, kernel_of(c, op, part), mem);
		return;
	}
	str_adds(b, ": kernels of no known op take ");
	unit_put_time(b, p.now);
	str_adds(b, " in ");
	add_calls(b, p.now_calls);
	str_adds(b, " per step (other ones ");
	unit_put_time(b, p.base);
	str_adds(b, " in ");
	add_calls(b, p.base_calls);
	str_adds(b, " before)");
}

void why_add_cause(struct str *b, const struct contrast *c, const struct contrast_part *part,
	struct arena *mem)
{
	if (c->ledger.is_device && part != &c->ledger.part[PART_IDLE])
		add_device_cause(b, c, (enum digest_part)(part - c->ledger.part), mem);
	else
		add_row(b, main_row(c, &c->host, PART_COUNT, NULL, false), mem);
}
