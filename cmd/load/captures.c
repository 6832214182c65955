/*
 * Traces of graph captures: loaded as inputs are, then looked through for captured graphs.
 */
#include "cmd/load/captures.h"

#include <stdlib.h>

#include "analyze/trace/producers.h"
#include "base/plural.h"
#include "base/zeroed.h"

unsigned captures_needs(void)
{
	return CAPTURED_NEEDS;
}

static enum status no_graphs(const struct run *r, struct err *e)
{
	(void)err_set(e, E_NODATA, -1,
		"no graph is captured in it: there is no cudaStreamBeginCapture and no "
		"hipStreamBeginCapture%s",
		r->kind_count[KIND_RUNTIME] ? "" : ", nor any runtime call");
	return err_hint(e,
		"--capture wants the trace of a profiler that ran while graphs were captured "
		"(torch.cuda.graph; the first requests of vLLM and SGLang with profiling on)");
}

static enum status no_launches(const struct run *r, const struct captured *c, struct err *e)
{
	(void)err_set(e, E_NODATA, -1,
		"%zu graph%s captured in it, but no kernel launch lies between "
		"StreamBeginCapture and StreamEndCapture",
		c->ngraph, plural(c->ngraph, " is", "s are"));
	return err_hint(e, "%s", recording_word(r, RECORDING_CALLS));
}

/* A run without graphs among others of a folder says nothing; alone it is a mistake. */
static enum status look_at(struct captures *c, const struct run *r, bool is_alone, struct err *e)
{
	struct captured *v = &c->v[c->n];

	captured_init(v, r);
	if (v->nlaunch > 0) {
		c->n++;
		return OK;
	}
	if (is_alone)
		(void)(v->ngraph ? no_launches(r, v, e) : no_graphs(r, e));
	captured_clear(v);
	return is_alone ? e->status : OK;
}

enum status captures_load(struct captures *c, const struct opt_list *path, unsigned needs,
	const struct read_options *read, bool is_quiet, const char **where, struct err *e)
{
	const unsigned unused = NEED_STEPS | NEED_CALLS | NEED_MEMORY | NEED_SYNC | NEED_KERNEL;
	const struct inputs_want want = { .needs = (needs & ~unused) | captures_needs(),
		.folder = FOLDER_RANKS,
		.is_of_events = true };
	size_t i;

	TRY(inputs_load(&c->inputs, &want, read, is_quiet, path->v, path->n, where, e));
	c->v = zeroed(c->inputs.n, sizeof(*c->v));
	for (i = 0; i < c->inputs.n; i++) {
		*where = c->inputs.path[i];
		TRY(look_at(c, c->inputs.run[i], c->inputs.n == path->n, e));
	}
	*where = path->v[0];
	if (c->n == 0)
		return no_graphs(c->inputs.run[0], e);
	*where = NULL;
	return OK;
}

void captures_clear(struct captures *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		captured_clear(&c->v[i]);
	free(c->v);
	inputs_clear(&c->inputs);
	*c = (struct captures){ 0 };
}
