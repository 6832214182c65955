/* What a capture is asked for, and how it travels: one environment variable from the launcher to
 * the library inside the program.  Both sides use this module, so neither can misread the other.
 *
 *   TRACEQ_CAPTURE=v1;out=/data/run_%25p.gz;kinds=127;flush=1000000000;...
 *
 * Values are percent-encoded (';', '%', control bytes).  An unknown version or key is an error:
 * a library of another release must say so instead of recording something else. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAPTURE_VARIABLE "TRACEQ_CAPTURE"
/* The folder in which each recording process keeps a status line; set by the launcher. */
#define CAPTURE_RUN_DIR "TRACEQ_RUN_DIR"

enum { CAPTURE_PATH_MAX = 1024, CAPTURE_WORD_MAX = 256, CAPTURE_WORDS_MAX = 1024 };

/* Says in words[CAPTURE_WORDS_MAX], printf-style, why something failed.  Always false. */
bool capture_fail(char *words, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Kinds of records, as --kinds names them; bits of capture_settings.kinds. */
#define CAPTURE_KINDS(X)           \
	X(KERNEL, "kernel", 1)     \
	X(COPY, "copy", 1)         \
	X(SET, "set", 1)           \
	X(RUNTIME, "runtime", 1)   \
	X(DRIVER, "driver", 1)     \
	X(SYNC, "sync", 1)         \
	X(OVERHEAD, "overhead", 1) \
	X(EVENTS, "events", 0)     \
	X(MEMORY, "memory", 0)     \
	X(ALL_DRIVER, "all-driver", 0)

enum capture_kind_bit {
#define X(id, word, by_default) CAPTURE_BIT_##id,
	CAPTURE_KINDS(X)
#undef X
		CAPTURE_KIND_BITS
};
#define CAPTURE_KIND(id) (UINT32_C(1) << CAPTURE_BIT_##id)

struct capture_settings {
	char out[CAPTURE_PATH_MAX];    /* absolute pattern of file names, see process_identity.h */
	char cupti[CAPTURE_PATH_MAX];  /* libcupti to load; "": search */
	char window[CAPTURE_WORD_MAX]; /* "auto", "profiler" or "nvtx:NAME" */
	int64_t kinds;                 /* bits CAPTURE_KIND(...) */
	int64_t delay_ns;              /* recording starts so long after the start of CUDA */
	int64_t warmup_ns;             /* CUPTI is switched on so much earlier */
	int64_t duration_ns;           /* recording ends so long after its start; 0: at exit */
	int64_t flush_ns;              /* time between two checkpoints */
	int64_t exit_timeout_ns;       /* longest wait for a sign of the worker at exit */
	int64_t nvml_ns;               /* time between two NVML samples; 0: none */
	int64_t buffer_bytes;          /* of one CUPTI buffer */
	int64_t cap_bytes;             /* of all CUPTI buffers and waiting NVTX ranges together */
	int64_t level;                 /* of deflate, 1..9 */
	bool flow;                     /* write flow arrows from launches to device work */
	bool nvtx;                     /* record NVTX ranges */
	bool cpu;                      /* also keep processes that never use CUDA */
	bool graph_whole;              /* one record for each graph launch instead of each node */
};

/* What is recorded when nothing is asked for; out is "". */
void capture_settings_init(struct capture_settings *s);

/* How cap_bytes are shared out: an eighth is for ranges, but CUPTI has two buffers at least. */
size_t capture_ranges_bytes(const struct capture_settings *s);
size_t capture_buffers_bytes(const struct capture_settings *s);

/* The value of CAPTURE_VARIABLE into text[size].  Returns its length, or 0 when it does not fit. */
size_t capture_settings_encode(const struct capture_settings *s, char *text, size_t size);

/* Reads such a value over the defaults.  False with words in error[CAPTURE_WORDS_MAX] when it is
 * malformed, of another version, or has an unknown key; *s is then not to be used. */
bool capture_settings_decode(struct capture_settings *s, const char *text, char *error);

/* Reads a list of kinds: "kernel,copy" are exactly those; "+memory" and "-sync" change the default.
 * "none" is no kind at all.  False with words in error[CAPTURE_WORDS_MAX]; *kinds is untouched. */
bool capture_kinds_parse(const char *list, int64_t *kinds, char *error);
