/* JSON documents other than traces: checked as a whole, then taken apart into a record. */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"
#include "analyze/input/text/json_text.h"
#include "base/table.h"

enum { JSONDOC_KEY = 1024 };

/* The document being read, whole and well-formed (NaN, Infinity and trailing commas are fine; text
 * behind it is noted).  E_SYNTAX with the place and what was expected there, E_TRUNCATED where it
 * ends too early, E_LIMIT. */
enum status jsondoc_read(struct reading *in, struct json_value *doc, struct err *e) MUST_CHECK;

/* A number: of a JSON number, NaN, Infinity, or a string that holds one ("default=str" writes
 * such).  False for anything else. */
bool jsondoc_number(struct json_value v, double *d);

/* The text of a string, unescaped; of a number or word as written; in the record's memory. */
struct span jsondoc_text(struct reading *in, struct json_value v);

/* The name that a member's key stands for, unescaped, behind `prefix` and a dot where that is not
 * empty: those are cut at JSONDOC_KEY bytes.  Where it was, or in in->mem, which who goes through
 * many members resets behind each. */
struct span jsondoc_key(struct reading *in, struct span prefix, struct span key);

/* The key that JSON of a tool has for what it prints as a title, with `end` behind: "Request
 * Latency" is request_latency. */
struct span jsondoc_key_of_title(struct span title, const char *end, struct arena *mem);

/* A number, text, answer or null as a scalar of `to`. */
void jsondoc_scalar(struct reading *in, struct scalars *to, struct span key, struct json_value v);

/* Everything in a value: numbers, texts and answers as scalars of `to` under `key`, members of
 * objects under "key.member", lists of numbers as series, lists of lists as samples, lists of
 * objects as one series a member. */
void jsondoc_flatten(struct reading *in, struct scalars *to, struct span key, struct json_value v);

/* The same for each member of an object but those in `skip`, words with bars between. */
void jsondoc_members(struct reading *in, struct scalars *to, struct span key,
	struct json_value object, const char *skip);

/*
 * Members of an object to cells of a sheet's newest row.  A key with dots goes into nested objects.
 */
struct field {
	const char *key;
	size_t col;
	enum measure measure; /* of the file's number; the cell is in base units */
};
void jsondoc_fields(struct reading *in, struct table *t, const struct field *f, size_t n,
	struct json_value object);

/* The value at "a.b.c" in an object. */
struct json_value jsondoc_at(struct json_value object, const char *path);

/* Sets a cell of the newest row from a number of that measure, by the column's type. */
void jsondoc_cell(struct table *t, size_t col, double v, enum measure m);

/* Adds a list of numbers to a series, at 0, 1, ... */
void jsondoc_series(struct series *s, struct json_value list);

/* A list of numbers, or of lists of them, as rows of a sheet of samples; name is borrowed. */
void jsondoc_samples(struct sheet *s, struct span name, struct json_value list, double step);

/* A list of objects, as a log has them: one series a member, positions by the step each names, else
 * rows.  Keys get `prefix` and a dot in front, if it is not empty. */
void jsondoc_rows(struct reading *in, struct span prefix, struct json_value list);
