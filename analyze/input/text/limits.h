/* What a hostile input may make the reader hold.  Passing one is counted (tally) or an E_LIMIT
 * error, never growth without bound. */
#pragma once

enum {
	WINDOW_BYTES = 512 << 10,     /* text scanned at a time: what a core's cache holds */
	LIMIT_PIECE_BYTES = 4 << 20,  /* what is looked at as a whole, so that it has to fit */
	WINDOW_PADDING = 128,         /* readable bytes behind a window's end, for vector loads */
	LIMIT_EVENT_BYTES = 32 << 20, /* one event, or one element of the array */
	LIMIT_META_BYTES = 4 << 20,   /* one top-level value that is decoded */
	LIMIT_META_VALUE = 64 << 10,  /* of which so much is kept as text */
	LIMIT_META_ENTRIES = 1024,
	LIMIT_META_GPUS = 1024,      /* of deviceProperties */
	LIMIT_NAME_BYTES = 64 << 10, /* names and interned arguments are cut here */
	LIMIT_JSON_DEPTH = 64, /* of text read byte by byte; skipped values may nest at will */
	LIMIT_DOCUMENT_BYTES = 1 << 30, /* a JSON document other than a trace, held as text */
	LIMIT_VALUES = 1 << 25,         /* of a document that are looked at, each time they are */
	LIMIT_LINE_BYTES = 64 << 20,    /* a line of a log */
	LIMIT_BLANK_BYTES = 64 << 20,   /* blanks and NUL in front of any text */
	LIMIT_ALIEN_BYTES = 64 << 20,   /* of a text that is no JSON where a trace is asked for */
	LIMIT_RESYNC_BYTES = 1 << 20    /* how far a repair of one event looks for its end */
};
