/* `memory` of snapshots: the answer in sentences. */
#include "analyze/answer/memory/memory.h"
#include "analyze/measure/memory/snapstack.h"
#include "base/unit.h"

enum { HOLDERS_NAMED = 3 };

static void say_then(struct str *b, const struct snapdev *d, const struct snapoom *o)
{
	str_addf(b, "%s ran out of memory: %s requested, ", d->label, IN_BYTES((double)o->request));
	if (o->device_free != MEMSNAP_UNKNOWN)
		str_addf(b, "%s free on the GPU, ", IN_BYTES((double)o->device_free));
	str_addf(b, "%s reserved, %s allocated", IN_BYTES((double)o->reserved),
		IN_BYTES((double)o->allocated));
}

void snap_say_action(struct str *b, const struct snapdev *d, const struct snapoom *o)
{
	static const char *const actions[SNAPOOM_WHY_COUNT] = {
		[SNAPOOM_FRAGMENTED] = "Try PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
		[SNAPOOM_FULL] =
			"Hold less: a smaller batch or activation checkpointing for activations, "
			"sharding for parameters and optimizer states",
		[SNAPOOM_LIMIT] =
			"Raise the fraction of set_per_process_memory_fraction, or hold less",
		[SNAPOOM_ODD] = "Raise or drop max_split_size_mb of PYTORCH_CUDA_ALLOC_CONF",
		[SNAPOOM_UNKNOWN] = "Take the snapshot when memory runs out: "
				    "torch._C._cuda_attach_out_of_memory_observer",
	};
	bool is_on = o->why == SNAPOOM_FRAGMENTED && d->m->expandable == 1;

	str_adds(b, is_on ? "expandable_segments is on already" : actions[o->why]);
}

static void say_fragmented(struct str *b, const struct snapdev *d, const struct snapoom *o)
{
	str_addf(b, ". Fragmentation is to blame: %s of what is reserved is inactive",
		IN_BYTES((double)o->inactive));
	if (o->device_free != MEMSNAP_UNKNOWN && o->device_free > 0)
		str_adds(b, ", which with what the GPU has free would do");
	str_adds(b, ", but ");
	if (o->largest > 0) {
		str_addf(b, "the largest block that the request could get has %s",
			IN_BYTES((double)o->largest));
	} else {
		str_adds(b, "no block of it is one that the request could get");
	}
	str_adds(b, ". ");
	snap_say_action(b, d, o);
}

static void say_full(struct str *b, const struct snapoom *o)
{
	str_adds(b, ". The GPU is full: ");
	if (o->inactive == MEMSNAP_UNKNOWN) {
		str_adds(b, "all that was reserved and not allocated would not have done");
	} else {
		str_addf(b, "with the %s that are inactive there would still be too little",
			IN_BYTES((double)o->inactive));
	}
	str_adds(b, ", so that less has to be held");
}

static void say_why(struct str *b, const struct snapdev *d, const struct snapoom *o)
{
	switch (o->why) {
	case SNAPOOM_FRAGMENTED: say_fragmented(b, d, o); break;
	case SNAPOOM_FULL: say_full(b, o); break;
	case SNAPOOM_LIMIT:
		str_adds(b,
			". The GPU had enough free, so that the process has a limit of its own "
			"(set_per_process_memory_fraction)");
		break;
	case SNAPOOM_ODD:
		str_addf(b,
			". A free block of %s was large enough, so that the allocator may not "
			"split it (max_split_size_mb), or memory has a limit",
			IN_BYTES((double)o->largest));
		break;
	default:
		if (o->is_now)
			str_adds(b,
				". What the GPU had free is not written, so that it cannot be "
				"told why");
		else
			str_addf(b,
				". Memory moved in the %zu entries since, so that it cannot be "
				"told whether it was fragmentation",
				o->since);
		break;
	}
	if (o->pooled != MEMSNAP_UNKNOWN && o->pooled > 0)
		str_addf(b, ". Private pools keep %s inactive that only they can use",
			IN_BYTES((double)o->pooled));
}

static void say_state(struct str *b, const struct snapdev *d)
{
	const struct snapsum *s = d->sum;

	str_addf(b, "%s: %s reserved, %s of it allocated", d->label, IN_BYTES((double)s->reserved),
		IN_BYTES((double)snapsum_allocated(s)));
	if (snapsum_pending(s) > 0)
		str_addf(b, ", %s freed but still in use by a stream",
			IN_BYTES((double)snapsum_pending(s)));
	str_addf(b, " and %s inactive", IN_BYTES((double)snapsum_inactive(s)));
	if (snapsum_inactive(s) > 0)
		str_addf(b, ", of which %s is lost to fragmentation",
			IN_BYTES((double)snapsum_fragmented(s)));
	if (!s->unrequested && snapsum_allocated(s) > 0)
		str_addf(b, "; %s of what is allocated is rounding",
			IN_BYTES((double)saturate_sub(snapsum_allocated(s), s->requested)));
}

static void put(struct table *t, const struct snapdev *d, const char *kind, const struct str *b)
{
	TABLE_ROW(t, [SANS_TEXT] = cell_textf(t, "%s", b->s), [SANS_DEVICE] = cell_word(d->label),
		[SANS_KIND] = cell_word(kind));
}

static void put_oom(struct table *t, const struct snapdev *d)
{
	SCOPED_STR b = { 0 };

	say_then(&b, d, &d->oom[d->noom - 1]);
	say_why(&b, d, &d->oom[d->noom - 1]);
	/* Who held most then: of the last failure. */
	const struct snapheld_row *most[HOLDERS_NAMED] = { NULL };
	size_t k, n = 0;
	for (EACH(const struct snapheld_row, row, d->held.row, d->held.n)) {
		if (row->bytes[HELD_OOM] <= 0 || row->is_unknown || row->stack == 0)
			continue;
		for (k = n; k > 0 && most[k - 1]->bytes[HELD_OOM] < row->bytes[HELD_OOM]; k--)
			if (k < HOLDERS_NAMED)
				most[k] = most[k - 1];
		if (k < HOLDERS_NAMED)
			most[k] = row;
		n += n < HOLDERS_NAMED;
	}
	for (size_t i = 0; i < n; i++) {
		str_adds(&b, i ? ", " : ". Most was held by ");
		snapstack_where(&b, d->m, most[i]->stack);
		str_addf(&b, ": %s", IN_BYTES((double)most[i]->bytes[HELD_OOM]));
	}
	if (d->curve.ooms > 1)
		str_addf(&b, ". It is the last of %" PRId64, d->curve.ooms);
	put(t, d, "out of memory", &b);
}

void snap_put_answer(const struct snap *s)
{
	struct lazy_table t = { s->at, &memory_docs[SNAP_ANSWER], NULL };

	for (EACH(const struct snapdev, snapdev, s->dev, s->ndev))
		if (snapdev->noom)
			put_oom(lazy_table(&t), snapdev);
	for (EACH(const struct snapdev, one, s->dev, s->ndev))
		if (one->sum) {
			SCOPED_STR b = { 0 };

			say_state(&b, one);
			put(lazy_table(&t), one, "state", &b);
		}
	if (t.t)
		t.t->layout = TABLE_LINE;
}
