/* Copies by name: words that say the direction, then the memories in parentheses. */
#include "analyze/measure/device/copyclass.h"

#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"

enum { NAME_LOOKED_AT = 1024 };

static const char *const direction_words[COPY_DIRECTION_COUNT] = {
#define X(name, word) word,
	COPY_DIRECTIONS(X)
#undef X
};

static const char *const memory_words[COPY_MEMORY_COUNT] = {
#define X(name, word) word,
	COPY_MEMORIES(X)
#undef X
};

/* Looked for in the name without blanks, dashes and underscores, in lower case; the first one
 * counts. */
static const struct meaning directions[] = {
	{ span_has_in, "htod", COPY_HTOD },
	{ span_has_in, "dtoh", COPY_DTOH },
	{ span_has_in, "dtod", COPY_DTOD },
	{ span_has_in, "ptop", COPY_PTOP },
	{ span_has_in, "htoh", COPY_HTOH },
	{ span_has_in, "htoa", COPY_HTOD },
	{ span_has_in, "atoh", COPY_DTOH },
	{ span_has_in, "atoa|atod|dtoa", COPY_DTOD },
	{ span_has_in, "hosttodevice", COPY_HTOD },
	{ span_has_in, "devicetohost", COPY_DTOH },
	{ span_has_in, "devicetodevice", COPY_DTOD },
	{ span_has_in, "hosttohost", COPY_HTOH },
	{ span_has_in, "peertopeer", COPY_PTOP },
	{ span_has_in, "h2d", COPY_HTOD },
	{ span_has_in, "d2h", COPY_DTOH },
	{ span_has_in, "d2d", COPY_DTOD },
	{ span_has_in, "p2p", COPY_PTOP },
	{ span_has_in, "h2h", COPY_HTOH },
	{ span_has_in, "m2d", COPY_HTOD },
	{ span_has_in, "d2m", COPY_DTOH },
	{ span_has_in, "m2m", COPY_HTOH },
};

/* What a memory's text begins with. */
static const struct meaning memories[] = {
	{ span_starts_in, "pageable", COPY_MEMORY_PAGEABLE },
	{ span_starts_in, "pinned", COPY_MEMORY_PINNED },
	{ span_starts_in, "host", COPY_MEMORY_HOST },
	{ span_starts_in, "device", COPY_MEMORY_DEVICE },
	{ span_starts_in, "array", COPY_MEMORY_ARRAY },
	{ span_starts_in, "managed|unified", COPY_MEMORY_MANAGED },
};

static enum copy_direction direction_in(struct span s)
{
	char packed[NAME_LOOKED_AT];
	struct span p = { packed, 0 };

	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != ' ' && s.p[i] != '-' && s.p[i] != '_')
			packed[p.n++] = s.p[i];
	return (enum copy_direction)MEANING_OF(p, directions, COPY_UNKNOWN);
}

/* What the words before the parenthesis say, else those in it. */
static enum copy_direction direction_of(struct span s)
{
	struct span head = { s.p, 0 };

	while (head.n < s.n && s.p[head.n] != '(')
		head.n++;
	enum copy_direction d = direction_in(head);
	return d == COPY_UNKNOWN ? direction_in(s) : d;
}

static enum copy_memory memory_at(struct span s, size_t at)
{
	at = FIRST_FROM(k, at, s.n, s.p[k] != ' ');
	struct span text = (struct span){ s.p + at, s.n - at };
	return (enum copy_memory)MEANING_OF(text, memories, COPY_MEMORY_UNKNOWN);
}

/* What "(Pageable -> Device)" says. */
static void read_memories(struct copy_class *c, struct span s)
{
	size_t open = 0;

	while (open < s.n && s.p[open] != '(')
		open++;
	for (size_t arrow = open; arrow + 1 < s.n; arrow++) {
		if (s.p[arrow] != '-' || s.p[arrow + 1] != '>')
			continue;
		c->from = memory_at(s, open + 1);
		c->to = memory_at(s, arrow + 2);
		return;
	}
}

enum copy_side { SIDE_UNKNOWN, SIDE_HOST, SIDE_DEVICE };

static enum copy_side side_of(enum copy_memory m)
{
	switch (m) {
	case COPY_MEMORY_PAGEABLE:
	case COPY_MEMORY_PINNED:
	case COPY_MEMORY_HOST: return SIDE_HOST;
	case COPY_MEMORY_DEVICE:
	case COPY_MEMORY_ARRAY: return SIDE_DEVICE;
	default: return SIDE_UNKNOWN;
	}
}

static enum copy_direction direction_between(enum copy_side from, enum copy_side to)
{
	if (from == SIDE_UNKNOWN || to == SIDE_UNKNOWN)
		return COPY_UNKNOWN;
	if (from == SIDE_HOST)
		return to == SIDE_HOST ? COPY_HTOH : COPY_HTOD;
	return to == SIDE_HOST ? COPY_DTOH : COPY_DTOD;
}

