/* Peaks of a run's devices: which row of the table a description means, and how much of it. */
#include "analyze/costmodel/peaks.h"

#include "analyze/costmodel/hardware.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"
#include "base/table.h"

/* Drivers differ by so much in what they count. */
#define MEMORY_SLACK 0.03
#define UNITS_SLACK  0.01

enum { NAME_MAX = 128 };

static void unknown(struct roof_peaks *p)
{
	*p = (struct roof_peaks){
		.memory_Bps = NAN, .link_Bps = NAN, .called = SPAN(""), .share = 1
	};
	for (int k = 0; k < ROOF_DTYPE_COUNT; k++)
		p->matrix[k] = p->vector[k] = NAN;
}

static double or_unknown(double v, double factor)
{
	return v > 0 ? v * factor : NAN;
}

static void take_row(struct roof_peaks *p, const struct hardware *h)
{
	for (int k = 0; k < ROOF_DTYPE_COUNT; k++) {
		p->matrix[k] = or_unknown(h->matrix[k], 1e12);
		p->vector[k] = or_unknown(h->vector[k], 1e12);
	}
	p->memory_Bps = or_unknown(h->memory_gb_s, 1e9);
	p->link_Bps = or_unknown(h->link_gb_s, 1e9);
	p->device = h->source ? h->name : NULL;
	p->source = h->source;
}

/* A slice of a device, or one with units switched off. */
static void take_share(struct roof_peaks *p, const struct hardware *h, const struct gpu *g)
{
	double share = h->units > 0 && g->sms > 0 ? (double)g->sms / h->units : 1;
	double memory = h->memory > 0 && g->memory_bytes > 0
		? (double)g->memory_bytes / (double)h->memory
		: 1;

	if (share > 1 - UNITS_SLACK)
		return;
	for (int k = 0; k < ROOF_DTYPE_COUNT; k++) {
		p->matrix[k] *= share;
		p->vector[k] *= share;
	}
	p->memory_Bps *= memory < 1 - MEMORY_SLACK ? memory : 1;
	p->link_Bps = NAN;
	p->share = share;
}

static bool fits_memory(const struct hardware *h, const struct gpu *g)
{
	double least = 1 - MEMORY_SLACK, most = 1 + MEMORY_SLACK;

	if (h->memory <= 0)
		return true;
	double ratio = (double)g->memory_bytes / (double)h->memory;
	return ratio >= least && ratio <= most;
}

static bool is_as_fast(const struct hardware *a, const struct hardware *b)
{
	return memcmp(a->matrix, b->matrix, sizeof(a->matrix)) == 0 &&
		memcmp(a->vector, b->vector, sizeof(a->vector)) == 0 &&
		a->memory_gb_s == b->memory_gb_s;
}

/* The row whose name begins so with as many units and as much memory; NULL: none, or several that
 * differ in more than their links.  *is_several: they do in those. */
static const struct hardware *of_shape(const struct gpu *g, const char *prefix, bool *is_several)
{
	const struct hardware *found = NULL;
	size_t n;
	const struct hardware *row = hardware_all(&n);

	*is_several = false;
	for (EACH(const struct hardware, hardware, row, n)) {
		if (strncmp(hardware->name, prefix, strlen(prefix)) != 0 || !hardware->source ||
			hardware->units != (double)g->sms || !fits_memory(hardware, g))
			continue;
		if (found && !is_as_fast(found, hardware))
			return NULL;
		*is_several |= found && found->link_gb_s != hardware->link_gb_s;
		found = found ? found : hardware;
	}
	return found;
}

/* Names that several devices have, and how the names of their rows begin.  ROCm names devices by
 * the board's marketing name, by the driver's, by the architecture, or not at all. */
static const struct {
	const char *name, *prefix;
} families[] = {
	{ "NVIDIA A100", "A100" },
	{ "A100", "A100" },
	{ "Tesla V100", "V100" },
	{ "V100", "V100" },
	{ "NVIDIA H100", "H100" },
	{ "H100", "H100" },
	{ "", "MI" },
	{ "AMD Radeon Graphics", "MI" },
	{ "AMD Instinct MI250X / MI250", "MI250" },
	{ "AMD Instinct MI250X/MI250", "MI250" },
	{ "gfx90a", "MI2" },
	{ "gfx942", "MI3" },
	{ "gfx950", "MI35" },
};

/* Without what MIG says of the slice behind it. */
static void whole_device(struct span called, char *name)
{
	size_t n = MIN(called.n, NAME_MAX - 1);

	memcpy(name, called.p, n);
	name[n] = '\0';
	char *mig = strstr(name, " MIG ");
	if (mig)
		*mig = '\0';
}

