/*
 * Messages of agents: any line is a request, or has a code and a word about what is wrong with it;
 * any arguments of any tool become options of that tool and operands that were checked, or a word.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "cmd/mcp/call.h"
#include "cmd/mcp/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_option(const struct tool *t, const struct opt_value *v)
{
	size_t k;

	if (strcmp(v->name, "no-config") == 0)
		return !v->text && !v->is_off;
	if (strcmp(v->name, "limit") == 0)
		return v->text && strcmp(v->text, "0") == 0;
	if (t->kind == TOOL_TRACE && strcmp(v->name, "output") == 0)
		return v->text && *v->text && access(v->text, F_OK) != 0;
	for (k = 0; k < t->noption; k++)
		if (t->option[k].opt->name == v->name)
			return (t->option[k].opt->type == OPT_FLAG) == !v->text;
	return false;
}

/* Options come from the toolbox only; files are there, and none is standard input. */
static void check_given(const struct tool *t, const struct opt_given *given)
{
	size_t i;

	for (i = 0; i < given->nvalue; i++)
		if (!is_option(t, &given->value[i]))
			abort();
	if (given->noperand == 0 || given->nfirst > given->noperand ||
		(t->kind == TOOL_SIDES) != (given->nfirst > 0))
		abort();
	for (i = 0; i < given->noperand; i++)
		if (t->kind != TOOL_WORD &&
			(strcmp(given->operand[i], "-") == 0 ||
				access(given->operand[i], F_OK) != 0))
			abort();
}

static void call(const struct message *m, struct arena *mem)
{
	struct span name = message_text(m->params, "name", mem);
	struct tool tool;
	struct opt_given to;
	struct excerpt x;
	struct fence fence;
	struct err e;

	err_clear(&e);
	if (!name.p || !tool_find(&commands_all, name, &tool) ||
		fence_open(&fence, NULL, 0, mem, &e) != OK)
		return;
	if (arguments_take(&tool, json_get(m->params, "arguments"), &fence, mem, &to, &x, &e) == OK)
		check_given(&tool, &to);
	else if (!e.text[0])
		abort();
}

static void take(struct span line)
{
	SCOPED_ARENA mem = { 0 };
	struct message m;
	struct err e;
	enum rpc code;

	err_clear(&e);
	code = message_read(line, &mem, &m, &e);
	if (code != RPC_FINE && !e.text[0])
		abort();
	if ((code == RPC_PARSE) != (strict_json(line, &e) != OK))
		abort();
	if (code == RPC_FINE)
		call(&m, &mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data, *end = p + size, *feed;

	for (; p < end; p = feed + (feed < end)) {
		feed = memchr(p, '\n', (size_t)(end - p));
		feed = feed ? feed : end;
		take((struct span){ p, (size_t)(feed - p) });
	}
	return 0;
}
