/* Phases: by what PyTorch and its users call things. */
#include "analyze/measure/phase.h"

#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/words.h"

enum { SAYS_NOTHING = PHASES_NOTHING, SAYS_PHASE = PHASES_SAY };

/* Ranges users name themselves, as record_function regions; matched as whole words' beginnings. */
static const struct meaning starts[] = {
	{ span_starts_in, "ProfilerStep#", PHASE_OTHER },
	{ span_starts_in, "enumerate(DataLoader)|data_load|dataload", PHASE_DATA },
	{ span_starts_in, "Optimizer.|optimizer", PHASE_OPTIMIZER },
	{ span_starts_in, "autograd::engine::evaluate_function|backward", PHASE_BACKWARD },
	{ span_starts_in, "forward", PHASE_FORWARD },
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
	int phase = MEANING_OF(name, starts, -1);

	if (phase < 0 && is_autograd_node(name))
		phase = PHASE_BACKWARD;
	return phase < 0 ? SAYS_NOTHING : (uint8_t)(SAYS_PHASE + phase);
}

void phases_init(struct phases *p, const struct run *r, struct arena *mem)
{
	p->names = &r->strings;
	p->known = arena_array(mem, r->strings.n, sizeof(*p->known));
	for (size_t i = 0; r->steps && i < r->steps->n; i++) {
		uint32_t row;

		if (step_event(&r->steps->step[i], &row) &&
			phases_look(p, r->events.name[row]) == SAYS_NOTHING)
			p->known[r->events.name[row]] = SAYS_PHASE + PHASE_OTHER;
	}
}

bool phases_is_step(struct phases *p, sym name)
{
	uint8_t says = p->known[name];

	return (says == PHASES_NOT_ASKED ? phases_look(p, name) : says) == SAYS_PHASE + PHASE_OTHER;
}

uint8_t phases_look(struct phases *p, sym name)
{
	return p->known[name] = phase_by_name(strings_get(p->names, name));
}

WORDS(phase_word, enum phase, PHASES, 2)