void peaks_of_gpu(struct roof_peaks *p, const struct gpu *gpu, struct span called)
{
	const struct hardware *h = NULL;
	bool is_several = false, is_family = false;
	char name[NAME_MAX];

	unknown(p);
	p->called = called;
	whole_device(called, name);
	for (size_t i = 0; i < COUNT_OF(families) && !is_family; i++) {
		is_family = span_is_nocase(span_of(name), families[i].name);
		if (is_family && gpu->sms > 0 && gpu->memory_bytes > 0)
			h = of_shape(gpu, families[i].prefix, &is_several);
	}
	if (!is_family)
		h = hardware_named(name, &is_several);
	if (!h || (h->units > 0 && (double)gpu->sms > h->units * (1 + UNITS_SLACK)))
		return;
	take_row(p, h);
	take_share(p, h, gpu);
	p->is_alike = is_family && is_several;
	if (p->is_alike)
		p->link_Bps = NAN;
}

/* The description of that device, or of all; NULL: it is not said. */
static const struct gpu *gpu_of(const struct meta *m, int64_t device)
{
	for (EACH(const struct gpu, gpu, m->gpu, m->ngpu))
		if (gpu->id == device)
			return gpu;
	for (size_t i = 1; i < m->ngpu; i++)
		if (m->gpu[i].name != m->gpu[0].name || m->gpu[i].sms != m->gpu[0].sms ||
			m->gpu[i].memory_bytes != m->gpu[0].memory_bytes)
			return NULL;
	return m->ngpu && !m->ngpu_more ? &m->gpu[0] : NULL;
}

/* The name that files beside the trace have for all their GPUs; "": none, or several. */
static struct span listed_name(const struct record *r)
{
	const struct sheet *s = r ? record_find_sheet(r, SHEET_GPUS) : NULL;
	struct span name = SPAN("");

	for (size_t i = 0; s && i < s->table.nrow; i++) {
		const union cell *c = table_cell(&s->table, i, GPUS_NAME);

		if (!c || (name.n && !span_eq(name, c->s)))
			return SPAN("");
		name = c->s;
	}
	return name;
}

static void lay_over(double *v, double given)
{
	if (!isnan(given))
		*v = given;
}

static void take_given(struct roof_peaks *p, const struct peaks_given *given)
{
	const struct roof_peaks *over = &given->over;

	if (given->device) {
		struct span called = p->called;

		unknown(p);
		p->called = called;
		take_row(p, given->device);
	}
	for (int k = 0; k < ROOF_DTYPE_COUNT; k++) {
		lay_over(&p->matrix[k], over->matrix[k]);
		lay_over(&p->vector[k], over->vector[k]);
	}
	lay_over(&p->memory_Bps, over->memory_Bps);
	lay_over(&p->link_Bps, over->link_Bps);
	p->is_given = given->device || over->is_given;
}

void peaks_of_run(
	struct roof_peaks *p, const struct run *r, int64_t device, const struct peaks_given *given)
{
	static const struct gpu nothing = { .sms = -1, .memory_bytes = -1 };
	const struct gpu *g = gpu_of(&r->meta, device);
	struct span listed = listed_name(r->record);

	unknown(p);
	if (g)
		peaks_of_gpu(p, g, strings_get(&r->strings, g->name));
	else if (r->meta.ngpu == 0 && listed.n)
		peaks_of_gpu(p, &nothing, listed);
	if (given)
		take_given(p, given);
}

double roof_matrix_peak(const struct roof_peaks *p, int dtype)
{
	return dtype == ROOF_FP32 && isnan(p->matrix[dtype]) ? p->vector[dtype] : p->matrix[dtype];
}

static bool is_any_known(const struct roof_peaks *p)
{
	return ANY(k, ROOF_DTYPE_COUNT, !isnan(p->matrix[k]) || !isnan(p->vector[k])) ||
		!isnan(p->memory_Bps);
}

void peaks_say(const struct roof_peaks *p, struct result *out, int input)
{
	if (!is_any_known(p) && p->called.n)
		result_note(out, NOTE_WARNING, "peaks_unknown", input, -1,
			"no peaks are known of '%.*s', so there are no shares of them; --peak "
			"bf16=708T,mem=4.0T says what it can do",
			(int)p->called.n, p->called.p);
	else if (!is_any_known(p))
		result_note(out, NOTE_WARNING, "peaks_unknown", input, -1,
			"what GPU this ran on is not said, so there are no shares of its "
			"peaks; --peak H100 names it, --peak bf16=708T,mem=4.0T says what it "
			"can do");
	else if (p->share < 1 && p->device)
		result_note(out, NOTE_INFO, "peaks_of_a_part", input, -1,
			"the GPU has %.1f%% of the units of a whole %s: peaks are those of "
			"that share",
			100 * p->share, p->device);
	else if (p->is_alike && p->device)
		result_note(out, NOTE_INFO, "peaks_of_alike", input, -1,
			"'%.*s' may be several GPUs, all as fast as %s; what their links can "
			"do is not known",
			(int)p->called.n, p->called.p, p->device);
}
