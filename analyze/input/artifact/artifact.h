/*
 * Artifacts: what a run leaves behind beside traces, and the list of all kinds.
 *
 * A kind is known by content, never by name.  A new one is one line in ARTIFACTS and a struct: for
 * a JSON document, where its keys and members say all, in documents.c; else in a file read_NAME.c.
 */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"
#include "analyze/input/artifact/head.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/source/source.h"
#include "analyze/trace/columns/sheet.h"
#include "base/base.h"

struct csv_row;
struct run;

/* Kinds of JSON documents are data: by what keys one is known, and which of its members become
 * scalars, series and sheets.  documents.c has the kinds; one reader reads them all. */
enum { DOCUMENT_SIGNS = 3, DOCUMENT_MEMBERS = 9, DOCUMENT_MEASURES = 7 };

/* What a document of the kind looks like.  Keys are listed with blanks between them. */
struct sign {
	enum match sure; /* MATCH_NO behind the last sign */
	size_t least;    /* how many of the keys the object has, or more */
	const char *keys;
	const char *with;     /* and one of these, or NULL */
	const char *without;  /* and none of these, or NULL */
	const char *mentions; /* and one of these anywhere in its beginning, or NULL */
	bool is_list;         /* of the first object of an array, instead */
};

enum member_to {
	TO_CALL,
	TO_SCALARS,
	TO_CONFIG,
	TO_ENV,
	TO_ROWS,      /* a list of objects, each a row of a sheet */
	TO_NAMED_ROWS /* an object of objects; their keys go to the first field's column if it has
	                 the key "" */
};

/* Where a part of the document goes.  One that is absent is passed over. */
struct member {
	const char *at; /* "gpu_info.devices"; "": all of the document; NULL: behind the last */
	enum member_to to;
	const char *name; /* what keys made of it begin with; NULL: `at` */
	const char *skip; /* TO_SCALARS, _CONFIG, _ENV: members that go elsewhere, or nowhere; words
	                     with bars between */
	/* TO_ROWS, TO_NAMED_ROWS */
	enum sheet_table sheet;
	const struct field *field;
	size_t nfield;
	/* TO_CALL: one of the two. */
	void (*call)(struct reading *in, struct json_value v);
	void (*call_named)(struct reading *in, struct span name, struct json_value v);
};

/* The measure of scalars whose keys do not say it; "memory." is all that is below memory. */
struct known_measure {
	const char *key; /* NULL behind the last */
	enum measure measure;
};

struct artifact {
	const char *name;    /* "jsonl_log" */
	const char *title;   /* for people: "training log, one JSON object a line" */
	const char *summary; /* what it is and who writes it, for documentation */
	bool is_setup;       /* it says how runs were made, not what came out */
	bool is_log;  /* it may lie beside several runs, about the machine or what was printed */
	bool is_copy; /* it says again what other files of a run say: read after them, if at all */
	/* Of a JSON document that is data.  It has no read, and a
	 * probe only where its keys are anything. */
	struct sign sign[DOCUMENT_SIGNS];
	struct member member[DOCUMENT_MEMBERS];
	struct known_measure measure[DOCUMENT_MEASURES];
	/* Of others: such a line among its first, a CSV whose first row tells, or what asks all. */
	bool (*line)(struct span line);
	int lines; /* so many are looked at */
	enum match (*heading)(const struct csv_row *row);
	enum match (*probe)(const struct head *h);
	enum status (*read)(struct reading *in, struct err *e);
	/* Of what is read line by line, or as CSV row by row, in place of read.  A reader's state
	 * is zeroes behind the reading that it begins with; begin and end may be NULL. */
	enum took (*take)(void *state, struct span line, const struct lines *l);
	enum took (*take_row)(void *state, struct csv_row *row);
	size_t state;
	void (*begin)(void *state, const void *form);
	const void *form;          /* for begin: which of several that one reader reads */
	void (*end)(void *state);  /* behind what is said of lines that were not taken */
	const char *alien, *other; /* those, as reading_untaken wants it */
	const char *none;          /* the error where no row was read; NULL: that is none */
};

