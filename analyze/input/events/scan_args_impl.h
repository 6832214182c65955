/* The scanner's middle: the gaps between values, and the members of args.  Included by scan_impl.h,
 * for each vector unit. */
/* The colon behind a key's closing quote at p, then the value's first byte; NULL if none. */
HOT_INLINE const char *behind_colon(const char *p)
{
	p = nonblank(p + 1);
	return LIKELY(*p == ':') ? nonblank(p + 1) : NULL;
}

/* A gap is the text between two values: `, "cat": `, say.  Writers repeat themselves, so what stood
 * behind the same value last time is tried first, by one compare instead of a token at a time; that
 * also tells the processor where the next value begins before it has looked. */
enum { GAP_WAYS = 2, ARGS_GAPS = 16 };

struct gap {
	char bytes[GAP_BYTES];
	uint32_t n;       /* 0 = empty */
	uint32_t id;      /* what it leads to: enum field, or a plan key */
	uint32_t value_n; /* of args: bytes of the number behind it */
};

/* The first are those of enum raw_field, as bit numbers. */
enum field {
	FIELD_PH,
	FIELD_NAME,
	FIELD_CAT,
	FIELD_PID,
	FIELD_TID,
	LAST_STEADY = FIELD_TID, /* those up to here recur, those behind it vary */
	FIELD_TS,
	FIELD_DUR,
	FIELD_ARGS,
	FIELD_ID,
	FIELD_OTHER,
	FIELD_NONE, /* the event's '{' */
	FIELD_END,
	FIELD_COUNT
};

struct gaps {
	struct gap behind[FIELD_COUNT][GAP_WAYS]; /* behind the value of that field */
	struct gap args[PLAN_CLASSES][ARGS_GAPS]; /* before the i-th argument */
	struct gap between;                       /* between two events, with the '{' */
	struct pattern pattern[PATTERNS];         /* of args, by the last phrases */
	uint32_t value_n[FIELD_COUNT];            /* bytes of the last number of that field */
	uint64_t text_at; /* counts the texts that were scanned: patterns of others are void */
};

/* What was learnt of the batch's texts, for one more. */
static struct gaps *gaps_begin(struct batch *b)
{
	struct gaps *gaps = b->scan_memory;

	if (!gaps)
		b->scan_memory = gaps = xcalloc(1, sizeof(*gaps));
	gaps->text_at++;
	return gaps;
}

HOT_INLINE bool gap_fits(const struct gap *g, const char *p)
{
	return SCANNER_LEARNS && g->n && same(p, g->bytes, g->n);
}

static void gap_learn(struct gap *g, const char *p, const char *to, uint32_t id)
{
	if (to - p > GAP_BYTES)
		return;
	memcpy(g->bytes, p, GAP_BYTES);
	g->n = (uint32_t)(to - p);
	g->id = id;
}

static uint32_t args_key(const struct plan *plan, const char *key, const char *end)
{
	return end > key ? plan_key(plan, key, (size_t)(end - key)) : plan->key_empty;
}

/* At p, behind the '{' of args or behind a value in it: passes to the next value; *id is its key,
 * or PLAN_END and the result is behind the '}'.  NULL: malformed or incomplete. */
static const char *next_arg(const struct plan *plan, struct gap *g, const char *p, const char *end,
	bool first, uint32_t *id)
{
	const char *v = nonblank(p);
	bool escaped;

	if (!first && *v == ',')
		v = nonblank(v + 1);
	else if (!first && *v != '}')
		return NULL;
	if (*v == '}') {
		*id = PLAN_END;
		return v < end ? v + 1 : NULL;
	}
	if (*v != '"')
		return NULL;
	const char *key = v + 1;
	const char *q = string_end(key, end, &escaped);
	v = behind_colon(q);
	if (!v || v >= end)
		return NULL;
	*id = args_key(plan, key, q);
	gap_learn(g, p, v, *id);
	return v;
}

/* The members of args from p (behind its '{'), one by one. */
static const char *read_args(const struct plan *plan, struct gap *gap, struct raw_event *raw,
	uint64_t want, const char *p, const char *end)
{
	unsigned i = 0;

	for (; want & ~raw->found; i++) {
		struct gap *g = &gap[i < ARGS_GAPS ? i : ARGS_GAPS - 1];
		struct span text;
		bool escaped, quoted;
		uint32_t id = g->id;

		if (LIKELY(gap_fits(g, p)))
			p += g->n;
		else
			p = next_arg(plan, g, p, end, i == 0, &id);
		if (UNLIKELY(!p || id == PLAN_END))
			return p;
		p = value(nonblank(p), end, &text, &escaped, &quoted, &g->value_n);
		if (UNLIKELY(!p))
			return NULL;
		if (id == PLAN_NO_KEY)
			continue;
		uint64_t bit = UINT64_C(1) << id;
		raw->arg[id] = text;
		raw->found |= bit;
		raw->escaped = escaped ? raw->escaped | bit : raw->escaped & ~bit;
		raw->quoted = quoted ? raw->quoted | bit : raw->quoted & ~bit;
	}
	if (i > 0 && *(p = nonblank(p)) != ',' && *p != '}')
		return NULL;
	return nested_end('{', p, end);
}

/* The members of args from p (behind its '{'); returns the byte behind its '}', or NULL.  expected:
 * args as they were behind the same phrases. */
HOT_INLINE const char *scan_args(const struct plan *plan, struct gaps *gaps, unsigned class,
	struct pattern *expected, struct raw_event *raw, const char *p, const char *end)
{
	uint64_t want = plan->want[class];
	bool is_first = !raw->found,
	     is_known = SCANNER_LEARNS && expected->text_at == gaps->text_at;
	const char *q = is_known ? take_pattern(expected, raw, want, p, end) : NULL;

	if (LIKELY(q))
		return q;
	q = read_args(plan, gaps->args[class], raw, want, p, end);
	if (SCANNER_LEARNS && q && is_first &&
		learn_pattern(expected, raw, want, plan->set_keys, p, q))
		expected->text_at = gaps->text_at;
	return q;
}
