/*
 * The tables of `batch`, column by column.  Data only.
 */
#include "analyze/answer/batch/batch.h"
#include "analyze/query/columns.h"

static const char delta[] = "first-order error propagation (delta method)";
static const char squares[] = "least squares over sizes, at least 3 of them";

const struct column batch_answer_columns[BANSWER_COLUMNS] = {
	[BANSWER_SWEET] = COL_INT("sweet_spot", "sweet spot",
		"The smallest batch with a throughput within --epsilon of the best, among those "
		"that keep --slo, --min-throughput and --capacity where these are given.",
		UNIT_COUNT, 0),
	[BANSWER_RATE] = COL_REAL("sweet_samples_per_s", "samples/s there",
		"samples_per_s of the sweet spot.", UNIT_NONE, 0),
	[BANSWER_BEST] = COL_INT("best_batch", "highest throughput",
		"The batch with the highest throughput, whatever it costs: the documents' \"optimal "
		"batch size\".",
		UNIT_COUNT, 0),
	[BANSWER_MIDDLE] = { "middle_batch", "middle size",
		"The size in the middle of the list: what the documents' second script takes as "
		"optimal for the full run.",
		"the week 1 documents, script 02", CELL_INT, UNIT_COUNT, COLUMN_HIDDEN },
	[BANSWER_ALPHA] = { "memory_fixed_bytes", "memory, fixed",
		"Peak device memory without any sample: the intercept of peak over batch size.",
		squares, CELL_REAL, UNIT_BYTES, 0 },
	[BANSWER_BETA] = { "memory_sample_bytes", "memory, a sample",
		"Peak device memory for each sample of a batch: the slope.", squares, CELL_REAL,
		UNIT_BYTES, 0 },
	[BANSWER_R2] = { "memory_r2_ratio", "R2",
		"How much of the variation of the peaks that line explains.", squares, CELL_REAL,
		UNIT_NONE, 0 },
	[BANSWER_CAPACITY] = COL_INT("capacity_bytes", "capacity",
		"Memory of the GPU: --capacity, else as a file says.", UNIT_BYTES, 0),
	[BANSWER_LARGEST] = COL_INT("largest_batch", "largest batch",
		"The largest batch whose peak, by that line, leaves --headroom free.", UNIT_COUNT,
		0),
	[BANSWER_EXPONENT] = { "latency_exponent", "latency ~ batch^",
		"Exponent p of latency of a batch ~ batch^p: the slope of logarithms.", squares,
		CELL_REAL, UNIT_NONE, 0 },
	[BANSWER_WORD] = COL_TEXT("latency_law", "which is",
		"sub-linear: p below 0.9, the GPU has room for more; linear: up to 1.1, it is "
		"saturated; super-linear: above.",
		0),
	[BANSWER_FIXED] = { "latency_fixed_ns", "latency, fixed",
		"Latency of a batch without any sample: the intercept.", squares, CELL_REAL,
		UNIT_NS, COLUMN_HIDDEN },
	[BANSWER_EACH] = { "latency_sample_ns", "latency, a sample",
		"Latency that each further sample adds: the slope.", squares, CELL_REAL, UNIT_NS,
		COLUMN_HIDDEN },
	[BANSWER_GPU] = COL_TEXT("gpu", "GPU", "Its name, if known.", COLUMN_HIDDEN),
};