#define TAKES_LINES(type, function) .take = (function), .state = sizeof(type)
#define TAKES_ROWS(type, function)  .take_row = (function), .state = sizeof(type)

#define ARTIFACTS(X)        \
	X(jsonl_log)        \
	X(trainer_state)    \
	X(metric_tracker)   \
	X(distribution)     \
	X(profile)          \
	X(gpu_profile)      \
	X(canary_metrics)   \
	X(run_metrics)      \
	X(profiler_summary) \
	X(stage_times)      \
	X(memory_stats)     \
	X(profiler_report)  \
	X(baseline_metrics) \
	X(epoch_summary)    \
	X(run_config)       \
	X(json_rows)        \
	X(speedscope)       \
	X(memory_timeline)  \
	X(op_csv)           \
	X(sweep_csv)        \
	X(stage_csv)        \
	X(metrics_csv)      \
	X(smi_csv)          \
	X(smi_plain)        \
	X(op_table)         \
	X(text_log)         \
	X(folded)           \
	X(flame_svg)        \
	X(yaml_config)      \
	X(tfevents)         \
	X(label_mappings)   \
	X(dataset_csv)      \
	X(model_table)      \
	X(returned)         \
	X(timers)           \
	X(flight_recorder)  \
	X(bench)            \
	X(mllog)            \
	X(ncu_csv)          \
	X(smi_dmon)         \
	X(process_pmon)     \
	X(smi_dcgm)         \
	X(smi_rocm)         \
	X(smi_amd)          \
	X(smi_dcgm_export)  \
	X(smi_amd_csv)      \
	X(nsys_csv)         \
	X(memory_snapshot)  \
	X(rocprof_stats)    \
	X(smi_json)         \
	X(google_benchmark) \
	X(pytest_benchmark) \
	X(action_benchmark) \
	X(hyperfine)        \
	X(criterion)        \
	X(go_bench)         \
	X(json_figures)     \
	X(bandwidth)        \
	X(nccl_inspector)   \
	X(nccl_ras)         \
	X(aiperf_records)   \
	X(aiperf)           \
	X(openmetrics)      \
	X(pprof)            \
	X(perf_script)      \
	X(pyinstrument)     \
	X(proton)           \
	X(cpuprofile)       \
	X(ascend_csv)       \
	X(otlp_spans)       \
	X(jaeger_spans)     \
	X(torch_trace)      \
	X(mlflow)           \
	X(scalene)          \
	X(v8_log)           \
	X(sacct)            \
	X(traceml)          \
	X(memray)           \
	X(ascend_comms)     \
	X(ascend_matrix)    \
	X(statistics)       \
	X(memray_csv)       \
	X(memray_events)    \
	X(memray_page)

#define X(name) extern const struct artifact artifact_##name;
ARTIFACTS(X)
#undef X

/* All kinds in list order; *n receives how many. */
const struct artifact *const *artifact_all(size_t *n);

/* How sure it is that what begins like that is of this kind. */
enum match artifact_probe(const struct artifact *kind, const struct head *h);

/* Looks at the beginning of a source before anything is read from it: h receives it, *kind what
 * artifact_find says, or NULL for a trace (head_is_trace).  What no kind knows by its first
 * HEAD_BYTES is looked at as far as HEAD_LONG: a document may name itself behind a long member.
 * h borrows from s until its first source_read.  E_IO; E_FORMAT as artifact_find. */
enum status artifact_look(
	struct source *s, struct head *h, const struct artifact **kind, struct err *e) MUST_CHECK;

/* The kind whose probe is surest, or NULL in *kind when none matches.  E_FORMAT, with both in e,
 * when two are equally sure, and more than weakly. */
enum status artifact_find(
	const struct head *h, const struct artifact **kind, struct err *e) MUST_CHECK;

/* Reads the source, which is of that kind, into run->record, made when there is none.  path is for
 * messages.  Damage of the wrapping is in run->tally, and notes of the reader in the record.
 * Errors of the reader; strict: a truncated or damaged file is one. */
enum status merge_artifact(struct source *s, const char *path, const struct head *head,
	const struct artifact *kind, bool is_strict, struct run *run, struct err *e) MUST_CHECK;
