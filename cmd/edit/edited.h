/* What commands that write traces share: options of the file, and the file. */
#pragma once

#include "base/io.h"
#include "base/opt.h"
#include "edit/out/writer.h"
#include "edit/rereadable_trace.h"

struct progress;
struct renderer;

struct edited_options {
	const char *path;  /* -o */
	const char *to;    /* --to */
	const char *level; /* --level */
	int64_t threads;
	bool is_strict, is_quiet;
	bool is_new; /* no option: the file is a new one, and never replaces another */
};

/* The group of these, into struct edited_options. */
extern const struct opt_group edited_group;

/* A trace being written. */
struct edited {
	struct io_file file;
	struct writer w;
	const char *name; /* borrowed: -o, or words */
	bool is_stdout;
};

/* What the options say is sound: E_USAGE without a file to write, for a suffix of no format, a
 * level that is none.  *kind, *is_gzip and *level are what writer_begin wants. */
enum status edited_check(const struct edited_options *o, const struct writer_kind **kind,
	bool *is_gzip, int *level, struct err *e) MUST_CHECK;

/* Opens the file of -o as the options say: io_create, or io_create_new. */
enum status edited_create(
	struct io_file *file, const struct edited_options *o, struct err *e) MUST_CHECK;

/* Opens it and writes its head.  edited_end or edited_drop follow where it was OK. */
enum status edited_begin(struct edited *x, const struct edited_options *o, const struct document *d,
	struct err *e) MUST_CHECK;

/* Ends the file, which is then complete at its place. */
enum status edited_end(struct edited *x, struct err *e) MUST_CHECK;

/* What an error while it is written is about: the file, or the input that is read for it. */
const char *edited_blamed(const struct edited *x, const char *input);

/* Nothing is left of it. */
void edited_drop(struct edited *x);

/* rereadable_open beside the file to be written, or where temporary files go. */
enum status edited_plain(struct rereadable *p, const struct edited_options *o, const char *path,
	const struct load_options *load, struct err *e) MUST_CHECK;

/* The folder of the file to be written, or where temporary files go; malloc'ed. */
char *edited_folder(const struct edited_options *o);

/* What was odd about an input, on stderr. */
void edited_say_odd(const struct edited_options *o, const char *path, const struct tally *odd);

/* What loading takes of these, and who is told how far it is. */
void edited_load(const struct edited_options *o, struct progress *p, struct load_options *to);

/* Of the formats that a trace is written in those of calls: the one that --to or the suffix of -o
 * says, ".gz" left away; NULL: none.  Either may be NULL. */
const struct renderer *callformat_pick(const char *to, const char *path);