static enum copy_memory default_memory(bool is_host)
{
	return is_host ? COPY_MEMORY_HOST : COPY_MEMORY_DEVICE;
}

/* The direction, where the memories tell it, and the memories it tells. */
static struct copy_class settled(struct copy_class c)
{
	if (c.direction == COPY_UNKNOWN)
		c.direction = direction_between(side_of(c.from), side_of(c.to));
	enum copy_direction d = c.direction;
	if (d == COPY_UNKNOWN)
		return c;
	if (c.from == COPY_MEMORY_UNKNOWN)
		c.from = default_memory(d == COPY_HTOD || d == COPY_HTOH);
	if (c.to == COPY_MEMORY_UNKNOWN)
		c.to = default_memory(d == COPY_DTOH || d == COPY_HTOH);
	return c;
}

struct copy_class copyclass_of(struct span name)
{
	return copyclass_of_details(name, SPAN(""));
}

/* The memory behind a key of memcpy_details. */
static enum copy_memory memory_behind(struct span details, const char *key)
{
	const char *p = memmem(details.p, details.n, key, strlen(key));

	return p ? memory_at(details, (size_t)(p - details.p) + strlen(key)) : COPY_MEMORY_UNKNOWN;
}

struct copy_class copyclass_of_details(struct span name, struct span details)
{
	char low[NAME_LOOKED_AT], low_details[NAME_LOOKED_AT];
	struct span s = span_lower(name, low, sizeof(low));
	struct span d = span_lower(details, low_details, sizeof(low_details));
	struct copy_class c = { .direction = direction_of(s) };

	read_memories(&c, s);
	if (c.from == COPY_MEMORY_UNKNOWN)
		c.from = memory_behind(d, "kind_src:");
	if (c.to == COPY_MEMORY_UNKNOWN)
		c.to = memory_behind(d, "kind_dst:");
	return settled(c);
}

const char *copyclass_direction_word(enum copy_direction d)
{
	return direction_words[d];
}

const char *copyclass_memory_word(enum copy_memory m)
{
	return memory_words[m];
}

/* triton_poi_fused__to_copy_12: a fused kernel of nothing but a conversion. */
static bool is_fused_cast(struct span s)
{
	static const char prefix[] = "triton_poi_fused__to_copy_";
	size_t i = sizeof(prefix) - 1;

	if (!span_starts(s, prefix) || i == s.n)
		return false;
	i = FIRST_FROM(k, i, s.n, s.p[k] < '0' || s.p[k] > '9');
	return i == s.n;
}

enum copy_kernel copyclass_of_kernel(struct span name)
{
	char low[NAME_LOOKED_AT];
	struct span s = span_lower(name, low, sizeof(low));

	if (span_has(s, "float16_copy_kernel") || span_has(s, "float8_copy_kernel") ||
		span_has(s, "float8_e4m3fn_copy") || span_has(s, "float8_e5m2_copy") ||
		is_fused_cast(s))
		return COPY_KERNEL_CAST;
	if (span_has(s, "catarraybatchedcopy"))
		return COPY_KERNEL_LAYOUT;
	if (!span_has(s, "direct_copy_kernel") && !span_has(s, "copy_device_to_device"))
		return COPY_KERNEL_NONE;
	if (span_has(s, "withcast"))
		return COPY_KERNEL_CAST;
	if (span_has(s, "nocast") || span_has(s, "withoutcast") ||
		span_has(s, "vectorized_elementwise_kernel"))
		return COPY_KERNEL_LAYOUT;
	return COPY_KERNEL_UNCLEAR;
}

enum copy_kernel copyclass_of_types(struct span to, struct span from)
{
	if (to.n == 0 || from.n == 0)
		return COPY_KERNEL_UNCLEAR;
	return span_eq(to, from) ? COPY_KERNEL_LAYOUT : COPY_KERNEL_CAST;
}

bool copyclass_is_copy_op(struct span op)
{
	return span_in(op,
		"aten::to|aten::_to_copy|aten::copy_|aten::copy|aten::_copy_from|aten::clone|"
		"aten::contiguous|aten::cat|aten::pin_memory|aten::_pin_memory");
}

/* ---- casts: by the kernel's name, else by its op ---- */

void casts_init(struct casts *c, const struct run *r, struct arena *mem)
{
	c->run = r;
	c->of_name = arena_array(mem, r->strings.n, sizeof(*c->of_name));
}

/* Its op launches a copying kernel only to convert. */
static bool is_by_op(const struct run *r, uint32_t row)
{
	uint32_t op = op_of_row(r, row);

	return op != NO_ROW && span_in(run_name(r, op), "aten::_to_copy|aten::to|aten::type_as");
}

bool casts_is(struct casts *c, uint32_t row)
{
	uint8_t *of = &c->of_name[c->run->events.name[row]];

	if (*of == 0)
		*of = (uint8_t)(1 + copyclass_of_kernel(run_name(c->run, row)));
	return *of == 1 + COPY_KERNEL_CAST ||
		(*of == 1 + COPY_KERNEL_UNCLEAR && is_by_op(c->run, row));
}