const struct column batch_size_columns[BSIZE_COLUMNS] = {
	[BSIZE_BATCH] = COL_INT("batch_size", "batch", "Samples in a batch.", UNIT_COUNT, 0),
	[BSIZE_SAMPLE] = COL_REAL("latency_per_sample_ns", "latency/sample",
		"Mean over runs of time over samples.", UNIT_NS, 0),
	[BSIZE_SAMPLE_STD] = COL_REAL("latency_std_ns", "+/-",
		"Standard deviation between runs, as the file says (there: divided by n).", UNIT_NS,
		0),
	[BSIZE_RATE] = COL_REAL("samples_per_s", "samples/s",
		"1 / latency_per_sample_ns: samples over time of all runs.", UNIT_NONE, 0),
	[BSIZE_RATE_STD] = { "samples_per_s_std", "+/-",
		"samples_per_s x latency_std_ns / latency_per_sample_ns.", delta, CELL_REAL,
		UNIT_NONE, 0 },
	[BSIZE_WRITTEN] = COL_REAL("samples_per_s_written", "as written",
		"The file's own throughput: the mean of each run's rate, which is never below "
		"samples_per_s (Jensen).",
		UNIT_NONE, 0),
	[BSIZE_BATCH_NS] = COL_REAL(
		"latency_per_batch_ns", "latency/batch", "Mean time of a batch.", UNIT_NS, 0),
	[BSIZE_PEAK] = COL_REAL("peak_bytes", "peak",
		"Largest device memory of a run (max_memory_allocated), over all runs.", UNIT_BYTES,
		0),
	[BSIZE_EFFICIENCY] = COL_REAL("samples_per_s_per_gib", "per GiB",
		"samples_per_s for each GiB of peak_bytes.", UNIT_NONE, 0),
	[BSIZE_OF_BEST] =
		COL_REAL("best_ratio", "of best", "samples_per_s over the highest.", UNIT_RATIO, 0),
	[BSIZE_MARK] =
		COL_TEXT("mark", "", "sweet spot, highest, or over a limit that was given.", 0),
	[BSIZE_WRITTEN_STD] = COL_REAL("samples_per_s_written_std", "as written +/-",
		"The file's own standard deviation of it.", UNIT_NONE, COLUMN_HIDDEN),
	[BSIZE_USED_STD] = COL_REAL("used_std_bytes", "used +/-",
		"The file's own standard deviation of it, between runs.", UNIT_BYTES,
		COLUMN_HIDDEN),
	[BSIZE_BATCH_STD] = COL_REAL("latency_per_batch_std_ns", "latency/batch +/-",
		"Standard deviation of it between runs, as the file says.", UNIT_NS, COLUMN_HIDDEN),
	[BSIZE_CPU] = COL_REAL("cpu_used_bytes", "host memory",
		"The file's cpu_mem_used: of the process at the end less at the start of a run.",
		UNIT_BYTES, COLUMN_HIDDEN),
	[BSIZE_CPU_STD] = COL_REAL("cpu_used_std_bytes", "host memory +/-",
		"The file's own standard deviation of it, between runs.", UNIT_BYTES,
		COLUMN_HIDDEN),
	[BSIZE_USED] = COL_REAL("used_bytes", "used",
		"The file's gpu_mem_used: allocated at the end less at the start of a run. It is "
		"near 0 in inference and leaves the model out; peak_bytes is the memory that is "
		"needed.",
		UNIT_BYTES, COLUMN_HIDDEN),
	[BSIZE_SEED_EFFICIENCY] = { "documents_efficiency", "documents' efficiency",
		"The documents' throughput / (gpu_mem_used + 1), in MB.",
		"the week 1 documents, memory efficiency chart", CELL_REAL, UNIT_NONE,
		COLUMN_HIDDEN },
	[BSIZE_CV] = COL_REAL("cv_ratio", "CV", "latency_std_ns over latency_per_sample_ns.",
		UNIT_RATIO, COLUMN_HIDDEN),
	[BSIZE_OVERLAPS] = { "overlaps_best", "overlaps best",
		"The 95 % interval of its mean rate and that of the best overlap.",
		"Student's t over runs", CELL_BOOL, UNIT_NONE, COLUMN_HIDDEN },
	[BSIZE_DOCUMENTS] = { "documents_say", "documents say",
		"The documents' rule of thumb: up to 4 too small, 8 to 32 best balance, 64 and more "
		"large; other sizes have no word.",
		"the week 1 documents", CELL_TEXT, UNIT_NONE, COLUMN_HIDDEN },
	[BSIZE_SAMPLES] =
		COL_INT("samples", "samples", "Samples of a run.", UNIT_COUNT, COLUMN_HIDDEN),
	[BSIZE_RUNS] = COL_INT("runs", "runs", "Measured runs.", UNIT_COUNT, COLUMN_HIDDEN),
};

const struct column batch_target_columns[BTARGET_COLUMNS] = {
	[BTARGET_NAME] = COL_TEXT("target", "target",
		"latency: per sample, at most --slo; throughput: at least --min-throughput; memory: "
		"the peak within --capacity less --headroom.",
		0),
	[BTARGET_WANTED] = COL_TEXT("wanted", "wanted", "The limit.", 0),
	[BTARGET_MEASURED] = COL_TEXT("measured", "measured", "At the sweet spot.", 0),
	[BTARGET_BATCH] =
		COL_INT("batch_size", "batch", "The batch it was measured at.", UNIT_COUNT, 0),
	[BTARGET_MET] = COL_TEXT("met", "", "met or NOT MET.", 0),
	[BTARGET_WANTED_VALUE] = COL_REAL("wanted_value", "wanted",
		"The limit in ns, samples per second, or bytes.", UNIT_NONE, COLUMN_HIDDEN),
	[BTARGET_MEASURED_VALUE] = COL_REAL("measured_value", "measured",
		"What was measured, likewise.", UNIT_NONE, COLUMN_HIDDEN),
};
