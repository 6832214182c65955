/*
 * Texts and attributes of NVTX calls to ours.
 */
#include "capture/inject/nvtx_text.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct nvtx_attributes) == NVTX_ATTRIBUTES_MIN, "layout of attributes");

struct name nvtx_name_a(struct ranges *r, const char *s, bool *is_owned)
{
	return ranges_name(r, s ? s : "", s ? strlen(s) : 0, is_owned);
}

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

/* Wide text is cut at what fits; what is no character becomes U+FFFD when it is quoted. */
struct name nvtx_name_w(struct ranges *r, const wchar_t *s, bool *is_owned)
{
	char text[4096];
	size_t n = 0;

	while (s && *s && n + 4 <= sizeof(text))
		n += put_utf8(text + n, (uint32_t)*s++);
	return ranges_name(r, text, n, is_owned);
}

struct range_text nvtx_text_a(struct ranges *r, const char *s)
{
	struct range_text t = { 0 };

	t.name = nvtx_name_a(r, s, &t.is_owned);
	return t;
}

struct range_text nvtx_text_w(struct ranges *r, const wchar_t *s)
{
	struct range_text t = { 0 };

	t.name = nvtx_name_w(r, s, &t.is_owned);
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

struct range_text nvtx_text_of(
	struct ranges *r, const struct range_domain *domain, const struct nvtx_attributes *a)
{
	struct range_text t = { 0 };
	const struct nvtx_registered *kept;

	if (!a || a->size < NVTX_ATTRIBUTES_MIN) {
		t = nvtx_text_a(r, "");
	} else if (a->message_type == NVTX_TEXT_W) {
		t = nvtx_text_w(r, a->message);
	} else if (a->message_type == NVTX_TEXT_REGISTERED && a->message) {
		kept = a->message;
		t.name = (struct name){ kept->json, kept->n };
	} else {
		t = nvtx_text_a(r, a->message_type == NVTX_TEXT_A ? a->message : NULL);
	}
	t.domain = domain;
	if (!a || a->size < NVTX_ATTRIBUTES_MIN)
		return t;
	t.category = a->category;
	t.has_color = a->color_type == NVTX_COLOR_ARGB_;
	t.color = a->color;
	take_payload(&t, a);
	return t;
}

struct nvtx_registered *nvtx_keep(struct ranges *r, struct name name, bool is_owned)
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
