/*
 * `roofline`: utilisation of steps, the peaks in use, and how much of the device's time is known.
 */
#include "analyze/answer/roofline/roofline.h"
#include "analyze/measure/gaps/step_gap_causes.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/run_steps.h"

enum { PEOPLE_STEPS = 12 };

static int64_t sum_of(const int64_t *flop)
{
	int64_t n = 0;

	for (int i = 0; i < ROOF_DTYPE_COUNT; i++)
		saturate_onto(&n, flop[i]);
	return n;
}

/* How long steps are, and in how much time all devices that worked could compute. */
struct times {
	nsec ns, open;
};

static void put_step(
	struct roofline *x, struct table *t, const struct roof_step *s, struct times time)
{
	TABLE_ROW(t, [RSTEP_NS] = cell_int(time.ns), [RSTEP_OPEN] = cell_int(time.open),
		[RSTEP_KNOWN] = cell_ratio(s->own_known, s->own));
	if (s->own_known == 0)
		return;
	TABLE_CELLS(t, [RSTEP_FLOP] = cell_int(sum_of(s->flop)),
		[RSTEP_AGAIN] = cell_int(sum_of(s->again)),
		[RSTEP_MFU] = cell_real(roof_utilisation(&x->roof, s->flop, NULL, time.open)),
		[RSTEP_HFU] = cell_real(roof_utilisation(&x->roof, s->flop, s->again, time.open)));
}

static void add_step(struct roof_step *all, const struct roof_step *s)
{
	for (int i = 0; i < ROOF_DTYPE_COUNT; i++) {
		saturate_onto(&all->flop[i], s->flop[i]);
		saturate_onto(&all->again[i], s->again[i]);
	}
	saturate_onto(&all->own, s->own);
	saturate_onto(&all->own_known, s->own_known);
}

/* What a device did before its first recorded work is not known: it is no time without work. */
static struct times times_of(struct roofline *x, const struct step_gap_causes *w, size_t step)
{
	const struct step *at = &x->p->run->steps->step[step];
	struct times time = { saturate_sub(at->end, at->start), 0 };

	for (size_t i = 0; i < x->roof.devices.n; i++) {
		struct step_waits waits = { 0 };

		if (x->roof.busy[i] == 0)
			continue;
		step_gap_causes_add(w, x->roof.devices.id[i], step, &waits);
		saturate_onto(&time.open, saturate_sub(time.ns, waits.ns[GAP_CAUSE_UNRECORDED]));
		saturate_onto(&x->unrecorded, waits.ns[GAP_CAUSE_UNRECORDED]);
	}
	return time;
}

/* By step of the run, of those that are looked at; whether utilisation is of another time than
 * that of a step. */
static struct times *all_times(struct roofline *x, bool *differ)
{
	struct times *time = arena_array(&x->p->mem, x->roof.nstep, sizeof(*time));
	struct step_gap_causes waiting;

	*differ = false;
	step_gap_causes_init(&waiting, x->p->run, &x->p->view, &x->p->mem);
	for (size_t i = 0; i < x->roof.nstep; i++) {
		if (x->p->view.step && !x->p->view.step[i])
			continue;
		time[i] = times_of(x, &waiting, i);
		*differ |= time[i].open != time[i].ns;
	}
	return time;
}

/* Rows of steps.  What they are together, how long, and how many. */
static size_t put_steps(struct roofline *x, struct table *t, const struct times *of,
	struct roof_step *all, struct times *time)
{
	const struct steps *steps = x->p->run->steps;
	size_t limit = rows_limit(x->p->q, -1, PEOPLE_STEPS, SIZE_MAX), n = 0;

