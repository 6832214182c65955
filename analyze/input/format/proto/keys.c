/* The plan's keys and those that tell events apart, in one table. */
#include "analyze/input/format/proto/keys.h"

#include <assert.h>

static const struct {
	const char *text;
	uint16_t says;
} telling[] = {
	{ "stream", SAYS_STREAM },
	{ "correlation", SAYS_CORRELATION },
	{ "cuda_sync_kind", SAYS_SYNC },
	{ "cbid", SAYS_CALL },
	{ "cid", SAYS_CALL },
	{ "Python id", SAYS_PYTHON },
	{ "Python parent id", SAYS_PYTHON },
	{ "External id", SAYS_HOST },
	{ "external id", SAYS_HOST },
	{ "Ev Idx", SAYS_HOST },
	{ "Record function id", SAYS_HOST },
	{ "Fwd thread id", SAYS_OPERATOR },
	{ "Sequence number", SAYS_OPERATOR },
	{ "Input Dims", SAYS_OPERATOR },
	{ "Input dims", SAYS_OPERATOR },
	{ "Input type", SAYS_OPERATOR },
	{ "Input Strides", SAYS_OPERATOR },
	{ "Concrete Inputs", SAYS_OPERATOR },
	{ "grid", SAYS_LAUNCH },
	{ "block", SAYS_LAUNCH },
};

/* What ROCm's tools call arguments of Kineto's. */
static const struct {
	const char *text, *same_as;
} aliases[] = {
	{ "corr_id", "correlation" },
	{ "copy_bytes", "bytes" },
	{ "stream_ID", "stream" },
	{ "agent", "device" },
	{ "dst_agent", "device" },
};

static struct key *place_of(struct keys *k, const char *text, size_t n)
{
	unsigned at = plan_slot(text, n);
	char padded[64] = { 0 };

	for (; k->slot[at].text; at = (at + 1) % PLAN_SLOTS)
		if (k->slot[at].n == n && memcmp(k->slot[at].text, text, n) == 0)
			return &k->slot[at].key;
	struct key_slot *s = &k->slot[at];
	s->text = text;
	s->n = (uint32_t)n;
	s->key = (struct key){ .plan = PLAN_NO_KEY };
	assert(n <= sizeof(padded) - 8);
	memcpy(padded, text, n);
	keys_ends(padded, n, &s->first, &s->last);
	return &s->key;
}

void keys_init(struct keys *k, const struct plan *plan)
{
	memset(k, 0, sizeof(*k));
	k->empty = plan->key_empty;
	for (size_t i = 0; i < PLAN_SLOTS; i++)
		if (plan->slot[i].used)
			place_of(k, plan->slot[i].text, plan->slot[i].n)->plan = plan->slot[i].id;
	for (size_t i = 0; i < COUNT_OF(aliases); i++)
		place_of(k, aliases[i].text, strlen(aliases[i].text))->plan =
			plan_key(plan, aliases[i].same_as, strlen(aliases[i].same_as));
	for (size_t i = 0; i < COUNT_OF(telling); i++)
		place_of(k, telling[i].text, strlen(telling[i].text))->says |= telling[i].says;
}
