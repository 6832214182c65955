/* The portable scanner, and the choice among scanners.  Plain loops, no vectors, nothing learnt:
 * slow enough to be obviously right, it is the oracle of the others. */
#include "analyze/input/events/scan.h"

/* The system's loader has asked what the processor can do.  Without its answer gcc's library asks
 * again, at every start: in a virtual machine each of some thirty questions takes a microsecond and
 * more. */
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#define HAS_CPU(feature, name) CPU_FEATURE_ACTIVE(feature)
#else
#define HAS_CPU(feature, name) __builtin_cpu_supports(name)
#endif

static const char *find_quote(const char *p)
{
	while (*p != '"' && *p != '\\') /* lint: allow loops: a window ends in a quote */
		p++;
	return p;
}

static const char *find_nonblank(const char *p)
{
	while ((unsigned char)*p <= 0x20) /* lint: allow loops: a window ends in a quote */
		p++;
	return p;
}

static bool ends_scalar(char c)
{
	return (unsigned char)c <= 0x20 || c == ',' || c == '}' || c == ']' || c == '"';
}

static const char *find_scalar_end(const char *p)
{
	while (!ends_scalar(*p)) /* lint: allow loops: a window ends in a quote */
		p++;
	return p;
}

static bool same(const char *p, const char *q, uint32_t n)
{
	return memcmp(p, q, n) == 0;
}

static bool alike(const char *p, const char *q, uint32_t n)
{
	uint32_t i = 0;

	while (i < n && (p[i] == q[i] || (is_digit(p[i]) && is_digit(q[i]))))
		i++;
	return i == n;
}

static void classify(const char *p, char open, struct masks *m)
{
	*m = (struct masks){ 0 };
	for (int i = 0; i < 64; i++) {
		uint64_t bit = UINT64_C(1) << i;
		char c = p[i];

		m->quote |= c == '"' ? bit : 0;
		m->backslash |= c == '\\' ? bit : 0;
		m->open |= c == open ? bit : 0;
		m->close |= c == CLOSING(open) ? bit : 0;
		m->follow |= (ends_scalar(c) && c != '"') || c == ':' ? bit : 0;
	}
}

#define SCANNER        scanner_portable
#define SCANNER_NAME   "portable"
#define SCANNER_LEARNS 0
#include "analyze/input/events/scan_impl.h"

static bool runs_here(const struct scanner *s)
{
#if defined(__x86_64__)
	if (s == &scanner_avx2)
		return HAS_CPU(AVX2, "avx2") && HAS_CPU(PCLMULQDQ, "pclmul") &&
			HAS_CPU(BMI1, "bmi") && HAS_CPU(BMI2, "bmi2");
#endif
	return s != NULL;
}

static const struct scanner *const all[] = {
#if defined(__x86_64__)
	&scanner_avx2,
	&scanner_sse2,
#elif defined(__aarch64__)
	&scanner_neon,
#endif
	&scanner_portable,
	NULL,
};

const struct scanner *const *scanner_all(void)
{
	return runs_here(all[0]) ? all : all + 1;
}

const struct scanner *scanner_pick(const char *wanted)
{
	const struct scanner *const *s = scanner_all();

	for (size_t i = 0; wanted && s[i]; i++)
		if (span_is(span_of(wanted), s[i]->name))
			return s[i];
	return s[0];
}