	for (size_t i = 0; i < x->roof.nstep; i++) {
		if (x->p->view.step && !x->p->view.step[i])
			continue;
		struct times one = of[i];
		add_step(all, &x->roof.step[i]);
		saturate_onto(&time->ns, one.ns);
		saturate_onto(&time->open, one.open);
		if (n++ >= limit)
			continue;
		put_step(x, t, &x->roof.step[i], one);
		if (steps->source == STEPS_WHOLE) {
			table_text(t, RSTEP_WHAT, SPAN("whole"));
			continue;
		}
		TABLE_CELLS(t, [RSTEP_NUMBER] = cell_int(steps->step[i].number),
			[RSTEP_WHAT] = cell_textf(t, "%" PRId64, steps->step[i].number));
	}
	rows_cut_of(t, RSTEP_WHAT, n > limit ? n - limit : 0, "step");
	return n;
}

struct table *roofline_steps_table(struct roofline *x)
{
	const struct roof_peaks *peaks;
	struct roof_step all = { 0 };
	struct times time = { 0, 0 };
	bool differ;

	if (x->roof.nstep == 0 || x->roof.devices.n == 0)
		return NULL;
	const struct times *of = all_times(x, &differ);
	uint64_t hidden =
		COLUMN_SET(RSTEP_NUMBER, RSTEP_ALL) | (differ ? 0 : COLUMN_SET(RSTEP_OPEN));
	struct table *t = perrun_table_seen(x->p, &roofline_docs[ROOFLINE_STEPS], ~hidden);
	size_t n = put_steps(x, t, of, &all, &time);
	if (n > 1) {
		for (int i = 0; i < ROOF_DTYPE_COUNT; i++) {
			all.flop[i] /= (int64_t)n;
			all.again[i] /= (int64_t)n;
		}
		put_step(x, t, &all, (struct times){ time.ns / (nsec)n, time.open / (nsec)n });
		table_text(t, RSTEP_WHAT, SPAN("mean"));
		t->nfoot++;
	}
	if (n > 0)
		table_bool(t, RSTEP_ALL, true);
	if (x->busy > 0 && roof_alike(&x->roof, &peaks) == 0)
		result_note(x->p->out, NOTE_INFO, "roofline_devices_differ", x->p->input, -1,
			"GPUs have different peaks: utilisation of steps is not known");
	return t;
}

/* Formats that some op of a device is held against, by unit. */
static void find_used(const struct roofline *x, uint32_t device, bool used[][ROOF_DTYPE_COUNT])
{
	for (uint32_t i = 0; i < x->roof.row_keys.n; i++) {
		const struct roof_row_key *key = keymap_key(&x->roof.row_keys, i);
		const struct roof_cost *c = &x->roof.cost[key->cost];

		if (key->device == device && c->op && c->work.flop > 0 &&
			c->work.dtype != ROOF_DTYPE_COUNT)
			used[c->op->unit][c->work.dtype] = true;
	}
}

static void put_peak(struct table *t, int64_t device, const char *what, const struct roof_peaks *p)
{
	TABLE_ROW(t, [RPEAK_DEVICE] = cell_int(device), [RPEAK_WHAT] = cell_word(what),
		[RPEAK_NAME] = cell_word(p->device), [RPEAK_SOURCE] = cell_word(p->source));
}

/* Whether what some collective of a device moves is known. */
static bool uses_links(const struct roofline *x, uint32_t device)
{
	for (uint32_t i = 0; i < x->roof.row_keys.n; i++) {
		const struct roof_row_key *key = keymap_key(&x->roof.row_keys, i);

		if (key->device == device && x->roof.cost[key->cost].is_comm &&
			x->roof.cost[key->cost].bus != COMM_BUS_UNKNOWN)
			return true;
	}
	return false;
}

/* The links of a device, where a collective is held against them; t: the table, or NULL yet. */
static struct table *put_links(struct roofline *x, struct table *t, uint32_t device)
{
	const struct roof_peaks *p = &x->roof.peaks[device];

