/*
 * The tables of `memory`, column by column.  Data only.
 */
#include "analyze/answer/memory/memory.h"
#include "analyze/query/columns.h"

static const char records[] = "torch [memory] events: c10 reportMemoryUsageToProfiler";
static const char plugin[] =
	"torch_tb_profiler memory_parser.py, whose record is of the deepest op";

#define WHO COL_TEXT("device", "device", "Whose memory: the kind of device and its number.", 0)

const struct column memory_peak_columns[MPEAK_COLUMNS] = {
	[MPEAK_DEVICE] = WHO,
	[MPEAK_ALLOCATED] = { "peak_allocated_bytes", "peak",
		"Largest Total Allocated; absent in traces that do not have it.", records, CELL_INT,
		UNIT_BYTES, 0 },
	[MPEAK_GROWTH] = COL_INT("peak_growth_bytes", "above start",
		"That less what was allocated before the first record; in traces without Total "
		"Allocated the largest sum of Bytes since the begin.",
		UNIT_BYTES, 0),
	[MPEAK_RESERVED_THEN] = { "reserved_at_peak_bytes", "reserved",
		"Total Reserved at that moment: what the allocator held.", records, CELL_INT,
		UNIT_BYTES, 0 },
	[MPEAK_UNUSED] = COL_INT("unused_at_peak_bytes", "unused",
		"reserved_at_peak_bytes less peak_allocated_bytes: cached, or lost to "
		"fragmentation.",
		UNIT_BYTES, 0),
	[MPEAK_UNUSED_RATIO] = COL_REAL(
		"unused_at_peak_ratio", "%", "That over reserved_at_peak_bytes.", UNIT_RATIO, 0),
	[MPEAK_CAPACITY_RATIO] = COL_REAL("capacity_ratio", "of device",
		"Largest Total Reserved over the memory of the device.", UNIT_RATIO, 0),
	[MPEAK_STEP] = COL_INT("step", "step", "The step of the peak.", UNIT_NONE, 0),
	[MPEAK_AT] = COL_INT(
		"at_ns", "at", "When it is, from the first event of the trace.", UNIT_NS, 0),
	[MPEAK_OP] = { "op", "in",
		"The deepest op of the record's own thread at that moment, else the annotation.",
		plugin, CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC },
	[MPEAK_RESERVED] = { "peak_reserved_bytes", "peak reserved", "Largest Total Reserved.",
		records, CELL_INT, UNIT_BYTES, COLUMN_HIDDEN },
	[MPEAK_TYPE] = COL_INT("device_type", "device type",
		"c10::DeviceType: 0 is the CPU, 1 CUDA.", UNIT_NONE, COLUMN_HIDDEN),
	[MPEAK_ID] = COL_INT("device_id", "device id", "Device Id.", UNIT_NONE, COLUMN_HIDDEN),
	[MPEAK_EVENTS] =
		COL_INT("events", "events", "[memory] records.", UNIT_COUNT, COLUMN_HIDDEN),
	[MPEAK_ALLOCS] = COL_INT("allocations", "allocations", "Records with Bytes above 0.",
		UNIT_COUNT, COLUMN_HIDDEN),
	[MPEAK_FREES] =
		COL_INT("frees", "frees", "Records with Bytes below 0.", UNIT_COUNT, COLUMN_HIDDEN),
	[MPEAK_ALLOC_BYTES] = COL_INT(
		"alloc_bytes", "allocated", "Sum of Bytes above 0.", UNIT_BYTES, COLUMN_HIDDEN),
	[MPEAK_FREE_BYTES] = COL_INT("free_bytes", "freed",
		"Sum of Bytes below 0, without the sign.", UNIT_BYTES, COLUMN_HIDDEN),
	[MPEAK_OOMS] = COL_INT("out_of_memory", "out of memory", "[OutOfMemory] records.",
		UNIT_COUNT, COLUMN_HIDDEN),
	[MPEAK_START] = COL_INT("start_ns", "start", "Time of the peak, as in the file.",
		UNIT_TIMESTAMP, COLUMN_HIDDEN),
	[MPEAK_CAPACITY] = COL_INT("capacity_bytes", "capacity", "totalGlobalMem of the device.",
		UNIT_BYTES, COLUMN_HIDDEN),
};

