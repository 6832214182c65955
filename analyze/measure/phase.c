/* Phases: by what PyTorch and its users call things. */
#include "analyze/measure/phase.h"

#include "analyze/trace/run.h"
#include "base/words.h"

enum { SAYS_NOTHING = PHASES_NOTHING, SAYS_PHASE = PHASES_SAY };

/* Ranges users name themselves, as record_function regions; matched as whole words' beginnings. */
static const struct {
	const char *start;
	enum phase phase;
} starts[] = {
	{ "ProfilerStep#", PHASE_OTHER },
	{ "enumerate(DataLoader)", PHASE_DATA },
	{ "data_load", PHASE_DATA },
	{ "dataload", PHASE_DATA },
	{ "Optimizer.", PHASE_OPTIMIZER },
	{ "optimizer_step", PHASE_OPTIMIZER },
	{ "optimizer", PHASE_OPTIMIZER },
	{ "autograd::engine::evaluate_function", PHASE_BACKWARD },
	{ "backward", PHASE_BACKWARD },
	{ "forward", PHASE_FORWARD },
};

/* "AddmmBackward0", "torch::autograd::AccumulateGrad", "CompiledFunctionBackward" */
static bool is_autograd_node(struct span name)
{
	while (name.n && name.p[name.n - 1] >= '0' && name.p[name.n - 1] <= '9')
		name.n--;
	return span_ends(name, "Backward") || span_has(name, "AccumulateGrad");
}

static uint8_t phase_by_name(struct span name)
{
	for (size_t i = 0; i < COUNT_OF(starts); i++)
		if (span_starts(name, starts[i].start))
			return (uint8_t)(SAYS_PHASE + starts[i].phase);
	return is_autograd_node(name) ? SAYS_PHASE + PHASE_BACKWARD : SAYS_NOTHING;
}

void phases_init(struct phases *p, const struct run *r, struct arena *mem)
{
	p->names = &r->strings;
	p->known = arena_array(mem, r->strings.n, sizeof(*p->known));
}

uint8_t phases_look(struct phases *p, sym name)
{
	return p->known[name] = phase_by_name(strings_get(p->names, name));
}

WORDS(phase_word, enum phase, PHASES, 2)
