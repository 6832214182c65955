/* Each number of cupti_abi.h and nvtx_abi.h against the headers of an installed toolkit, of
 * CUDA 11.8 or later: compiled, not run.  Not part of the build: capture_toolkit.py compiles it
 * where there is a toolkit. */
#include <stddef.h>

#include <cupti.h>
#include <nvtx3/nvToolsExt.h>

#include "capture/cupti_abi.h"
#include "capture/inject/nvtx_abi.h"

/* What the records of 13.0 were called before.  From 13.0 on the headers keep these layouts. */
#if CUPTI_API_VERSION < 130000
#define CUpti_ActivityKernel10 CUpti_ActivityKernel9
#endif
#if CUPTI_API_VERSION < 26
#define CUpti_ActivityMemcpy6          CUpti_ActivityMemcpy5
#define CUpti_ActivitySynchronization2 CUpti_ActivitySynchronization
#define CUpti_ActivityCudaEvent2       CUpti_ActivityCudaEvent
#endif
#if CUPTI_API_VERSION < 24
#define CUpti_ActivityMemory4 CUpti_ActivityMemory3
#endif
#if CUPTI_API_VERSION < 23
#define CUpti_ActivityContext3 CUpti_ActivityContext2
#endif
#if CUPTI_API_VERSION < 22
#define CUpti_ActivityContext2    CUpti_ActivityContext
#define CUpti_ActivityDevice5     CUpti_ActivityDevice4
#define CUpti_ActivityOverhead3   CUpti_ActivityOverhead2
#define CUpti_ActivityGraphTrace2 CUpti_ActivityGraphTrace
#endif
#if CUPTI_API_VERSION < 20
#define CUpti_ActivityOverhead2 CUpti_ActivityOverhead
#endif
#if CUPTI_API_VERSION < 19
#define CUpti_ActivityKernel9 CUpti_ActivityKernel8
#endif

#define HAS(record, field, at, type)                                         \
	_Static_assert(offsetof(record, field) == (at), #record "." #field); \
	_Static_assert(sizeof(type) <= sizeof(((record *)0)->field), #field " size");
/* Fields by the version they came with: older headers have no such member to look at. */
#define FIELD_0           HAS
#define FIELD_CUPTI_V11_8 HAS
#if CUPTI_API_VERSION >= 22
#define FIELD_CUPTI_V12_4 HAS
#else
#define FIELD_CUPTI_V12_4(record, field, at, type)
#endif
#if CUPTI_API_VERSION >= 26
#define FIELD_CUPTI_V12_8 HAS
#else
#define FIELD_CUPTI_V12_8(record, field, at, type)
#endif
#define X(id, record, field, at, type, since) FIELD_##since(CUpti_Activity##record, field, at, type)
CUPTI_FIELDS(X)
#undef X

/* Numbers that older headers do not have: they are not checked there. */
#if CUPTI_API_VERSION < 26
#define CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED 43
#define CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED 45
#endif
#if CUPTI_API_VERSION < 20
#define CUPTI_CB_DOMAIN_STATE        6
#define CUPTI_CBID_STATE_FATAL_ERROR 1
#endif
#define X(id, kind, number) _Static_assert((int)CUPTI_ACTIVITY_KIND_##kind == (number), #kind);
CUPTI_KINDS(X)
#undef X
#define X(id, code, number) _Static_assert((int)code == (number), #code);
CUPTI_CODES(X)
CUPTI_NUMBERS(X)
#undef X

#define X(name, index) _Static_assert((int)NVTX_CBID_CORE_##name == (index), #name);
NVTX_CORE(X)
#undef X
#define X(name, index) _Static_assert((int)NVTX_CBID_CORE2_##name == (index), #name);
NVTX_CORE2(X)
#undef X

_Static_assert(sizeof(nvtxEventAttributes_t) == sizeof(struct nvtx_attributes), "attributes");
#define SAME(theirs, ours)                                                                         \
	_Static_assert(                                                                            \
		offsetof(nvtxEventAttributes_t, theirs) == offsetof(struct nvtx_attributes, ours), \
		#ours)
SAME(version, version);
SAME(size, size);
SAME(category, category);
SAME(colorType, color_type);
SAME(color, color);
SAME(payloadType, payload_type);
SAME(payload, payload);
SAME(messageType, message_type);
SAME(message, message);
_Static_assert((int)NVTX_ETID_CALLBACKS == NVTX_ETID_CALLBACKS_, "export table");
_Static_assert(sizeof(NvtxExportTableCallbacks) == sizeof(struct nvtx_callbacks), "callbacks");
_Static_assert((int)NVTX_COLOR_ARGB == NVTX_COLOR_ARGB_, "color");
_Static_assert((int)NVTX_MESSAGE_TYPE_REGISTERED == NVTX_TEXT_REGISTERED, "message");
_Static_assert((int)NVTX_PAYLOAD_TYPE_FLOAT == NVTX_F32, "payload");

int abi_is_checked;
