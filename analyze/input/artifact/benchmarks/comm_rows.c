/* Collectives as rows of a sheet. */
#include "analyze/input/artifact/benchmarks/comm_rows.h"

#include "base/base.h"

void comm_rows_open(struct comm_rows *r, struct reading *in)
{
	*r = (struct comm_rows){ .in = in,
		.sheet = record_sheet(in->record, in->artifact, SHEET_COMMS) };
	strings_init(&r->names, 0x636f6d6d73u);
}

static void add_to(struct table *t, size_t row, size_t col, double v)
{
	size_t at = row * t->ncol + col;

	if (!isfinite(v))
		return;
	t->cell[at].r = t->known[at] ? t->cell[at].r + v : v;
	t->known[at] = true;
}

/* Whole numbers of a file, which may be anything. */
static void put_whole(struct table *t, size_t col, double v)
{
	if (v >= 0 && v < 9e15)
		table_int(t, col, saturate_round(v));
}

/* The row of what the call is of; SIZE_MAX: there are too many. */
static size_t row_of(struct comm_rows *r, const struct comm_call *call)
{
	struct table *t = &r->sheet->table;
	size_t known = r->names.n;
	SCOPED_STR key = { 0 };

	str_addf(&key, "%.*s %.*s %.0f %.0f", (int)call->group.n, call->group.p, (int)call->op.n,
		call->op.p, call->bytes, call->rank);
	sym at = strings_intern(&r->names, (struct span){ key.s, key.n });
	if (r->names.n == known)
		return at > 0 && at - 1 < t->nrow ? at - 1 : SIZE_MAX;
	if (!record_row(r->sheet))
		return SIZE_MAX;
	table_text(t, MCOMM_OP, record_text(r->in->record, call->op));
	table_text(t, MCOMM_GROUP, record_text(r->in->record, call->group));
	put_whole(t, MCOMM_BYTES, call->bytes);
	put_whole(t, MCOMM_RANK, call->rank);
	put_whole(t, MCOMM_RANKS, call->ranks);
	return t->nrow - 1;
}

void comm_rows_add(struct comm_rows *r, const struct comm_call *call)
{
	struct table *t = &r->sheet->table;
	double ns = call->ns;

	if (!(ns >= 0) || !isfinite(ns) || call->op.n == 0)
		return;
	size_t row = row_of(r, call);
	if (row == SIZE_MAX)
		return;
	union cell *c = &t->cell[row * t->ncol];
	bool *known = &t->known[row * t->ncol];
	c[MCOMM_CALLS].i = known[MCOMM_CALLS] ? c[MCOMM_CALLS].i + 1 : 1;
	c[MCOMM_MIN].r = known[MCOMM_MIN] ? fmin(c[MCOMM_MIN].r, ns) : ns;
	c[MCOMM_MAX].r = known[MCOMM_MAX] ? fmax(c[MCOMM_MAX].r, ns) : ns;
	known[MCOMM_CALLS] = known[MCOMM_MIN] = known[MCOMM_MAX] = known[MCOMM_MEAN] = true;
	add_to(t, row, MCOMM_TOTAL, ns);
	c[MCOMM_MEAN].r = c[MCOMM_TOTAL].r / (double)c[MCOMM_CALLS].i;
	add_to(t, row, MCOMM_ALGORITHM, call->algorithm * ns);
	add_to(t, row, MCOMM_BUS, call->bus * ns);
	add_to(t, row, MCOMM_TRANSIT, call->transit_ns);
	add_to(t, row, MCOMM_WAIT, call->wait_ns);
	add_to(t, row, MCOMM_SYNC, call->sync_ns);
	if (call->timing.n && !known[MCOMM_TIMING]) {
		c[MCOMM_TIMING].s = record_text(r->in->record, call->timing);
		known[MCOMM_TIMING] = true;
	}
}

/* From GB/s x ns to bytes/s; what was transferred in the time of transit. */
static void put_rates(struct table *t, size_t row)
{
	double ns = table_number_at(t, row, MCOMM_TOTAL),
	       transit = table_number_at(t, row, MCOMM_TRANSIT);

	for (size_t col = MCOMM_ALGORITHM; col <= MCOMM_BUS; col++) {
		size_t at = row * t->ncol + col;

		t->known[at] = t->known[at] && ns > 0;
		if (t->known[at])
			t->cell[at].r *= 1e9 / ns;
	}
	if (transit > 0)
		add_to(t, row, MCOMM_RATE,
			table_number_at(t, row, MCOMM_BYTES) *
				table_number_at(t, row, MCOMM_CALLS) * 1e9 / transit);
}

void comm_rows_close(struct comm_rows *r)
{
	for (size_t row = 0; row < r->sheet->table.nrow; row++)
		put_rates(&r->sheet->table, row);
	strings_clear(&r->names);
}
