/* The roofs of a run: one sweep over each device, by the owners of its work; then a cost for each
 * kind of call, and rows. */
#include "analyze/costmodel/roof.h"

#include "analyze/costmodel/formulas.h"
#include "analyze/costmodel/ops.h"
#include "analyze/costmodel/outputs.h"
#include "analyze/measure/device/copyclass.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

_Static_assert(sizeof(struct roof_key) == 14 * sizeof(uint32_t), "no padding");
_Static_assert(sizeof(struct roof_row_key) == 6 * sizeof(uint32_t), "no padding");

/* What a kernel's name says; asked for once. */
enum {
	KERNEL_ASKED = 1,
	KERNEL_HOST_COPY = 2,
	/* Only its being said; which is asked of the one kernel kept, or of each. */
	KERNEL_SAYS_ELEMENT = 4,
	KERNEL_IS_FASTCONV = 8,
	KERNEL_FORMAT = 16 /* times an enum roof_dtype: what FP32 is rounded to; 0: nothing */
};

/* What is known of a site while its work is swept. */
struct roof_tally {
	nsec busy, own, end;
	uint32_t device; /* 1 + index of the one swept last */
	uint32_t step;
	uint32_t cost;        /* index */
	uint32_t kernel;      /* sym of the first that says something of elements; 0: none */
	uint32_t message;     /* 1 + index of what its collectives send together; 0: it has none */
	uint32_t longest;     /* row of its longest kernel, of several the first; NO_ROW */
	uint32_t fast;        /* 1 + index of what its convolution's kernels say; 0: nothing */
	uint8_t format;       /* as the first says that says one */
	bool has_other : 1;   /* work that is no copy from or to the host */
	bool has_no_comm : 1; /* work that does not communicate */
	bool is_compute : 1;
};

/* What a convolution's kernels say. */
struct roof_fast {
	struct fastconv half[FASTCONV_HALVES];
};

struct sweeping {
	struct roof *o;
	struct filter_view *v;
	const struct classes *classes;
	const struct roof_owners *owners;
	struct roof_tally *tally; /* by site */
	uint8_t *kernel;          /* by sym */
	sym *module;              /* by site; NULL: not asked for */
	struct keymap messages;   /* struct roof_message */
	struct keymap said;       /* struct reported_cost */
	struct roof_fast *fast;
	size_t nfast, fast_cap;
	bool by_step, keeps_calls;
	uint32_t device; /* index */
	nsec end;        /* of what the device did so far */
};

static const struct roof_op *op_of_site(const struct roof_site *site)
{
	return site->op ? &roof_ops[site->op - 1] : NULL;
}

static bool is_host_copy(struct span name)
{
	enum copy_direction d = copyclass_of(name).direction;

	return d == COPY_HTOD || d == COPY_DTOH || d == COPY_HTOH;
}

/* Only a copy's name says a direction: "Rmsnorm2dFwd" has one by chance. */
static uint8_t ask_kernel(const struct sweeping *s, sym name, bool is_copy)
{
	struct span n = strings_get(&s->o->run->strings, name);
	uint8_t is = KERNEL_ASKED;

	enum roof_dtype format = roof_format_in(n);
	if (format != ROOF_FP32 && format != ROOF_DTYPE_COUNT)
		is = (uint8_t)(is + KERNEL_FORMAT * format);
	if (is_copy && is_host_copy(n))
		is |= KERNEL_HOST_COPY;
	if (roof_element_in(n))
		is |= KERNEL_SAYS_ELEMENT;
	if (fastconv_of(n).kind != FASTCONV_NONE)
		is |= KERNEL_IS_FASTCONV;
	return s->kernel[name] = is;
}

static uint32_t cost_at(struct roof *o, const struct roof_key *key, bool *is_new)
{
	size_t before = o->keys.n;
	uint32_t at = keymap_add(&o->keys, key);

	*is_new = o->keys.n > before;
	if (*is_new) {
		o->cost = array_grow(o->cost, &o->cost_cap, o->keys.n, sizeof(*o->cost));
		o->cost[at] = (struct roof_cost){
			.work = { .flop = -1, .bytes = -1, .dtype = ROOF_DTYPE_COUNT },
			.bus = COMM_BUS_UNKNOWN
		};
	}
	return at;
}

static struct roof_row *row_at(struct roof *o, const struct roof_row_key *key)
{
	size_t before = o->row_keys.n;
	uint32_t at = keymap_add(&o->row_keys, key);

	if (o->row_keys.n > before) {
		o->row = array_grow(o->row, &o->row_cap, o->row_keys.n, sizeof(*o->row));
		o->row[at] = (struct roof_row){ 0 };
	}
	return &o->row[at];
}

