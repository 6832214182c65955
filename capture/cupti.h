/* The CUPTI library of the process: found, opened, its functions as a table. */
#pragma once

#include "capture/settings.h"

enum { CUPTI_PATH_MAX = 1024 };

typedef void (*cupti_request_fn)(uint8_t **buffer, size_t *size, size_t *records);
typedef void (*cupti_complete_fn)(
	void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid);
typedef void (*cupti_callback_fn)(void *user, int domain, uint32_t id, const void *data);

/* X(name after "cupti", must it be there, arguments): all return a code, 0 when all is well. */
#define CUPTI_FUNCTIONS(X)                                                        \
	X(GetVersion, true, (uint32_t *))                                         \
	X(GetTimestamp, true, (uint64_t *))                                       \
	X(GetResultString, true, (int, const char **))                            \
	X(Subscribe, true, (void **, cupti_callback_fn, void *))                  \
	X(Subscribe_v2, false, (void **, cupti_callback_fn, void *, void *))      \
	X(Unsubscribe, true, (void *))                                            \
	X(EnableCallback, true, (uint32_t, void *, int, uint32_t))                \
	X(GetCallbackName, true, (int, uint32_t, const char **))                  \
	X(GetContextId, true, (void *, uint32_t *))                               \
	X(GetDeviceId, true, (void *, uint32_t *))                                \
	X(SetThreadIdType, false, (int))                                          \
	X(ActivityRegisterCallbacks, true, (cupti_request_fn, cupti_complete_fn)) \
	X(ActivityEnable, true, (int))                                            \
	X(ActivityDisable, true, (int))                                           \
	X(ActivityEnableDriverApi, false, (uint32_t, uint8_t))                    \
	X(ActivityEnableRuntimeApi, false, (uint32_t, uint8_t))                   \
	X(ActivityEnableAllSyncRecords, false, (uint8_t))                         \
	X(ActivityEnableCudaEventDeviceTimestamps, false, (uint8_t))              \
	X(ActivityFlushAll, true, (uint32_t))                                     \
	X(ActivityGetNextRecord, true, (uint8_t *, size_t, uint8_t **))           \
	X(ActivityGetNumDroppedRecords, true, (void *, uint32_t, size_t *))       \
	X(ActivitySetAttribute, false, (int, size_t *, void *))                   \
	X(ActivityPushExternalCorrelationId, false, (int, uint64_t))              \
	X(ActivityPopExternalCorrelationId, false, (int, uint64_t *))

struct cupti {
	void *handle;              /* NULL: not loaded */
	void *subscriber;          /* NULL: CUPTI is not ours */
	int ntried;                /* of the libraries that may be installed */
	uint32_t version;          /* as cuptiGetVersion says */
	int driver;                /* CUDA version of the driver, 12040 = 12.4; 0: not known */
	char path[CUPTI_PATH_MAX]; /* the file it came from */
	char driver_path[CUPTI_PATH_MAX]; /* libcuda's, "" when not known */
#define X(name, required, args) int(*name) args;
	CUPTI_FUNCTIONS(X)
#undef X
};

/* Opens libcupti: the given file, else the one that is in the process already (PyTorch brings its
 * own; two would be a disaster), else the newest that ld.so knows and the driver can serve, else
 * the toolkit's.  False with a sentence in words[CAPTURE_WORDS_MAX]. */
bool cupti_open(struct cupti *c, const char *path, char *words);

/* Becomes the process's subscriber.  A library that was only searched for and does not start with
 * this driver is replaced by the next older one.  False with a sentence that says why not and what
 * to do. */
bool cupti_subscribe(struct cupti *c, cupti_callback_fn callback, void *user, char *words);

/* Why a code forbids recording, and what to do, in words[CAPTURE_WORDS_MAX].  other: the name of
 * the tool that has CUPTI, or "". */
void cupti_say_why(const struct cupti *c, int code, const char *other, char *words);

/* The same, and that only NVTX is recorded.  Always false. */
bool cupti_say_refused(const struct cupti *c, int code, const char *other, char *words);

/* "CONCURRENT_KERNEL" of a kind of record (enum act_kind). */
const char *cupti_kind_name(int kind);

/* "CUPTI_ERROR_..." of a code. */
const char *cupti_code_name(const struct cupti *c, int code);

/* "13.0" of 130000, "12.4" of 22, as CUDA versions are named; text[16]. */
void cupti_version_name(uint32_t version, char *text);
