/* NVTX's binary interface, version 3, as far as an injection library sees it.  Numbers are compared
 * with the headers, where they are installed, by tests/capture/toolkit/abi_check.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { NVTX_ETID_CALLBACKS_ = 1, NVTX_MODULE_CORE = 1, NVTX_MODULE_CORE2 = 5 };

/* X(name, index in the table of module CORE) */
#define NVTX_CORE(X)         \
	X(MarkEx, 1)         \
	X(MarkA, 2)          \
	X(MarkW, 3)          \
	X(RangeStartEx, 4)   \
	X(RangeStartA, 5)    \
	X(RangeStartW, 6)    \
	X(RangeEnd, 7)       \
	X(RangePushEx, 8)    \
	X(RangePushA, 9)     \
	X(RangePushW, 10)    \
	X(RangePop, 11)      \
	X(NameCategoryA, 12) \
	X(NameCategoryW, 13) \
	X(NameOsThreadA, 14) \
	X(NameOsThreadW, 15)

/* The same of module CORE2. */
#define NVTX_CORE2(X)                \
	X(DomainMarkEx, 1)           \
	X(DomainRangeStartEx, 2)     \
	X(DomainRangeEnd, 3)         \
	X(DomainRangePushEx, 4)      \
	X(DomainRangePop, 5)         \
	X(DomainNameCategoryA, 8)    \
	X(DomainNameCategoryW, 9)    \
	X(DomainRegisterStringA, 10) \
	X(DomainRegisterStringW, 11) \
	X(DomainCreateA, 12)         \
	X(DomainCreateW, 13)         \
	X(DomainDestroy, 14)

enum { NVTX_TEXT_A = 1, NVTX_TEXT_W = 2, NVTX_TEXT_REGISTERED = 3 };
enum { NVTX_U64 = 1, NVTX_I64 = 2, NVTX_F64 = 3, NVTX_U32 = 4, NVTX_I32 = 5, NVTX_F32 = 6 };
enum { NVTX_COLOR_ARGB_ = 1 };

/* nvtxEventAttributes_t */
struct nvtx_attributes {
	uint16_t version, size;
	uint32_t category;
	int32_t color_type;
	uint32_t color;
	int32_t payload_type;
	int32_t reserved;
	uint64_t payload;
	int32_t message_type;
	const void *message;
};
enum { NVTX_ATTRIBUTES_MIN = 48 };

typedef void (*nvtx_function)(void);

/* NvtxExportTableCallbacks */
struct nvtx_callbacks {
	size_t size;
	/* table[i] is where the i-th function's address is kept. */
	int (*get_module)(int module, nvtx_function ***table, unsigned *n);
};
typedef const void *(*nvtx_export_fn)(uint32_t id);
