/* The lists, as data. */
#include "cmd/commands.h"

static const struct analysis *const analyses[] = {
#define X(name) &analysis_##name,
	ANALYSES(X)
#undef X
};

static const struct command *const others[] = {
#define X(name) &command_##name,
	COMMANDS(X)
#undef X
};

const struct commands commands_all = {
	.analyses = { analyses, COUNT_OF(analyses) },
	.v = others,
	.n = COUNT_OF(others),
};