static uint32_t step_of(const struct roof *o, uint32_t side)
{
	uint32_t step = NO_ROW;

	if (o->run->steps && o->run->steps->of_device && side != NO_ARGS)
		step = o->run->steps->of_device[side - 1];
	return step == NO_ROW || step >= o->nstep ? (uint32_t)o->nstep : step;
}

static void keep_call(struct roof *o, const struct roof_made *c)
{
	PUSH(o->call, o->ncall, o->call_cap, *c);
}

/* Work that no op launched: a row by its name, each event a call. */
static void count_orphan(
	struct sweeping *s, uint32_t row, nsec own, unsigned is, enum devclass class)
{
	struct roof *o = s->o;
	const struct events *ev = &o->run->events;
	struct roof_key key = { .name = ev->name[row], .flags = ROOF_IS_KERNEL };
	struct roof_row_key row_key = { .device = s->device,
		.step = s->by_step ? 1 + step_of(o, ev->args[row]) : 0 };
	bool is_new;

	if (class == CLASS_COMM) {
		key.flags |= ROOF_IS_COMM;
		key.message = roof_message_at(&s->messages, o->run, 0, row);
	} else {
		key.said = reported_cost_at(&s->said, o->run, row);
	}
	row_key.cost = cost_at(o, &key, &is_new);
	if (is_new && class == CLASS_COMM)
		roof_communicate(&o->cost[row_key.cost], &s->messages, key.message);
	else if (is_new)
		o->cost[row_key.cost].work.why =
			is & KERNEL_HOST_COPY ? ROOF_WHY_HOST_COPY : ROOF_WHY_NO_OP;
	o->has_shapes |= key.said != 0;
	if (is_new && key.said)
		reported_cost_take(&o->cost[row_key.cost].work, &s->said, key.said);
	struct roof_row *at = row_at(o, &row_key);
	at->calls++;
	saturate_onto(&at->busy, ev->dur[row]);
	saturate_onto(&at->own, own);
	if (class == CLASS_COMPUTE)
		saturate_onto(&o->step[step_of(o, ev->args[row])].own, own);
	if (s->keeps_calls)
		keep_call(o,
			&(struct roof_made){
				NO_ROW, row, row_key.cost, s->device, ev->dur[row], own });
}

static void count_site(
	struct sweeping *s, uint32_t site, uint32_t row, nsec own, unsigned is, enum devclass class)
{
	const struct events *ev = &s->o->run->events;
	nsec start = ev->start[row], end = events_end(ev, row);
	struct roof_tally *t = &s->tally[site];

	if (t->device == 0) {
		t->step = step_of(s->o, ev->args[row]);
		t->longest = NO_ROW;
	}
	if (t->device != s->device + 1) {
		t->device = s->device + 1;
		t->end = INT64_MIN;
	}
	if (end > t->end) {
		saturate_onto(&t->busy, saturate_sub(end, MAX(start, t->end)));
		t->end = end;
	}
	saturate_onto(&t->own, own);
	t->has_other |= !(is & KERNEL_HOST_COPY);
	t->has_no_comm |= class != CLASS_COMM;
	t->is_compute |= class == CLASS_COMPUTE;
	if (!t->format)
		t->format = (uint8_t)(is / KERNEL_FORMAT);
	if (!t->kernel && is & KERNEL_SAYS_ELEMENT)
		t->kernel = ev->name[row];
	if (is & KERNEL_IS_FASTCONV) {
		struct fastconv f = fastconv_of(strings_get(&s->o->run->strings, ev->name[row]));

		if (!t->fast) {
			(void)PUSH(s->fast, s->nfast, s->fast_cap, (struct roof_fast){ 0 });
			t->fast = (uint32_t)s->nfast;
		}
		fastconv_add(s->fast[t->fast - 1].half, &f);
	}
	if (class == CLASS_COMM)
		t->message = roof_message_at(&s->messages, s->o->run, t->message, row);
	if (ev->kind[row] == KIND_KERNEL &&
		(t->longest == NO_ROW || ev->dur[row] > ev->dur[t->longest]))
		t->longest = row;
}

static void count_row(struct sweeping *s, uint32_t row)
{
	const struct events *ev = &s->o->run->events;
	nsec start = ev->start[row], end = events_end(ev, row), own = 0;
	enum devclass class = classes_of(s->classes, row);
	uint32_t site = roof_owners_site(s->owners, s->o->run, row);
	unsigned is = s->kernel[ev->name[row]];

	if (!is)
		is = ask_kernel(s, ev->name[row], class == CLASS_MEMCPY);
	if (end > s->end) {
		own = saturate_sub(end, MAX(start, s->end));
		s->end = end;
		saturate_onto(&s->o->busy[s->device], own);
	}
	if (site == ROOF_NO_SITE)
		count_orphan(s, row, own, is, class);
	else
		count_site(s, site, row, own, is, class);
}

