/* Occupancy: names of kernels on tensor cores, and sums weighted by duration.
 *
 * Names are judged by substrings, from the surest to the vaguest: what cannot be one whatever else
 * the name holds, what is one, what usually is none. */
#include "analyze/measure/device/occupancy.h"

#include "analyze/trace/commname.h"
#include "analyze/measure/device/multiprocessor.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/measure/gaps/inflight.h"
#include "analyze/measure/interval.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/run_steps.h"

enum { NAME_LOOKED_AT = 1024 }; /* bytes of a name; templates go on for kilobytes */

static const char never[] = "simt|ffma|splitkreduce|splitkv_combine|dot_do_o|convert_dq|gemv";

static const char always[] =
	/* cuBLAS, cuDNN, CUTLASS: the shape of the instruction, or a word for it */
	"h884|s884|d884|h1688|s1688|c1688|16816|i8816|i16832|161616|tensorop_|tensor16x8|"
	"m16n8k|hmma|gmma|wmma|nvjet|xmma_|dgrad_1x1_stride_2x2|first_layer_wgrad_kernel|"
	"conv1x1|conv2d_c1_k1|direct_group|"
	/* attention */
	"flash_fwd|flash_bwd|flash::|fmha|"
	/* libraries of quantised products */
	"marlin|machete|tinygemm|deep_gemm|"
	/* AMD: matrix instructions of Composable Kernel and MIOpen */
	"mfma|xdl_|xdlops|_gtcx";

static const char usually_not[] =
	"at::native::|sgemm|scudnn|cgemm|gemmk1|elementwise|reduce_kernel|softmax|layer_norm|"
	"layernorm|rmsnorm|rms_norm|batchnorm|bn_fw|bn_bw|cub::|thrust::|rocprim|triton_poi_|"
	"triton_red_|triton_per_|memcpy|memset|copybuffer|fillbuffer|fft2d|nchwtonhwc|"
	"nhwctonchw|offsetskernel|winograd|wgrad_alg0_engine|dgrad_engine|im2col|embedding|"
	"rotary|transpose|multi_tensor_apply|act_and_mul";

/* CUTLASS with a type that only its tensor-core kernels have; Tensile with a matrix instruction. */
static bool is_typed_product(struct span s)
{
	if (span_has(s, "cutlass") && span_has_in(s, "f16|bf16|fp8|e4m3|e5m2|tensor"))
		return true;
	if (span_starts(s, "cijk_") && span_has_in(s, "_mi16x|_mi32x|_mi4x"))
		return true;
	return span_has_in(s, "sm80|sm86|sm89|sm90|sm100|sm103|sm120") &&
		span_has_in(s, "_tn_|_nt_");
}

enum tristate occupancy_tensor_core(struct span name)
{
	char low[NAME_LOOKED_AT];
	struct span s = span_lower(name, low, sizeof(low));

	if (span_has_in(s, never))
		return NO;
	if (span_has_in(s, always) || is_typed_product(s))
		return YES;
	return span_has_in(s, usually_not) || commname_of(name) == COMMNAME_COMM ? NO : NOT_SAID;
}

void tensor_cores_init(struct tensor_cores *t, const struct run *r, struct arena *mem)
{
	*t = (struct tensor_cores){ .run = r, .known = arena_alloc(mem, r->strings.n) };
	FILL(t->known, r->strings.n, TENSOR_CORES_NOT_ASKED);
}

enum tristate tensor_cores_of(struct tensor_cores *t, sym name)
{
	if (t->known[name] == TENSOR_CORES_NOT_ASKED)
		t->known[name] = (int8_t)occupancy_tensor_core(strings_get(&t->run->strings, name));
	return (enum tristate)t->known[name];
}

static double real_or_nan(double v)
{
	return isfinite(v) && v >= 0 ? v : NAN;
}

/* What the profiler says of a launch. */
struct launch {
	uint32_t block[3];
	int64_t registers, shared; /* ARG_UNKNOWN */
	double blocks_per_sm;      /* NaN */
	double percent;            /* as it stands there; NaN */
};

static void read_arg(const void *combination, enum arg arg, void *out, size_t size)
{
	memcpy(out, (const char *)combination + arg_offset(arg), size);
}

static struct launch launch_of(const void *combination)
{
	struct launch l;

	read_arg(combination, ARG_DEVICE_BLOCK, l.block, sizeof(l.block));
	read_arg(combination, ARG_DEVICE_REGISTERS, &l.registers, sizeof(l.registers));
	read_arg(combination, ARG_DEVICE_SHARED, &l.shared, sizeof(l.shared));
	read_arg(combination, ARG_DEVICE_BLOCKS_PER_SM, &l.blocks_per_sm, sizeof(l.blocks_per_sm));
	read_arg(combination, ARG_DEVICE_OCCUPANCY, &l.percent, sizeof(l.percent));
	l.blocks_per_sm = real_or_nan(l.blocks_per_sm);
	return l;
}

/* What is less is written as 0%. */
#define ROUNDS_UP 0.005

/* The profiler's own formula, with the shared memory a block may in fact have; NaN where something
 * is not known. */
