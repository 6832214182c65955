/* Keys of rows, looked at one by one, and names of steps. */
#include "analyze/input/artifact/logs/log_row.h"

#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/input/text/num.h"

/* --- names of steps --- */

static const struct span names[] = { /* worst first */
	SPAN("update"), SPAN("batch_idx"), SPAN("current_steps"), SPAN("num_updates"),
	SPAN("training_iteration"), SPAN("iter"), SPAN("iteration"), SPAN("train/global_step"),
	SPAN("trainer/global_step"), SPAN("train_step"), SPAN("_step"), SPAN("global_step"),
	SPAN("step")
};

int steps_key_rank(struct span key)
{
	return FIND_VALUE(i, COUNT_OF(names), span_eq(key, names[i]), (int)i + 1, 0);
}

/* The same for a key as it is written. */
static int written_rank(struct span key)
{
	return FIND_VALUE(i, COUNT_OF(names), json_key_is(key, names[i]), (int)i + 1, 0);
}

bool steps_key_find(struct json_value row, double *step)
{
	int best = 0;
	double d;

	for (struct json_items it = json_members(row); json_more(&it);) {
		int rank = written_rank(it.key);

		if (rank > best && it.v.type == JSON_NUMBER && real_of(it.v.text, &d)) {
			best = rank;
			*step = d;
		}
	}
	return best > 0;
}

/* --- rows --- */

/* What loggers of services write with every line, and journals, linters and test runners. */
static const char *const books[] = { "level", "time", "ts", "timestamp", "pid", "tid", "thread",
	"line", "lineno", "status", "code", "port", "size", "id", "version", "errorCount",
	"fatalErrorCount", "warningCount", "fixableErrorCount", "fixableWarningCount", "exitcode",
	"duration", "v" };

static bool is_books(struct span key)
{
	return ANY(i, COUNT_OF(books), json_key_is(key, span_of(books[i])));
}

bool log_row_has_number(struct json_value row)
{
	if (steps_key_find(row, &(double){ 0 }) || log_row_is_metrics(row))
		return true;
	for (struct json_items it = json_members(row); json_more(&it);)
		if ((it.v.type == JSON_NUMBER && !is_books(it.key)) || it.v.type == JSON_ARRAY)
			return true;
	return false;
}

bool log_row_is_metrics(struct json_value row)
{
	if (steps_key_find(row, &(double){ 0 }))
		return true;
	for (struct json_items it = json_members(row); json_more(&it);)
		if (log_word_is_quantity(it.key))
			return true;
	return false;
}

bool log_row_stands_alone(struct json_value row)
{
	bool has_epoch = false, has_quantity = false, has_memory = false;

	if (steps_key_find(row, &(double){ 0 }))
		return true;
	for (struct json_items it = json_members(row); json_more(&it);) {
		bool is_number = it.v.type == JSON_NUMBER;
		bool is_epoch = is_number && json_key_is(it.key, SPAN("epoch"));

		has_epoch |= is_epoch;
		has_quantity |= is_number && !is_epoch && log_word_is_quantity(it.key);
		has_memory |= is_number && json_key_is(it.key, SPAN("allocated_gb"));
	}
	return has_memory || (has_epoch && has_quantity);
}
