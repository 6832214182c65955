/* Gap words: what gaps are called, and which names of calls say so (the table gap_words.def). */
#pragma once

#include "analyze/trace/columns/kinds.h"
#include "analyze/measure/host/pyframes.h"
#include "analyze/trace/run.h"
#include "base/base.h"

/* X(NAME, key of columns, word, definition) */
#define GAP_CAUSES(X)                                                                                \
	X(DATA, "dataloader", "data loader",                                                         \
		"before the launch: the launching thread was in the data loader")                    \
	X(SYNC, "sync", "sync",                                                                      \
		"before the launch: the thread was in a call that had waited for the GPU when the "  \
		"gap began (cudaStreamSynchronize, a copy of pageable memory), and had not "         \
		"returned; what it did behind that call is what it did, marked as behind it")        \
	X(ALLOCATOR, "allocator", "allocator",                                                       \
		"before the launch: the thread allocated or freed memory (cudaMalloc, cudaFree and " \
		"their kin, also inside of an operator; empty_cache)")                               \
	X(CHECKPOINT, "checkpoint", "checkpoint",                                                    \
		"before the launch: the thread wrote or read a checkpoint (torch.save, pickle, "     \
		"safetensors, state_dict, fsync)")                                                   \
	X(LOGGING, "logging", "logging",                                                             \
		"before the launch: the thread logged (print, logging, wandb, tensorboard, tqdm)")   \
	X(GC, "gc", "garbage collection", "before the launch: Python collected garbage")             \
	X(COMPILE, "compile", "compiling",                                                           \
		"before the launch: the thread compiled or loaded code (dynamo, inductor, "          \
		"autotuning of Triton, cudaModuleLoad)")                                             \
	X(QUEUE, "queue", "full queue",                                                              \
		"the thread was in a launching call that waited for room in a queue of launches, "   \
		"as another GPU had not begun what was launched for it")                             \
	X(RUNTIME, "runtime_call", "runtime call",                                                   \
		"the thread was in another runtime call; or in the launching call itself, where "    \
		"that took longer than launching does")                                              \
	X(OP, "cpu_op", "CPU op", "before the launch: the thread was in an operator")                \
	X(PYTHON, "python", "Python",                                                                \
		"before the launch: the thread was in a step, another region or a Python "           \
		"function, but in no operator or call within it")                                    \
	X(NOTHING, "nothing", "nothing recorded",                                                    \
		"before the launch: nothing was recorded of the thread, nor of the main thread")     \
	X(LAUNCH, "launch", "launch",                                                                \
		"from the start of the launching call: what launching takes (the median of "         \
		"launches that met an idle GPU)")                                                    \
	X(DEPENDENCY, "dependency", "dependency",                                                    \
		"the work was launched, and waited for work before it: what the GPU itself "         \
		"takes between two pieces of work")                                                  \
	X(UNKNOWN, "unknown", "unknown launch", "the launch of the next work is not in the trace")   \
	X(UNRECORDED, "unrecorded", "unrecorded",                                                    \
		"the work was launched long before, and nothing before it was recorded in its "      \
		"queue, which held work from before the recording: no idleness")

enum gap_cause {
#define X(name, key, word, doc) GAP_CAUSE_##name,
	GAP_CAUSES(X)
#undef X
		GAP_CAUSE_COUNT
};

/* What the host is to blame for, the data loader and synchronizing aside. */
#define GAP_CAUSES_HOST                                                                     \
	(GAP_CAUSES_PLAIN | 1u << GAP_CAUSE_LAUNCH | 1u << GAP_CAUSE_ALLOCATOR |            \
		1u << GAP_CAUSE_CHECKPOINT | 1u << GAP_CAUSE_LOGGING | 1u << GAP_CAUSE_GC | \
		1u << GAP_CAUSE_COMPILE)
/* Of it what no word names: on the way to the next launch. */
#define GAP_CAUSES_PLAIN                                                         \
	(1u << GAP_CAUSE_RUNTIME | 1u << GAP_CAUSE_OP | 1u << GAP_CAUSE_PYTHON | \
		1u << GAP_CAUSE_NOTHING)

/* A gap of this length or more is a long one: no launch overhead explains it. */
#define GAP_CAUSES_LONG_NS 1000000

/* All of their words, as "a|b|". */
extern const char wait_words[];
/* "data loader", what it is; constant. */
const char *gap_cause_word(enum gap_cause w);
const char *gap_cause_doc(enum gap_cause w);

struct gap_words {
	const struct run *run;
	uint8_t *known; /* by sym and what kind of call: 0 not asked, 1 nothing, else 2 + cause */
	uint32_t loop;  /* the lane of steps that are trained, where a queue has data; or NO_ROW */
};

/* Memory is the arena's. */
void gap_words_init(struct gap_words *w, const struct run *r, struct arena *mem);

/* Whose patterns a call's name is matched with. */
enum { GAP_WORDS_HOST, GAP_WORDS_CALL, GAP_WORDS_FUNCTION, GAP_WORDS_SOURCES };
static inline int gap_words_source(enum kind k)
{
	return k == KIND_RUNTIME   ? GAP_WORDS_CALL
		: k == KIND_PYTHON ? GAP_WORDS_FUNCTION
				   : GAP_WORDS_HOST;
}

/* What a name says that was not asked for yet. */
uint8_t gap_words_look(struct gap_words *w, uint32_t row);

/* The cause that the name of a row says, or GAP_CAUSE_COUNT: none.  Each name is matched once.
 * Inline: it is asked for every call. */
static inline enum gap_cause gap_words_of(struct gap_words *w, uint32_t row)
{
	const struct events *ev = &w->run->events;
	uint8_t *known = &w->known[(size_t)ev->name[row] * GAP_WORDS_SOURCES +
		(size_t)gap_words_source((enum kind)ev->kind[row])];

	if (UNLIKELY(*known == 0))
		*known = gap_words_look(w, row);
	return *known >= 2 ? (enum gap_cause)(*known - 2) : GAP_CAUSE_COUNT;
}

/* The same of a Python function: one that takes something from a queue says nothing, but for the
 * thread of the loop. */
enum gap_cause gap_words_own(struct gap_words *w, uint32_t row);

/* Whether anything in the run has a name of one of those causes (bits). */
bool gap_words_any(const struct run *r, unsigned causes);

/* The same of a Python function or those around it, the innermost; NO_ROW: none is open.  says of f
 * is this file's. */
enum gap_cause gap_words_of_function(struct gap_words *w, struct pyframes *f, uint32_t place);

/* Since when: the start of that function. */
nsec gap_words_since(struct gap_words *w, const struct pyframes *f, uint32_t place);

/* What helps against time of that cause; NULL: the table has no word for it. */
const char *gap_words_help(enum gap_cause c);
