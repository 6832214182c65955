/* `batch`: what its parts share.  Private to analyze/answer/batch/. */
#pragma once

#include "analyze/analysis/analysis.h"
#include "analyze/stat/line.h"

struct sheet;

struct batch_options {
	const char *epsilon, *slo, *min_throughput, *capacity, *headroom;
	const char *batch; /* of traces: "8,16,32" */
};

/* One batch size that was measured.  NaN: not known. */
struct batch_size {
	int64_t batch, samples, runs; /* -1: not known */
	double sample_ns, sample_std; /* latency per sample, and between runs */
	double batch_ns;              /* per batch */
	double rate, rate_std;        /* samples per second: 1 / latency, by the delta method */
	double written, written_std;  /* as the file says: the mean of each run's own rate */
	double peak;                  /* bytes of device memory at most */
	double used, used_std;        /* as the file says: end less start of a run */
	double batch_std;             /* of batch_ns between runs */
	double cpu, cpu_std;          /* host memory, as the file says: end less start of a run */
};

/* The limits that were asked for. */
struct batch_limits {
	double epsilon;
	double slo;       /* ns per sample */
	double least;     /* samples per second */
	double headroom;  /* share of the capacity that is left free */
	int64_t capacity; /* bytes; 0: not known */
	const char *gpu;  /* its name, or NULL */
	bool has_slo;     /* given: the sweet spot keeps it */
	bool has_least;
};

struct batch {
	struct batch_limits limit;
	const char *kind;     /* of the artifact it is in; NULL: it is of traces */
	struct batch_size *v; /* by batch size, then as in the file */
	size_t n;
	size_t best, sweet, middle; /* indexes; SIZE_MAX: there is none */
	struct line memory;         /* bytes over batch size; NaN: fewer than 3 sizes */
	struct line latency;        /* ns of a batch over batch size */
	double exponent;            /* of the latency of a batch over batch size; NaN: unknown */
};

/* The sizes of a sheet; b->limit stays. */
void batch_read(struct batch *b, const struct sheet *s, struct arena *mem);
/* Best, sweet spot, and the laws.  Scratch from mem. */
void batch_judge(struct batch *b, struct arena *mem);
/* The largest batch within the headroom by the law of memory; -1: not known, or no bound. */
int64_t batch_largest(const struct batch *b);
/* "sub-linear", "linear", "super-linear" or NULL. */
const char *batch_exponent_word(double exponent);
/* The rates of two sizes are the same within their 95% intervals; false when not known. */
bool batch_overlap(const struct batch_size *a, const struct batch_size *b);

/* ---- batch_traces.c: a sweep that was recorded as one trace, or several, for each size ---- */

/* The size that a path says in words such as bs16, batch_32 or batch-size=8, the last of them; -1:
 * none does. */
int64_t batch_of_name(const char *path);

/* The traces of the query as sizes, those of one size as runs of it; b->limit takes the memory of
 * the GPU where it has none.  The size is that of --batch ("8,16,32", one for each input), else of
 * the run's configuration or the trace's metadata, else of its path.  E_USAGE for a malformed
 * --batch or another number of sizes than inputs; E_NODATA when the size of one is not known, or
 * none has steps, or there is but one size. */
enum status batch_read_traces(struct batch *b, const struct query *q, struct result *out,
	struct arena *mem, struct err *e) MUST_CHECK;

#define TABLES_DEF "analyze/answer/batch/batch_tables.def"
#include "base/table_names_impl.h"
