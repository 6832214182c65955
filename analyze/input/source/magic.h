/* What a file is, by its first bytes; never by its name. */
#pragma once

#include "base/base.h"

enum container {
	CONTAINER_PLAIN,
	CONTAINER_GZIP,
	CONTAINER_ZLIB,
	CONTAINER_ZSTD,
	CONTAINER_XZ,
	CONTAINER_BZIP2,
	CONTAINER_LZ4,
	CONTAINER_ZIP,
	CONTAINER_TAR,
	CONTAINER_DIGESTS, /* records of traces (analyze/trace/digest/digest_files.h) */
	CONTAINER_OTHER    /* another archive or binary format: magic_refuse says which */
};

enum { MAGIC_BYTES = 512 }; /* how much of the beginning the functions here look at */

enum container magic_container(struct span head);

/* "zstd"; constant. */
const char *magic_container_name(enum container c);

enum encoding { ENCODING_UTF8, ENCODING_UTF16LE, ENCODING_UTF16BE };

/* The encoding of a text, and in *skip the length of its byte order mark. */
enum encoding magic_encoding(struct span head, size_t *skip);

/* Says in e what a file that is no trace seems to be and what to do about it: SQLite, protobuf,
 * HTML, Git LFS pointer, gzip inside gzip, ...; always returns E_FORMAT.  `head` is the beginning,
 * inflated where possible. */
enum status magic_refuse(struct span head, struct err *e);

/* The same for what could be unpacked, but for `why`: "traceq was built without libarchive". */
enum status magic_refuse_packed(struct span head, const char *why, struct err *e);

/* The same for a JSON document without trace events, by its outer keys (JSON text of the first
 * bytes): notebook, execution trace, rocprofv3 results, metrics log, ... */
enum status magic_refuse_json(struct span head, struct err *e);

/* A JSON list of numbers and null, and the same for it: nothing says of what. */
/* It is known for something that has no figures of a run, or an answer of traceq itself. */
bool magic_is_alien_json(struct span head);
bool magic_is_numbers(struct span head);
enum status magic_refuse_numbers(struct err *e);

/* The same for JSON that ends, at byte `end`, before its first event: E_TRUNCATED. */
enum status magic_refuse_cut(struct span head, int64_t end, struct err *e);

/* Hints at everything that was tried; e's status. */
enum status magic_tried(struct err *e);