static double computed(const struct multiprocessor *mp, const struct launch *l)
{
	int64_t threads = saturate_times(saturate_times(l->block[0], l->block[1]), l->block[2]);
	int64_t held = mp ? multiprocessor_holds(mp, threads, l->registers, l->shared) : 0;

	if (held == 0 || isnan(l->blocks_per_sm))
		return NAN;
	return fmin((double)held, l->blocks_per_sm) * (double)threads / (double)mp->threads;
}

/* Whether a kernel that ran with so many blocks can have had 0%. */
static bool may_be_zero(const struct multiprocessor *mp, const struct launch *l)
{
	enum { FEWEST_THREADS = 32, MOST_THREADS = 2048 };
	double threads = (double)l->block[0] * l->block[1] * l->block[2];
	double most = mp ? (double)mp->threads : MOST_THREADS;

	threads = threads > 0 ? threads : FEWEST_THREADS;
	return isnan(l->blocks_per_sm) || fmin(l->blocks_per_sm, 1) * threads / most < ROUNDS_UP;
}

static double achieved_of(const struct multiprocessor *mp, const struct launch *l)
{
	if (l->percent > 0 || isnan(l->percent))
		return isfinite(l->percent) ? l->percent / 100 : NAN;
	double ratio = computed(mp, l);
	if (!isnan(ratio))
		return ratio < ROUNDS_UP && l->percent >= 0 ? 0 : ratio;
	return l->percent >= 0 && may_be_zero(mp, l) ? 0 : NAN;
}

/* The launch arguments of a row, or NULL. */
static const void *combination_of(const struct run *r, uint32_t row)
{
	const struct arg_set *set = &r->args.set[SET_KERNEL];
	uint32_t side = r->events.args[row];

	return side == NO_ARGS || !set->of ? NULL : keymap_key(&set->values, set->of[side - 1]);
}

double occupancy_blocks_per_sm(const struct run *r, uint32_t row)
{
	uint32_t side = r->events.args[row];

	return side == NO_ARGS
		? NAN
		: real_or_nan(args_f64(&r->args, ARG_DEVICE_BLOCKS_PER_SM, side - 1));
}

double occupancy_achieved_ratio(const struct run *r, uint32_t row)
{
	const void *c = combination_of(r, row);
	struct multiprocessor mp;

	if (!c)
		return NAN;
	struct launch l = launch_of(c);
	return achieved_of(multiprocessor_of(&r->meta, &mp) ? &mp : NULL, &l);
}

static void add_known(struct occupancy *o, double blocks, double achieved, nsec sum)
{
	if (!isnan(blocks)) {
		saturate_onto(&o->blocks_ns, sum);
		o->blocks += blocks * (double)sum;
		o->filled += fmin(blocks, 1) * (double)sum;
		if (blocks < 1)
			saturate_onto(&o->below_one_ns, sum);
	}
	if (!isnan(achieved)) {
		saturate_onto(&o->achieved_ns, sum);
		o->achieved += achieved * (double)sum;
	}
}

static void add_time(struct occupancy *o, enum tristate tc, int64_t n, nsec sum)
{
	o->kernels += n;
	saturate_onto(&o->ns, sum);
	o->tensor_ns[1 + (int)tc] = saturate_add(o->tensor_ns[1 + (int)tc], sum);
}

void occupancy_add_alike(struct occupancy *o, const struct run *r, uint32_t row, enum tristate tc,
	int64_t n, nsec sum)
{
	add_time(o, tc, n, sum);
	add_known(o, occupancy_blocks_per_sm(r, row), occupancy_achieved_ratio(r, row), sum);
}

void occupancy_known_init(struct occupancy_known *k, const struct run *r, struct arena *mem)
{
	const struct keymap *all = &r->args.set[SET_KERNEL].values;
	struct multiprocessor mp;
	bool is_known = multiprocessor_of(&r->meta, &mp);

	*k = (struct occupancy_known){ .run = r };
	if (!args_keeps(&r->args, ARG_DEVICE_OCCUPANCY))
		return;
	k->blocks = arena_array(mem, all->n, sizeof(*k->blocks));
	k->achieved = arena_array(mem, all->n, sizeof(*k->achieved));
	for (uint32_t i = 0; i < all->n; i++) {
		const struct launch l = launch_of(keymap_key(all, i));

		k->blocks[i] = l.blocks_per_sm;
		k->achieved[i] = achieved_of(is_known ? &mp : NULL, &l);
	}
}

/* What one of the two arrays says of a row. */
HOT_INLINE double known_at(const struct occupancy_known *k, const double *by, uint32_t row)
{
	const uint32_t *of = k->run->args.set[SET_KERNEL].of;
	uint32_t side = k->run->events.args[row];

	return by && side != NO_ARGS ? by[of ? of[side - 1] : 0] : NAN;
}

void occupancy_add(
	struct occupancy *o, const struct occupancy_known *k, uint32_t row, enum tristate tc)
{
	nsec dur = k->run->events.dur[row];

	add_time(o, tc, 1, dur);
	add_known(o, known_at(k, k->blocks, row), known_at(k, k->achieved, row), dur);
}

