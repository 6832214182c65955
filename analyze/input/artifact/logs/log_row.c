/*
 * Keys of rows, looked at one by one.
 */
#include "analyze/input/artifact/logs/log_row.h"

#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/input/artifact/logs/steps_key.h"
#include "base/compiler.h"

/* What loggers of services write with every line, and journals, linters and test runners. */
static const char *const books[] = { "level", "time", "ts", "timestamp", "pid", "tid", "thread",
	"line", "lineno", "status", "code", "port", "size", "id", "version", "errorCount",
	"fatalErrorCount", "warningCount", "fixableErrorCount", "fixableWarningCount", "exitcode",
	"duration", "v" };

static bool is_books(struct span key)
{
	size_t i;

	for (i = 0; i < COUNT_OF(books); i++)
		if (json_key_is(key, span_of(books[i])))
			return true;
	return false;
}

bool log_row_has_number(struct json_value row)
{
	struct span it = row.text, key;
	struct json_value v;

	if (steps_key_find(row, &(double){ 0 }) || log_row_is_metrics(row))
		return true;
	while (row.type == JSON_OBJECT && json_next(&it, &key, &v))
		if ((v.type == JSON_NUMBER && !is_books(key)) || v.type == JSON_ARRAY)
			return true;
	return false;
}

bool log_row_is_metrics(struct json_value row)
{
	struct span it = row.text, key;
	struct json_value v;

	if (steps_key_find(row, &(double){ 0 }))
		return true;
	while (row.type == JSON_OBJECT && json_next(&it, &key, &v))
		if (log_word_is_quantity(key))
			return true;
	return false;
}

bool log_row_stands_alone(struct json_value row)
{
	struct span it = row.text, key;
	struct json_value v;
	bool has_epoch = false, has_quantity = false, has_memory = false;

	if (steps_key_find(row, &(double){ 0 }))
		return true;
	while (row.type == JSON_OBJECT && json_next(&it, &key, &v)) {
		if (v.type != JSON_NUMBER)
			continue;
		if (json_key_is(key, SPAN("epoch")))
			has_epoch = true;
		else
			has_quantity = has_quantity || log_word_is_quantity(key);
		has_memory = has_memory || json_key_is(key, SPAN("allocated_gb"));
	}
	return has_memory || (has_epoch && has_quantity);
}
