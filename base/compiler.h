/* The few compiler extensions traceq uses, each behind a name of its own. */
#pragma once

#define MUST_CHECK              __attribute__((warn_unused_result))
#define NO_RETURN               __attribute__((noreturn))
#define UNUSED                  __attribute__((unused)) /* behind a parameter */
#define PRINTF_LIKE(fmt, first) __attribute__((format(printf, fmt, first)))
#define LIKELY(x)               __builtin_expect(!!(x), 1)
#define UNLIKELY(x)             __builtin_expect(!!(x), 0)
#define HOT_INLINE              static inline __attribute__((always_inline))
#define NEVER_INLINE            __attribute__((noinline))
#define COUNT_OF(a)             (sizeof(a) / sizeof((a)[0]))

/* A number that is a macro, as text: what a program says of it is what it does. */
#define TEXT_OF(number)    TEXT_OF_IT(number)
#define TEXT_OF_IT(number) #number

/* found, and when it is the expected place, without waiting for the search that found it: the
 * processor goes on from `expected` and checks later, as it does with any branch. */
static inline const char *expected_or(const char *expected, const char *found)
{
	if (LIKELY(found == expected)) {
		__asm__ volatile("" : "+r"(expected));
		return expected;
	}
	return found;
}

/* Overflow-checked arithmetic: true when the result does not fit in *r. */
#define add_overflows(a, b, r) __builtin_add_overflow((a), (b), (r))
#define sub_overflows(a, b, r) __builtin_sub_overflow((a), (b), (r))
#define mul_overflows(a, b, r) __builtin_mul_overflow((a), (b), (r))

/* In a PRINTF_LIKE function: its arguments behind fmt as text, in an array of characters. */
#define PRINTF_TO(array, fmt)                                        \
	do {                                                         \
		va_list ap_;                                         \
                                                                     \
		va_start(ap_, fmt);                                  \
		(void)vsnprintf((array), sizeof(array), (fmt), ap_); \
		va_end(ap_);                                         \
	} while (0)