static double mean(double sum, nsec ns)
{
	return ns > 0 ? sum / (double)ns : NAN;
}

double occupancy_mean_blocks(const struct occupancy *o)
{
	return mean(o->blocks, o->blocks_ns);
}

double occupancy_mean_achieved(const struct occupancy *o)
{
	return mean(o->achieved, o->achieved_ns);
}

double occupancy_tensor_ratio(const struct occupancy *o, double *most)
{
	double yes = (double)o->tensor_ns[1 + YES];

	*most = mean(yes + (double)o->tensor_ns[1 + NOT_SAID], o->ns);
	return mean(yes, o->ns);
}

/* Kernels that run at the moment of a sweep. */
struct running {
	struct inflight inflight; /* value: blocks per SM */
	double sum;               /* of them */
	nsec at;
	const struct interval *window;
	size_t nwindow, next; /* windows before `next` are over */
	double *out;
};

/* Adds value x time in [from, to) to the windows it meets. */
static void fill_windows(struct running *a, nsec from, nsec to, double value)
{
	while (a->next < a->nwindow && a->window[a->next].end <= from)
		a->next++;
	for (size_t i = a->next; i < a->nwindow && a->window[i].start < to; i++) {
		nsec start = MAX(from, a->window[i].start);
		nsec end = MIN(to, a->window[i].end);

		if (end > start)
			a->out[i] += value * (double)saturate_sub(end, start);
	}
}

/* Lets time pass up to t: kernels end one after the other. */
static void advance(struct running *a, nsec t)
{
	while (a->inflight.n > 0 && a->at < t) {
		nsec to = MIN(a->inflight.v[0].end, t);

		if (to > a->at)
			fill_windows(a, a->at, to, MIN(a->sum, 1));
		a->at = MAX(to, a->at);
		while (a->inflight.n > 0 && a->inflight.v[0].end <= a->at)
			a->sum -= inflight_pop(&a->inflight).value;
		if (a->inflight.n == 0)
			a->sum = 0; /* no rounding errors are carried on */
	}
	a->at = MAX(t, a->at);
}

static bool counts(const struct run *r, const struct filter_view *v, uint32_t row)
{
	const struct events *ev = &r->events;

	if (ev->kind[row] != KIND_KERNEL || ev->dur[row] == 0)
		return false;
	return !v || ((v->kinds & KIND_BIT(KIND_KERNEL)) && (!v->lane || v->lane[ev->lane[row]]));
}

void occupancy_sm_efficiency(const struct run *r, int64_t device, const struct filter_view *v,
	const struct interval *window, size_t n, double *out)
{
	struct running a = { .at = INT64_MIN, .window = window, .nwindow = n, .out = out };
	struct occupancy_known all;
	struct arena mem = { 0 };
	struct sweep sweep;
	bool known = false;
	uint32_t row;

	FILL(out, n, 0);
	occupancy_known_init(&all, r, &mem);
	sweep_device(&sweep, r, device, &mem);
	while (all.blocks && sweep_next(&sweep, &row)) {
		double blocks;

		if (!counts(r, v, row) || isnan(blocks = known_at(&all, all.blocks, row)))
			continue;
		known = true;
		advance(&a, r->events.start[row]);
		a.sum += blocks;
		inflight_push(&a.inflight,
			(struct inflight_item){
				.end = events_end(&r->events, row), .value = blocks });
	}
	advance(&a, INT64_MAX);
	inflight_clear(&a.inflight);
	arena_clear(&mem);
	for (size_t i = 0; i < n; i++) {
		nsec length = saturate_sub(window[i].end, window[i].start);

		out[i] = known && length > 0 ? out[i] / (double)length : NAN;
	}
}

/* ---- estimated SM efficiency over steps ---- */

double efficiency_within(const struct run *r, int64_t device, const struct filter_view *v,
	const struct intervals *set, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	double *each = arena_array(mem, set->n, sizeof(*each));

	if (set->n == 0)
		return NAN;
	occupancy_sm_efficiency(r, device, v, set->v, set->n, each);
	double sum = SUM(double, i, set->n, each[i] * (double)(set->v[i].end - set->v[i].start));
	arena_reset(mem, mark);
	return sum / (double)intervals_length(set);
}

void efficiency_init(
	struct efficiency *e, const struct run *r, const struct filter_view *v, struct arena *mem)
{
	struct intervals steps = { 0 };

	for (size_t i = 0; i < r->steps->n; i++)
		if (!v->step || v->step[i])
			intervals_add(&steps, r->steps->step[i].start, r->steps->step[i].end);
	intervals_unite(&steps);
	devices_init(&e->devices, r, mem);
	e->mean = arena_array(mem, e->devices.n, sizeof(*e->mean));
	for (size_t i = 0; i < e->devices.n; i++)
		e->mean[i] = efficiency_within(r, e->devices.id[i], v, &steps, mem);
	intervals_clear(&steps);
}

double efficiency_of(const struct efficiency *e, int64_t device)
{
	size_t i = devices_find(&e->devices, device);

	return i == SIZE_MAX ? NAN : e->mean[i];
}