static void sweep_devices(struct sweeping *s, struct arena *mem)
{
	struct roof *o = s->o;
	struct sweep sweep;
	uint32_t row;

	for (uint32_t i = 0; i < o->devices.n; i++) {
		sweep_device(&sweep, o->run, o->devices.id[i], mem);
		s->device = i;
		s->end = INT64_MIN;
		while (sweep_next(&sweep, &row))
			if (filter_device(s->v, row))
				count_row(s, row);
	}
}

/* Which of what could make a difference does, for an op of that class. */
static struct roof_key key_of(
	const struct sweeping *s, const struct roof_site *site, const struct roof_tally *t)
{
	const struct run *r = s->o->run;
	uint32_t side = r->events.args[site->args];
	struct roof_key key = { .name = r->events.name[site->row] };
	const struct roof_op *op = op_of_site(site);
	enum roof_class class = op ? op->class : ROOF_CLASS_OTHER;

	if (side != NO_ARGS) {
		key.dims = args_sym(&r->args, ARG_OP_DIMS, side - 1);
		key.types = args_sym(&r->args, ARG_OP_TYPES, side - 1);
		key.strides = args_sym(&r->args, ARG_OP_STRIDES, side - 1);
		key.values = args_sym(&r->args, ARG_OP_CONCRETE, side - 1);
	}
	if (class == ROOF_CLASS_ATTENTION) {
		key.about = site->about;
		key.flags |= site->row < r->events.n ? 0 : ROOF_IS_REPLAYED;
	}
	if (t->format && op && op->unit == ROOF_MATRIX &&
		span_has(strings_get(&r->strings, key.types), "float"))
		key.format = t->format;
	if (!t->has_no_comm) {
		key.flags |= ROOF_IS_COMM;
		key.message = t->message;
	} else if (!t->has_other) {
		key.flags |= ROOF_IS_HOST_COPY;
	}
	if (class == ROOF_CLASS_CONVOLUTION && t->fast)
		memcpy(key.fast, s->fast[t->fast - 1].half, sizeof(key.fast));
	if (class == ROOF_CLASS_OPTIMIZER || (op && op->formula == roof_concatenate))
		key.kernel = t->kernel;
	return key;
}

static enum roof_reason why_none(const struct roof_key *key, const struct roof_op *op)
{
	return !op ? ROOF_WHY_NO_FORMULA : key->dims ? ROOF_WHY_MISFIT : ROOF_WHY_NO_SHAPES;
}

static void work_out(const struct sweeping *s, const struct roof_site *site,
	const struct roof_key *key, struct roof_cost *cost)
{
	const struct strings *texts = &s->o->run->strings;
	const struct roof_op *op = op_of_site(site);
	struct roof_work *w = &cost->work;
	SCOPED_ARENA mem = { 0 };
	struct roof_call call;

	cost->op = op;
	if (key->flags & ROOF_IS_COMM) {
		roof_communicate(cost, &s->messages, key->message);
		return;
	}
	w->why = why_none(key, op);
	if (w->why == ROOF_WHY_MISFIT &&
		roof_call_read(&call, strings_get(texts, key->dims), strings_get(texts, key->types),
			strings_get(texts, key->strides), strings_get(texts, key->values), &mem)) {
		call.name = strings_get(texts, key->name);
		call.about = strings_get(texts, key->about);
		call.is_replayed = (key->flags & ROOF_IS_REPLAYED) != 0;
		call.hint = roof_element_in(strings_get(texts, key->kernel));
		*w = op->formula(op, &call);
	}
	if (key->flags & ROOF_IS_HOST_COPY)
		w->why = ROOF_WHY_HOST_COPY;
	if (w->dtype == ROOF_FP32 && key->format)
		w->dtype = (enum roof_dtype)key->format;
}

static void count_step(struct roof *o, const struct roof_site *site, const struct roof_cost *c,
	const struct roof_tally *t)
{
	struct roof_step *step = &o->step[t->step];
	const struct roof_work *w = &c->work;

	if (!t->is_compute)
		return;
	saturate_onto(&step->own, t->own);
	if (w->flop < 0)
		return;
	saturate_onto(&step->own_known, t->own);
	if (!c->op || c->op->unit != ROOF_MATRIX || w->dtype == ROOF_DTYPE_COUNT)
		return;
	saturate_onto(&step->flop[w->dtype], site->is_again ? 0 : w->flop - w->again);
	saturate_onto(&step->again[w->dtype], site->is_again ? w->flop : w->again);
}

