/* What a script prints of models and a GPU: the memory that each needs, and which of them fit.
 *
 *	DeepSeek-Math-7B            13.0 GB              78.2 GB
 *	DeepSeek-Math-7B (inference)       14.0 GB       ✓ Fits
 *
 * GB are GiB, as in the JSON that the same script writes. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

struct model_table {
	struct reading *in;
	struct sheet *models; /* the artifact's, made with the first row */
	int64_t rows;
};

static bool is_heading(struct span line)
{
	return span_starts(line, "Model ") &&
		(span_has(line, " Inference (fp16)") ||
			(span_has(line, " Required ") && span_has(line, " Status")));
}

/* Takes the last word off a line, and the blanks in front of it. */
static struct span take_word(struct span *line)
{
	*line = span_trim(*line);
	const char *blank = line->n ? memrchr(line->p, ' ', line->n) : NULL;
	struct span word = blank ? span_from(*line, (size_t)(blank + 1 - line->p)) : *line;
	*line = span_trim((struct span){ line->p, line->n - word.n });
	return word;
}

/* Takes "13.0 GB" off the end of a line. */
static bool take_size(struct span *line, double *gb)
{
	struct span rest = *line;

	if (!span_is(take_word(&rest), "GB") || !real_of(take_word(&rest), gb) || !(*gb >= 0))
		return false;
	*line = rest;
	return true;
}

/* Takes "✓ Fits" or "✗ Too large" off the end of a line. */
static bool take_answer(struct span *line, bool *fits)
{
	struct span rest = *line, word = take_word(&rest);

	*fits = span_is(word, "Fits");
	if (!*fits && !(span_is(word, "large") && span_is(take_word(&rest), "Too")))
		return false;
	word = take_word(&rest);
	*line = rest;
	return span_is(word, *fits ? "✓" : "✗");
}

static struct table *new_row(struct model_table *m, struct span name)
{
	if (!m->models)
		m->models = record_sheet(m->in->record, m->in->artifact, SHEET_MODELS);
	if (name.n == 0 || !record_row(m->models))
		return NULL;
	table_text(&m->models->table, MODELS_NAME, record_text(m->in->record, name));
	m->rows++;
	return &m->models->table;
}

static bool put_model(struct model_table *m, struct span line)
{
	double training, inference, required;
	bool fits, is_case = take_answer(&line, &fits);

	if (!take_size(&line, is_case ? &required : &training) ||
		(!is_case && !take_size(&line, &inference)))
		return false;
	struct table *t = new_row(m, line);
	if (!t)
		return false;
	if (is_case) {
		jsondoc_cell(t, MODELS_REQUIRED_BYTES, required, MEASURE_GIB);
		table_bool(t, MODELS_FITS, fits);
	} else {
		jsondoc_cell(t, MODELS_INFERENCE_BYTES, inference, MEASURE_GIB);
		jsondoc_cell(t, MODELS_TRAINING_BYTES, training, MEASURE_GIB);
	}
	return true;
}

static bool put_capacity(struct model_table *m, struct span line)
{
	double gb;

	if (!span_starts(line, "Available GPU Memory:") || !take_size(&line, &gb))
		return false;
	struct sheet *s = record_sheet(m->in->record, m->in->artifact, SHEET_GPUS);
	if (!record_row(s))
		return false;
	jsondoc_cell(&s->table, GPUS_MEMORY_BYTES, gb, MEASURE_GIB);
	m->rows++;
	return true;
}

/* Blank, or a rule of '=' or '-'. */
static bool is_rule(struct span line)
{
	return !ANY(i, line.n, line.p[i] != line.p[0] || (line.p[0] != '=' && line.p[0] != '-'));
}

static enum took read_line(void *ctx, struct span line, const struct lines *l UNUSED)
{
	struct model_table *m = ctx;

	line = span_trim(line);
	if (is_rule(line) || is_heading(line) || span_starts(line, "Model Memory Requirements") ||
		span_starts(line, "Model Compatibility Check"))
		return TOOK;
	return put_model(m, line) || put_capacity(m, line) ? TOOK : TOOK_OTHER;
}

static enum status read_tables(struct reading *in, struct err *e)
{
	struct model_table m = { .in = in };
	struct untaken untaken;

	TRY(reading_lines(in, read_line, &m, &untaken, e));
	reading_artifact(in)->rows = m.rows;
	if (untaken.other.n > 0)
		reading_note(in, NOTE_INFO, "other_lines", untaken.other.n, -1,
			"lines that are not rows of models: %lld", (long long)untaken.other.n);
	return OK;
}

const struct artifact artifact_model_table = {
	.name = "model_table",
	.title = "table of models and what fits",
	.summary = "console output of a GPU profile: memory that models need, which of them fit",
	.line = is_heading,
	.lines = 256,
	.read = read_tables,
	.none = "no row of a model in it",
};
