/*
 * Kinds of JSON documents as data: by what keys one is known, and which of its members become
 * scalars, series and sheets.  documents.c has the kinds; one reader here reads them all.
 */
#ifndef ANALYZE_INPUT_ARTIFACT_ARTIFACT_DOCUMENT_H
#define ANALYZE_INPUT_ARTIFACT_ARTIFACT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/input/artifact/head.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/artifact_reading.h"
#include "analyze/trace/columns/sheet.h"

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
	const char *skip; /* TO_SCALARS, _CONFIG, _ENV: members that go elsewhere, or nowhere; each
	                     word with a blank around it */
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

/* The first sign that holds decides. */
enum match document_probe(const struct sign sign[DOCUMENT_SIGNS], const struct head *h);

/* As read of struct artifact; members in their order. */
enum status document_read(const struct member member[DOCUMENT_MEMBERS],
	const struct known_measure measure[DOCUMENT_MEASURES], struct reading *in,
	struct err *e) MUST_CHECK;

#endif