/* What each site's calls cost. */
static void find_costs(struct sweeping *s)
{
	struct roof *o = s->o;

	for (size_t i = 0; i < s->owners->n; i++) {
		const struct roof_site *site = &s->owners->site[i];
		struct roof_tally *t = &s->tally[i];
		bool is_new;

		if (t->device == 0)
			continue;
		struct roof_key key = key_of(s, site, t);
		t->cost = cost_at(o, &key, &is_new);
		if (is_new)
			work_out(s, site, &key, &o->cost[t->cost]);
		o->has_shapes |= key.dims != 0;
	}
	roof_outputs(o->cost, &o->keys, &o->run->strings);
}

/* Sites become rows. */
static void gather(struct sweeping *s)
{
	for (size_t i = 0; i < s->owners->n; i++) {
		const struct roof_site *site = &s->owners->site[i];
		const struct roof_tally *t = &s->tally[i];
		const struct roof_row_key key = { .cost = t->cost,
			.device = t->device - 1,
			.phase = site->phase,
			.is_again = site->is_again,
			.module = s->module ? s->module[i] : 0,
			.step = s->by_step ? 1 + t->step : 0 };

		if (t->device == 0)
			continue;
		struct roof_row *row = row_at(s->o, &key);
		row->calls++;
		saturate_onto(&row->busy, t->busy);
		saturate_onto(&row->own, t->own);
		count_step(s->o, site, &s->o->cost[t->cost], t);
		if (s->keeps_calls)
			keep_call(s->o,
				&(struct roof_made){ site->row, t->longest, t->cost, t->device - 1,
					t->busy, t->own });
	}
}

void roof_init(struct roof *o, const struct run *r, const struct filter_view *v,
	const struct classes *c, const struct peaks_given *given, unsigned by,
	const struct roof_owners *owners, struct arena *mem)
{
	struct filter_view view = *v;
	struct roof_owners own;
	SCOPED_ARENA scratch = { 0 };
	struct sweeping s = { .o = o,
		.v = &view,
		.classes = c,
		.owners = owners ? owners : &own,
		.by_step = by & ROOF_BY_STEP,
		.keeps_calls = by & ROOF_CALLS };

	*o = (struct roof){ .run = r, .nstep = r->steps ? r->steps->n : 0 };
	devices_init(&o->devices, r, mem);
	o->peaks = arena_array(mem, o->devices.n, sizeof(*o->peaks));
	o->busy = arena_array(mem, o->devices.n, sizeof(*o->busy));
	o->step = arena_array(mem, o->nstep + 1, sizeof(*o->step));
	for (size_t i = 0; i < o->devices.n; i++)
		peaks_of_run(&o->peaks[i], r, o->devices.id[i], given);
	keymap_init(&o->keys, sizeof(struct roof_key));
	keymap_init(&o->row_keys, sizeof(struct roof_row_key));
	if (!owners)
		roof_owners_init(&own, r, v, NULL, &scratch);
	s.tally = arena_array(&scratch, s.owners->n, sizeof(*s.tally));
	s.kernel = arena_array(&scratch, r->strings.n, sizeof(*s.kernel));
	if (by & ROOF_BY_MODULE)
		s.module = roof_modules(s.owners, r, &scratch);
	keymap_init(&s.messages, sizeof(struct roof_message));
	keymap_init(&s.said, sizeof(struct reported_cost));
	sweep_devices(&s, &scratch);
	find_costs(&s);
	gather(&s);
	keymap_clear(&s.messages);
	keymap_clear(&s.said);
	free(s.fast);
	if (!owners)
		roof_owners_clear(&own);
}

void roof_clear(struct roof *o)
{
	keymap_clear(&o->keys);
	keymap_clear(&o->row_keys);
	FREE_ALL(o->cost, o->row, o->call);
}

/* ---- how much of what devices can do is used ---- */

size_t roof_alike(const struct roof *o, const struct roof_peaks **peaks)
{
	size_t n = 0;

	*peaks = NULL;
	for (size_t i = 0; i < o->devices.n; i++) {
		if (o->busy[i] == 0)
			continue;
		n++;
		if (!*peaks)
			*peaks = &o->peaks[i];
		if (o->peaks[i].device != (*peaks)->device || o->peaks[i].share != (*peaks)->share)
			return 0;
	}
	return n;
}

double roof_utilisation(const struct roof *o, const int64_t *flop, const int64_t *more, nsec open)
{
	const struct roof_peaks *peaks;
	double s = 0;

	if (open <= 0 || roof_alike(o, &peaks) == 0)
		return NAN;
	for (int i = 0; i < ROOF_DTYPE_COUNT; i++) {
		double n = (double)flop[i] + (more ? (double)more[i] : 0);

		if (n > 0)
			s += n / roof_matrix_peak(peaks, i);
	}
	return s * 1e9 / (double)open;
}
