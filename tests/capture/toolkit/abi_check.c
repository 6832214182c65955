/*
 * Each number of cupti_abi.h and nvtx_abi.h against the headers of an installed toolkit: compiled,
 * not run.  Not part of the build: capture_toolkit.py compiles it where there is a toolkit.
 */
#include <stddef.h>

#include <cupti.h>
#include <nvtx3/nvToolsExt.h>

#include "capture/cupti_abi.h"
#include "capture/inject/nvtx_abi.h"

#if CUPTI_API_VERSION >= 130000
#define X(id, record, field, at, type, since)                                                \
	_Static_assert(offsetof(CUpti_Activity##record, field) == (at), #record "." #field); \
	_Static_assert(                                                                      \
		sizeof(type) <= sizeof(((CUpti_Activity##record *)0)->field), #field " size");
CUPTI_FIELDS(X)
#undef X
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
