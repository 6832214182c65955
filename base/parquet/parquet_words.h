/* What Parquet calls things by number, for who writes it and who reads it; and what traceq puts
 * into its files beside.
 *
 * Source: parquet-format, parquet.thrift; thrift, doc/specs/thrift-compact-protocol.md. */
#pragma once

enum thrift_type {
	THRIFT_STOP = 0,
	THRIFT_TRUE = 1,
	THRIFT_FALSE = 2,
	THRIFT_I32 = 5,
	THRIFT_I64 = 6,
	THRIFT_TEXT = 8,
	THRIFT_LIST = 9,
	THRIFT_STRUCT = 12
};

enum parquet_encoding {
	PARQUET_PLAIN = 0,
	PARQUET_RLE = 3,
	PARQUET_DELTA = 5,
	PARQUET_DICTIONARY = 8,
	PARQUET_ENCODINGS = 9
};

enum parquet_physical {
	PARQUET_BOOLEAN = 0,
	PARQUET_INT64 = 2,
	PARQUET_DOUBLE = 5,
	PARQUET_BYTE_ARRAY = 6
};

enum parquet_codec { PARQUET_PACKED_NOT = 0, PARQUET_PACKED_GZIP = 2 };

enum parquet_page { PARQUET_PAGE_DATA = 0, PARQUET_PAGE_DICTIONARY = 2 };

enum { PARQUET_GROUP_ROWS = 1 << 20 };

/* A file of traceq begins so; who wrote a file, its footer says, too. */
#define PARQUET_HEAD   "PAR1traceq"
#define PARQUET_WRITER "traceq"

/* Between the last group and the footer, where Parquet lets anything stand: what is kept for traceq
 * itself, the checksum of each chunk (XXH3, low byte first; group by group), and that of all of
 * this and the footer.  Facts of the footer: how many bytes are kept, how many of them, the last,
 * its job is told by, which table it is, of which
 * version of the schema, and a number that the tables of one run share. */
#define PARQUET_FACT_KEPT   "traceq.kept"
#define PARQUET_FACT_JOB    "traceq.job"
#define PARQUET_FACT_TABLE  "traceq.table"
#define PARQUET_FACT_SCHEMA "traceq.schema"
#define PARQUET_FACT_RUN    "traceq.run"
enum { PARQUET_CHECK_BYTES = 8 };