const struct column memory_trend_columns[MTREND_COLUMNS] = {
	[MTREND_DEVICE] = WHO,
	[MTREND_SIGN] = COL_TEXT("sign", "sign",
		"leak: grew by more than 1 MiB and 0.1 % of the peak, with p below 0.01; "
		"rising: grew at each step, but the steps are too few for that; "
		"one-time rise: at least 80 % of the growth lies between two steps; reserved "
		"rises: allocated does not grow, reserved does; steady: none of these.",
		0),
	[MTREND_SLOPE] = { "slope_bytes_per_step", "per step",
		"Growth of allocated at the ends of steps: the median of the slopes between "
		"all pairs of them.",
		"Theil 1950, Sen 1968", CELL_REAL, UNIT_BYTES, 0 },
	[MTREND_SLOPE_LO] = { "slope_lo_bytes_per_step", "at least",
		"Lower end of the 95 % interval of the slope; absent when the steps are too few.",
		"Sen 1968; scipy.stats.theilslopes", CELL_REAL, UNIT_BYTES, 0 },
	[MTREND_SLOPE_HI] = { "slope_hi_bytes_per_step", "at most",
		"Upper end of the 95 % interval of the slope; absent when the steps are too few.",
		"Sen 1968; scipy.stats.theilslopes", CELL_REAL, UNIT_BYTES, 0 },
	[MTREND_STEPS] = COL_INT("steps", "steps",
		"Steps looked at; the first is set aside when 5 remain.", UNIT_COUNT, 0),
	[MTREND_FIRST] = COL_INT("first_bytes", "first",
		"Allocated at the end of the first of them.", UNIT_BYTES, 0),
	[MTREND_LAST] = COL_INT("last_bytes", "last", "At the end of the last.", UNIT_BYTES, 0),
	[MTREND_P] = { "p_value", "p",
		"Of no trend: the Mann-Kendall test, two-sided; exact without ties up to 50 steps.",
		"Mann 1945, Kendall 1975", CELL_REAL, UNIT_NONE, 0 },
	[MTREND_RESERVED] = COL_REAL("reserved_slope_bytes_per_step", "reserved per step",
		"The same slope of reserved.", UNIT_BYTES, 0),
};

const struct column memory_op_columns[MOP_COLUMNS] = {
	[MOP_DEVICE] = WHO,
	[MOP_SELF] = { "self_alloc_bytes", "self alloc",
		"Bytes allocated while the op was the deepest op (of a thread without op: the "
		"annotation) on the record's own thread.",
		plugin, CELL_INT, UNIT_BYTES, 0 },
	[MOP_SHARE] = COL_REAL(
		"share_ratio", "%", "self_alloc_bytes over all bytes allocated.", UNIT_RATIO, 0),
	[MOP_SELF_NET] = COL_INT("self_net_bytes", "self net",
		"The same less the bytes freed in it.", UNIT_BYTES, 0),
	[MOP_ALLOCS] = COL_INT("self_allocations", "count", "How many allocations.", UNIT_COUNT, 0),
	[MOP_TOTAL] = { "total_alloc_bytes", "total alloc",
		"Bytes allocated while such an op ran on that thread, by itself or below; of "
		"nested ones of a name once.",
		plugin, CELL_INT, UNIT_BYTES, 0 },
	[MOP_TOTAL_NET] = COL_INT(
		"total_net_bytes", "total net", "The same less the bytes freed.", UNIT_BYTES, 0),
	[MOP_TOTAL_ALLOCS] = COL_INT("total_allocations", "total count", "How many allocations.",
		UNIT_COUNT, COLUMN_HIDDEN),
	[MOP_NAME] =
		COL_TEXT("name", "op", "Name of the op; absent: outside of ops.", COLUMN_ELASTIC),
};

const struct column memory_live_columns[MLIVE_COLUMNS] = {
	[MLIVE_DEVICE] = WHO,
	[MLIVE_BYTES] = COL_INT("live_bytes", "alive",
		"Bytes allocated in the trace and not freed before the peak.", UNIT_BYTES, 0),
	[MLIVE_SHARE] = COL_REAL("share_ratio", "%", "Of allocated at the peak.", UNIT_RATIO, 0),
	[MLIVE_BLOCKS] = COL_INT("blocks", "blocks", "How many blocks.", UNIT_COUNT, 0),
	[MLIVE_NAME] = COL_TEXT("name", "allocated in",
		"The deepest op that allocated them; absent: outside of ops.", COLUMN_ELASTIC),
};

const struct column memory_curve_columns[MCURVE_COLUMNS] = {
	[MCURVE_DEVICE] = WHO,
	[MCURVE_AT] = COL_INT("at_ns", "at", "From the first event of the trace.", UNIT_NS, 0),
	[MCURVE_STEP] = COL_INT("step", "step", "The step it is in.", UNIT_NONE, 0),
	[MCURVE_ALLOCATED] = { "allocated_bytes", "allocated",
		"Total Allocated after the record; in traces without it the sum of Bytes since "
		"the begin.",
		records, CELL_INT, UNIT_BYTES, 0 },
	[MCURVE_RESERVED] = { "reserved_bytes", "reserved", "Total Reserved after the record.",
		records, CELL_INT, UNIT_BYTES, 0 },
	[MCURVE_BYTES] = COL_INT("change_bytes", "change",
		"Bytes of the record: above 0 allocated, below 0 freed.", UNIT_BYTES, 0),
	[MCURVE_START] = COL_INT("start_ns", "start", "Time of the record, as in the file.",
		UNIT_TIMESTAMP, COLUMN_HIDDEN),
};
