/*
 * The functions behind nvtxRangePush and its like.  NVTX passes no pointer of ours, so the ranges
 * they write to are a static one.
 */
#include "capture/inject/nvtx.h"

#include "capture/inject/nvtx_text.h"
#include "capture/inject/ranges.h"

static struct ranges *all;

static bool is_on(void)
{
	return atomic_load_explicit(&all->is_on, memory_order_relaxed);
}

/* ---- ranges and marks ---- */

static void mark(const struct range_domain *d, const struct nvtx_attributes *a)
{
	struct range_text t = nvtx_text_of(all, d, a);

	ranges_mark(all, &t);
}

static uint64_t start(const struct range_domain *d, const struct nvtx_attributes *a)
{
	struct range_text t = nvtx_text_of(all, d, a);

	return ranges_start(all, &t);
}

static int push(const struct range_domain *d, const struct nvtx_attributes *a)
{
	struct range_text t = nvtx_text_of(all, d, a);

	return ranges_push(all, &t);
}

static void our_MarkEx(const struct nvtx_attributes *a)
{
	if (is_on())
		mark(NULL, a);
}

static void our_MarkA(const char *s)
{
	struct range_text t;

	if (!is_on())
		return;
	t = nvtx_text_a(all, s);
	ranges_mark(all, &t);
}

static void our_MarkW(const wchar_t *s)
{
	struct range_text t;

	if (!is_on())
		return;
	t = nvtx_text_w(all, s);
	ranges_mark(all, &t);
}

static uint64_t our_RangeStartEx(const struct nvtx_attributes *a)
{
	return is_on() ? start(NULL, a) : 0;
}

static uint64_t our_RangeStartA(const char *s)
{
	struct range_text t;

	if (!is_on())
		return 0;
	t = nvtx_text_a(all, s);
	return ranges_start(all, &t);
}

static uint64_t our_RangeStartW(const wchar_t *s)
{
	struct range_text t;

	if (!is_on())
		return 0;
	t = nvtx_text_w(all, s);
	return ranges_start(all, &t);
}

static void our_RangeEnd(uint64_t id)
{
	if (is_on())
		ranges_end(all, id);
}

static int our_RangePushEx(const struct nvtx_attributes *a)
{
	return is_on() ? push(NULL, a) : -1;
}

static int our_RangePushA(const char *s)
{
	struct range_text t;

	if (!is_on())
		return -1;
	t = nvtx_text_a(all, s);
	return ranges_push(all, &t);
}

static int our_RangePushW(const wchar_t *s)
{
	struct range_text t;

	if (!is_on())
		return -1;
	t = nvtx_text_w(all, s);
	return ranges_push(all, &t);
}

static int our_RangePop(void)
{
	return is_on() ? ranges_pop(all, NULL) : -1;
}

static void our_DomainMarkEx(struct range_domain *d, const struct nvtx_attributes *a)
{
	if (is_on())
		mark(d, a);
}

static uint64_t our_DomainRangeStartEx(struct range_domain *d, const struct nvtx_attributes *a)
{
	return is_on() ? start(d, a) : 0;
}

static void our_DomainRangeEnd(struct range_domain *d, uint64_t id)
{
	(void)d;
	our_RangeEnd(id);
}

static int our_DomainRangePushEx(struct range_domain *d, const struct nvtx_attributes *a)
{
	return is_on() ? push(d, a) : -1;
}

static int our_DomainRangePop(struct range_domain *d)
{
	return is_on() ? ranges_pop(all, d) : -1;
}

/* ---- names ---- */

/* A category's name lives on. */
static struct name kept(struct name name, bool is_owned)
{
	const struct nvtx_registered *r;

	if (!is_owned)
		return name;
	r = nvtx_keep(all, name, is_owned);
	return r ? (struct name){ r->json, r->n } : (struct name){ 0 };
}

static void our_DomainNameCategoryA(struct range_domain *d, uint32_t id, const char *s)
{
	bool is_owned;
	struct name name = nvtx_name_a(all, s, &is_owned);

	ranges_category(all, d, id, kept(name, is_owned));
}

static void our_DomainNameCategoryW(struct range_domain *d, uint32_t id, const wchar_t *s)
{
	bool is_owned;
	struct name name = nvtx_name_w(all, s, &is_owned);

	ranges_category(all, d, id, kept(name, is_owned));
}

static void our_NameCategoryA(uint32_t id, const char *s)
{
	our_DomainNameCategoryA(NULL, id, s);
}

static void our_NameCategoryW(uint32_t id, const wchar_t *s)
{
	our_DomainNameCategoryW(NULL, id, s);
}

static void our_NameOsThreadA(uint32_t thread, const char *s)
{
	struct range_text t;

	if (!is_on())
		return;
	t = nvtx_text_a(all, s);
	ranges_name_thread(all, thread, &t);
}

static void our_NameOsThreadW(uint32_t thread, const wchar_t *s)
{
	struct range_text t;

	if (!is_on())
		return;
	t = nvtx_text_w(all, s);
	ranges_name_thread(all, thread, &t);
}

static void *our_DomainRegisterStringA(struct range_domain *d, const char *s)
{
	bool is_owned;
	struct name name = nvtx_name_a(all, s, &is_owned);

	(void)d;
	return nvtx_keep(all, name, is_owned);
}

static void *our_DomainRegisterStringW(struct range_domain *d, const wchar_t *s)
{
	bool is_owned;
	struct name name = nvtx_name_w(all, s, &is_owned);

	(void)d;
	return nvtx_keep(all, name, is_owned);
}

static struct range_domain *our_DomainCreateA(const char *s)
{
	bool is_owned;
	struct name name = nvtx_name_a(all, s, &is_owned);

	return ranges_domain(all, kept(name, is_owned));
}

static struct range_domain *our_DomainCreateW(const wchar_t *s)
{
	bool is_owned;
	struct name name = nvtx_name_w(all, s, &is_owned);

	return ranges_domain(all, kept(name, is_owned));
}

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