	if (!uses_links(x, device))
		return t;
	if (isnan(p->link_Bps)) {
		if (!isnan(p->memory_Bps))
			result_note(x->p->out, NOTE_INFO, "roofline_no_links", x->p->input, -1,
				"what the links of GPU %" PRId64
				" can do is not known: collectives have no roof (--peak link=450G)",
				x->roof.devices.id[device]);
		return t;
	}
	t = t ? t : perrun_table(x->p, &roofline_docs[ROOFLINE_PEAKS]);
	put_peak(t, x->roof.devices.id[device], "links", p);
	table_real(t, RPEAK_BYTES, p->link_Bps);
	return t;
}

void roofline_peaks_table(struct roofline *x)
{
	static const char *const units[ROOF_UNIT_COUNT] = { "matrix", "vector" };
	struct table *t = NULL;

	for (uint32_t i = 0; i < x->roof.devices.n; i++) {
		bool used[ROOF_UNIT_COUNT][ROOF_DTYPE_COUNT] = { 0 };
		const struct roof_peaks *p = &x->roof.peaks[i];

		if (x->roof.busy[i] == 0)
			continue;
		find_used(x, i, used);
		for (int u = 0; u < ROOF_UNIT_COUNT; u++)
			for (int d = 0; d < ROOF_DTYPE_COUNT; d++) {
				double peak =
					u == ROOF_MATRIX ? roof_matrix_peak(p, d) : p->vector[d];

				if (!used[u][d] || isnan(peak))
					continue;
				t = t ? t : perrun_table(x->p, &roofline_docs[ROOFLINE_PEAKS]);
				put_peak(t, x->roof.devices.id[i], units[u], p);
				TABLE_CELLS(t, [RPEAK_DTYPE] = cell_word(roof_dtype_words[d]),
					[RPEAK_TFLOPS] = cell_real(peak / 1e12),
					[RPEAK_RIDGE] = cell_real(peak / p->memory_Bps));
			}
		if (!isnan(p->memory_Bps)) {
			t = t ? t : perrun_table(x->p, &roofline_docs[ROOFLINE_PEAKS]);
			put_peak(t, x->roof.devices.id[i], "memory", p);
			table_real(t, RPEAK_BYTES, p->memory_Bps);
		}
		t = put_links(x, t, i);
		peaks_say(p, x->p->out, x->p->input);
	}
}

static void put_part(struct table *t, nsec ns, nsec busy, int64_t rows, const char *what)
{
	TABLE_ROW(t, [RCOV_NS] = cell_int(ns), [RCOV_SHARE] = cell_ratio(ns, busy),
		[RCOV_ROWS] = cell_int(rows), [RCOV_WHAT] = cell_word(what));
}

/* Time by why it is not known; collectives that are known are a row of their own. */
struct coverage {
	nsec ns[ROOF_WHY_COUNT], links;
	int64_t rows[ROOF_WHY_COUNT], link_rows, all;
};

void roofline_coverage_table(struct roofline *x)
{
	struct coverage c = { 0 };

	if (x->roof.row_keys.n == 0)
		return;
	for (uint32_t i = 0; i < x->roof.row_keys.n; i++) {
		const struct roof_row_key *key = keymap_key(&x->roof.row_keys, i);
		const struct roof_cost *cost = &x->roof.cost[key->cost];
		bool is_link = cost->is_comm && cost->work.why == ROOF_WHY_KNOWN;
		saturate_onto(is_link ? &c.links : &c.ns[cost->work.why], x->roof.row[i].own);
		*(is_link ? &c.link_rows : &c.rows[cost->work.why]) += 1;
		c.all++;
	}
	struct table *t = perrun_table(x->p, &roofline_docs[ROOFLINE_COVERAGE]);
	for (uint32_t i = 0; i < ROOF_WHY_COUNT; i++) {
		if (c.rows[i] > 0)
			put_part(t, c.ns[i], x->busy, c.rows[i], roof_reason_words[i]);
		if (i == ROOF_WHY_KNOWN && c.link_rows > 0)
			put_part(t, c.links, x->busy, c.link_rows, "known collectives");
	}
	put_part(t, x->busy, x->busy, c.all, "busy");
	t->nfoot = 1;
}
