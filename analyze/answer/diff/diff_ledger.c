/*
 * `diff`: the ledger of both sides as a table.
 */
#include "analyze/answer/diff/diff.h"

static void put_row(struct diff *d, struct table *t, const struct contrast_part *p)
{
	int64_t whole = d->c.ledger.now - d->c.ledger.base, delta = p->now - p->base;

	TABLE_ROW(t, [DLED_PART] = cell_textf(t, "%s%s", p->is_detail ? "  " : "", p->word),
		[DLED_BASE] = cell_int(p->base), [DLED_NEW] = cell_int(p->now),
		[DLED_DELTA] = cell_int(delta),
		[DLED_SHARE] = CELL_IF(whole != 0, cell_real((double)delta / (double)whole)),
		[DLED_KEY] = cell_word(p->key), [DLED_DETAIL] = cell_bool(p->is_detail));
}

#define SUM   "step = compute + exposed comm + exposed memcpy + GPU idle"
#define IDLE  "; indented: what the host does while the GPU is idle"
#define RANKS "imbalance is what the slowest rank's step takes more than the mean one's"
static const char device[] = "means over steps and devices; " SUM ", exactly" IDLE;
static const char host[] = "means over steps; the phases of the main thread add up to the step";
static const char ranks[] =
	"means over steps, ranks and devices; " SUM " + imbalance, exactly; " RANKS IDLE;
static const char ranks_host[] =
	"means over steps and ranks; the phases of the main thread and imbalance add up; " RANKS;

void diff_put_ledger(struct diff *d)
{
	const struct contrast_ledger *l = &d->c.ledger;
	const struct table_doc *doc = &diff_docs[DIFF_LEDGER_TABLE];
	const struct contrast_part step = { "step", "step", false, l->base, l->now };
	struct table *t;
	size_t i;

	if (l->n == 0)
		return;
	t = result_table(d->out, doc->id, doc->title, doc->col, doc->ncol);
	for (i = 0; i < l->n; i++)
		if (!d->q->for_people || l->part[i].base || l->part[i].now)
			put_row(d, t, &l->part[i]);
	put_row(d, t, &step);
	t->nfoot = 1;
	t->footnote = contrast_imbalance(l) ? (l->is_device ? ranks : ranks_host)
		: l->is_device              ? device
					    : host;
}
