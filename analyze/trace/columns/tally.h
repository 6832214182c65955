/* What was odd about the input, counted by kind, with the first place of each.
 *
 * Nothing is dropped silently: whatever a reader repairs, skips or cannot place is one of these. */
#pragma once

#include "base/base.h"

/* X(NAME, id, weight, text, definition)
 * weight: INFO (format oddity, nothing lost), REPAIRED (read as meant), LOST (an event or value is
 * not in the numbers), BROKEN (the file itself is damaged). */
#define PROBLEMS(X)                                                                                                   \
	X(TRUNCATED_JSON, "truncated_json", BROKEN, "the JSON ends too early",                                        \
		"The text ends inside the document; everything before the cut is analyzed.")                          \
	X(TRUNCATED_TRACE, "truncated_trace", BROKEN, "the trace ends too early",                                     \
		"A binary trace ends in the middle of a record; everything before the cut is analyzed.")              \
	X(DAMAGED_TABLE, "damaged_table", BROKEN, "tables of the database are damaged",                               \
		"SQLite could not read a table to its end; its rows before that are analyzed, and the other tables.") \
	X(TRUNCATED_GZIP, "truncated_gzip", BROKEN, "the compressed stream ends too early",                           \
		"The compressed stream or the archive stops before its end mark; what is there is analyzed.")         \
	X(CORRUPT_GZIP, "corrupt_gzip", BROKEN, "the compressed stream is damaged",                                   \
		"Unpacking failed or the checksum differs; what was unpacked before is analyzed and may be wrong.")   \
	X(GZIP_NO_TRAILER, "gzip_no_trailer", BROKEN, "the gzip trailer is missing",                                  \
		"All data is there, but checksum and length are cut off, so it cannot be verified.")                  \
	X(GZIP_TRAILING, "gzip_trailing", INFO, "bytes after the end of the gzip data",                               \
		"Bytes behind the last gzip member that are no further member; ignored.")                             \
	X(FURTHER_MEMBERS, "further_members", LOST, "other files in the archive are not read",                        \
		"Of an archive that comes through a pipe the first file is read; give the archive by its path.")      \
	X(TRAILING_GARBAGE, "trailing_garbage", INFO, "text after the end of the document",                           \
		"Non-blank text behind the JSON document; ignored.")                                                  \
	X(SECOND_DOCUMENT, "second_document", LOST, "a second document follows; it is not read",                      \
		"Two JSON documents in one file; only the first is analyzed.")                                        \
	X(BROKEN_TAIL, "broken_tail", REPAIRED, "broken metadata after the events",                                   \
		"The text after the traceEvents array is malformed; the events are complete.")                        \
	X(BROKEN_METADATA, "broken_metadata", LOST, "broken metadata before the events",                              \
		"A top-level value before the events is malformed and was skipped.")                                  \
	X(SKIPPED_EVENT, "skipped_event", LOST, "events could not be parsed",                                         \
		"Malformed text; reading resumed at the next event that could be recognised.")                        \
	X(SKIPPED_RECORD, "skipped_record", LOST, "records could not be read",                                        \
		"A record of a binary trace or a row of a database whose fields are damaged or make no sense.")       \
	X(SKIPPED_BYTES, "skipped_bytes", LOST, "bytes skipped while looking for the next event",                     \
		"How many bytes the unparseable events took.")                                                        \
	X(REPAIRED_QUOTE, "repaired_quote", REPAIRED, "strings with unescaped quotes",                                \
		"A quote inside a string was not escaped; the string's end was clear from what follows.")             \
	X(REPAIRED_ESCAPE, "repaired_escape", REPAIRED, "illegal escapes in strings",                                 \
		"A backslash that escapes nothing is kept as it is; half a surrogate pair is U+FFFD.")                \
	X(CONTROL_CHARACTER, "control_character", REPAIRED, "raw control characters in strings",                      \
		"Bytes below 0x20 inside a string; kept, shown escaped.")                                             \
	X(INVALID_UTF8, "invalid_utf8", REPAIRED, "names that are not valid UTF-8",                                   \
		"Distinct texts with invalid bytes; shown as U+FFFD.")                                                \
	X(COMMA, "comma", REPAIRED, "missing, doubled or trailing commas",                                            \
		"Commas between events that the JSON grammar wants otherwise.")                                       \
	X(NOT_AN_OBJECT, "not_an_object", LOST, "elements of traceEvents that are not objects",                       \
		"null, numbers, strings or arrays in place of events; skipped.")                                      \
	X(NO_PHASE, "no_phase", LOST, "events without a known ph",                                                    \
		"ph is absent, not a string, or of no known kind; skipped.")                                          \
	X(NO_TIME, "no_time", LOST, "events without a usable ts",                                                     \
		"ts is absent, null, not a number, or beyond 64-bit nanoseconds; skipped.")                           \
	X(NO_DURATION, "no_duration", LOST, "slices without a duration",                                              \
		"ph X without dur, or dur null: kept as unfinished with duration 0.")                                 \
	X(NEGATIVE_DURATION, "negative_duration", REPAIRED, "negative durations set to 0",                            \
		"Kineto clamps these at 0 since 2024; older versions wrote them.")                                    \
	X(BEGIN_WITHOUT_END, "begin_without_end", REPAIRED, "begun slices that never end",                            \
		"ph B without its E: open until the last event of the lane, marked unfinished.")                      \
	X(END_WITHOUT_BEGIN, "end_without_begin", LOST, "ends without a begin",                                       \
		"ph E with no open slice on its lane; ignored.")                                                      \
	X(DUPLICATE_EVENTS_KEY, "duplicate_trace_events", INFO, "more than one traceEvents array",                    \
		"All of them are read.")                                                                              \
	X(ZERO_TIME_KERNEL, "zero_time_kernel", LOST, "GPU events without a timestamp (ts 0)",                        \
		"CUPTI could not give a timestamp; they are left out of span and totals.")                            \
	X(STRAY, "stray_times", LOST, "events days away from nearly all others, or days long",                        \
		"A day or more, and ten times what 99% of the starts span: a broken time, or its unit; left out.")    \
	X(TOO_DEEP, "too_deep", LOST, "values nested too deep",                                                       \
		"Nesting beyond the limit; the event is skipped.")                                                    \
	X(TOO_LONG, "too_long", LOST, "events too long to read",                                                      \
		"An event or string beyond the limit; skipped.")                                                      \
	X(LOST_PACKETS, "lost_packets", LOST, "places where the recorder lost events",                                \
		"A Perfetto trace says that packets of a writer were dropped before they could be saved.")            \
	X(LOST_STATE, "lost_state", LOST, "events that refer to what was lost",                                       \
		"A Perfetto event whose names or tracks were in packets that are not in the trace; skipped.")         \
	X(UNRELATED_CLOCK, "unrelated_clock", REPAIRED,                                                               \
		"times of a clock that nothing relates to the others",                                                \
		"No snapshot of clocks in a Perfetto trace says how it differs; its times are taken as they are.")    \
	X(OTHER_DATA, "other_data", INFO, "records of other data sources",                                            \
		"What a Perfetto trace holds beside events of programs (ftrace, sys_stats ...) is not read.")         \
	X(TRANSCODED, "transcoded", INFO, "UTF-16 text, read as UTF-8",                                               \
		"The file is UTF-16 (PowerShell writes such files); it was converted while reading.")                 \
	X(OWN_MARKS, "own_marks", INFO, "marks that traceq wrote, which are in no figure",                            \
		"Events of category 'traceq', from cut or merge with --annotate: what was found, beside what happened.")

enum problem_weight { WEIGHT_INFO, WEIGHT_REPAIRED, WEIGHT_LOST, WEIGHT_BROKEN };

#define PROBLEM_ID(name, ...) PROBLEM_##name,
enum problem { PROBLEMS(PROBLEM_ID) PROBLEM_COUNT };

struct problem_info {
	const char *id, *text, *doc;
	enum problem_weight weight;
};
extern const struct problem_info problem_infos[PROBLEM_COUNT];

struct tally {
	int64_t count[PROBLEM_COUNT];
	int64_t offset[PROBLEM_COUNT]; /* of the first, in inflated text; -1 = none or unknown */
	int64_t line[PROBLEM_COUNT];   /* its 1-based line; -1 = unknown */
};

void tally_init(struct tally *t);
/* Counts n more of p.  The smallest offset is kept. */
void tally_add(struct tally *t, enum problem p, int64_t n, int64_t offset);
/* Adds b to a. */
void tally_merge(struct tally *a, const struct tally *b);
