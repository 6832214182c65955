/* The functions behind nvtxRangePush and its like.  NVTX passes no pointer of ours, so the ranges
 * they write to are a static one. */
#include "capture/inject/nvtx.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "capture/inject/ranges.h"

/* A registered string: a name that is kept for ever.  Its address is the handle. */
struct nvtx_registered {
	struct nvtx_registered *next; /* of all that are kept */
	size_t n;
	char json[];
};

static struct ranges *all;

/* ---- texts and attributes of calls to ours ---- */

_Static_assert(sizeof(struct nvtx_attributes) == NVTX_ATTRIBUTES_MIN, "layout of attributes");

static size_t put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 0x3f));
		to[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | (c >> 18 & 7));
	to[1] = (char)(0x80 | (c >> 12 & 0x3f));
	to[2] = (char)(0x80 | (c >> 6 & 0x3f));
	to[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/* A text as a range's, with nothing else given; NULL is "". */
static struct range_text text_A(const char *s)
{
	struct range_text t = { 0 };

	t.name = ranges_name(all, s ? s : "", s ? strlen(s) : 0, &t.is_owned);
	return t;
}

/* Cut at 4 KiB of UTF-8; what is no character becomes U+FFFD when it is quoted. */
static struct range_text text_W(const wchar_t *s)
{
	struct range_text t = { 0 };
	char text[4096];
	size_t n = 0;

	while (s && *s && n + 4 <= sizeof(text))
		n += put_utf8(text + n, (uint32_t)*s++);
	t.name = ranges_name(all, text, n, &t.is_owned);
	return t;
}

static void take_payload(struct range_text *t, const struct nvtx_attributes *a)
{
	double real;
	float single;
	int32_t number;

	t->payload = a->payload;
	switch (a->payload_type) {
	case NVTX_U64: t->payload_type = PAYLOAD_U64; break;
	case NVTX_I64: t->payload_type = PAYLOAD_I64; break;
	case NVTX_F64: t->payload_type = PAYLOAD_REAL; break;
	case NVTX_U32:
		t->payload_type = PAYLOAD_U64;
		t->payload &= 0xffffffff;
		break;
	case NVTX_I32:
		memcpy(&number, &a->payload, sizeof(number));
		t->payload_type = PAYLOAD_I64;
		t->payload = (uint64_t)(int64_t)number;
		break;
	case NVTX_F32:
		memcpy(&single, &a->payload, sizeof(single));
		real = (double)single;
		t->payload_type = PAYLOAD_REAL;
		memcpy(&t->payload, &real, sizeof(real));
		break;
	default: break;
	}
}

/* Attributes; those of an unknown, shorter version are ignored. */
static struct range_text text_of(const struct range_domain *domain, const struct nvtx_attributes *a)
{
	bool is_known = a && a->size >= NVTX_ATTRIBUTES_MIN;
	const struct nvtx_registered *kept = is_known ? a->message : NULL;
	struct range_text t = { 0 };

	if (is_known && a->message_type == NVTX_TEXT_W)
		t = text_W(a->message);
	else if (kept && a->message_type == NVTX_TEXT_REGISTERED)
		t.name = (struct name){ kept->json, kept->n };
	else
		t = text_A(is_known && a->message_type == NVTX_TEXT_A ? a->message : NULL);
	t.domain = domain;
	if (!is_known)
		return t;
	t.category = a->category;
	t.has_color = a->color_type == NVTX_COLOR_ARGB_;
	t.color = a->color;
	take_payload(&t, a);
	return t;
}

static struct range_text text_Ex(const struct nvtx_attributes *a)
{
	return text_of(NULL, a);
}

/* Keeps a name for ever, freeing an owned one; NULL without memory. */
static struct nvtx_registered *nvtx_keep(struct ranges *r, struct name name, bool is_owned)
{
	struct nvtx_registered *kept = malloc(sizeof(*kept) + name.n);

	if (kept) {
		kept->n = name.n;
		memcpy(kept->json, name.json, name.n);
		(void)pthread_mutex_lock(&r->lock);
		kept->next = r->kept;
		r->kept = kept;
		(void)pthread_mutex_unlock(&r->lock);
	}
	if (is_owned)
		free((void *)(uintptr_t)name.json);
	return kept;
}

static bool is_on(void)
{
	return atomic_load_explicit(&all->is_on, memory_order_relaxed);
}

/* ---- ranges and marks ---- */

static void mark(struct range_text t)
{
	ranges_mark(all, &t);
}

static uint64_t start(struct range_text t)
{
	return ranges_start(all, &t);
}

static int push(struct range_text t)
{
	return ranges_push(all, &t);
}

/* The same three of each kind of text, as the end of their names says it. */
#define RANGE_CALLS(kind, type)                             \
	static void our_Mark##kind(type s)                  \
	{                                                   \
		if (is_on())                                \
			mark(text_##kind(s));               \
	}                                                   \
	static uint64_t our_RangeStart##kind(type s)        \
	{                                                   \
		return is_on() ? start(text_##kind(s)) : 0; \
	}                                                   \
	static int our_RangePush##kind(type s)              \
	{                                                   \
		return is_on() ? push(text_##kind(s)) : -1; \
	}
RANGE_CALLS(Ex, const struct nvtx_attributes *)
RANGE_CALLS(A, const char *)
RANGE_CALLS(W, const wchar_t *)

static void our_RangeEnd(uint64_t id)
{
	if (is_on())
		ranges_end(all, id);
}

static int our_RangePop(void)
{
	return is_on() ? ranges_pop(all, NULL) : -1;
}

static void our_DomainMarkEx(struct range_domain *d, const struct nvtx_attributes *a)
{
	if (is_on())
		mark(text_of(d, a));
}

static uint64_t our_DomainRangeStartEx(struct range_domain *d, const struct nvtx_attributes *a)
{
	return is_on() ? start(text_of(d, a)) : 0;
}

static void our_DomainRangeEnd(struct range_domain *d, uint64_t id)
{
	(void)d;
	our_RangeEnd(id);
}

static int our_DomainRangePushEx(struct range_domain *d, const struct nvtx_attributes *a)
{
	return is_on() ? push(text_of(d, a)) : -1;
}

static int our_DomainRangePop(struct range_domain *d)
{
	return is_on() ? ranges_pop(all, d) : -1;
}

/* ---- names ---- */

/* The name of a category or domain lives on. */
static struct name kept(struct range_text t)
{
	if (!t.is_owned)
		return t.name;
	const struct nvtx_registered *r = nvtx_keep(all, t.name, true);
	return r ? (struct name){ r->json, r->n } : (struct name){ 0 };
}

static void name_category(struct range_domain *d, uint32_t id, struct range_text t)
{
	ranges_category(all, d, id, kept(t));
}

static void name_thread(uint32_t thread, struct range_text t)
{
	ranges_name_thread(all, thread, &t);
}

static void *registered(struct range_text t)
{
	return nvtx_keep(all, t.name, t.is_owned);
}

#define NAME_CALLS(kind, type)                                                                \
	static void our_DomainNameCategory##kind(struct range_domain *d, uint32_t id, type s) \
	{                                                                                     \
		name_category(d, id, text_##kind(s));                                         \
	}                                                                                     \
	static void our_NameCategory##kind(uint32_t id, type s)                               \
	{                                                                                     \
		name_category(NULL, id, text_##kind(s));                                      \
	}                                                                                     \
	static void our_NameOsThread##kind(uint32_t thread, type s)                           \
	{                                                                                     \
		if (is_on())                                                                  \
			name_thread(thread, text_##kind(s));                                  \
	}                                                                                     \
	static void *our_DomainRegisterString##kind(struct range_domain *d, type s)           \
	{                                                                                     \
		(void)d;                                                                      \
		return registered(text_##kind(s));                                            \
	}                                                                                     \
	static struct range_domain *our_DomainCreate##kind(type s)                            \
	{                                                                                     \
		return ranges_domain(all, kept(text_##kind(s)));                              \
	}
NAME_CALLS(A, const char *)
NAME_CALLS(W, const wchar_t *)

/* Events that wait for the worker may still name it. */
static void our_DomainDestroy(struct range_domain *d)
{
	(void)d;
}

/* ---- tables ---- */

static void put(nvtx_function **table, unsigned n, unsigned id, nvtx_function f)
{
	if (id < n && table[id])
		*table[id] = f;
}

bool nvtx_attach(struct ranges *r, nvtx_export_fn get_export)
{
	const struct nvtx_callbacks *callbacks = get_export(NVTX_ETID_CALLBACKS_);
	nvtx_function **table = NULL;
	unsigned n = 0;

	if (!callbacks || callbacks->size < sizeof(*callbacks) || !callbacks->get_module ||
		!callbacks->get_module(NVTX_MODULE_CORE, &table, &n) || !table)
		return false;
	all = r;
#define X(name, id) put(table, n, id, (nvtx_function)our_##name);
	NVTX_CORE(X)
	if (!callbacks->get_module(NVTX_MODULE_CORE2, &table, &n) || !table)
		return true;
	NVTX_CORE2(X)
#undef X
	return true;
}
