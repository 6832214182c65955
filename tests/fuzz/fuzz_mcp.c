/*
 * Messages of agents: any line is a request, or has a code and a word about what is wrong with it;
 * any arguments of any tool become a command line without line of their own in it, or a word.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/mcp/arguments.h"
#include "cmd/mcp/message.h"
#include "cmd/mcp/strict.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Options that come from the toolbox only, and one "--" at most, behind them. */
static void check_line(const struct tool *t, const struct cmdline *line)
{
	size_t i, k;
	bool is_behind = false, is_known;

	if (line->n == 0 || line->v[line->n] || strcmp(line->v[0], t->verb.name) != 0)
		abort();
	for (i = 1; i < line->n; i++) {
		if (strcmp(line->v[i], "--") == 0 && !is_behind) {
			is_behind = true;
			continue;
		}
		if (is_behind || strncmp(line->v[i], "--", 2) != 0)
			continue;
		is_known = strcmp(line->v[i], "--no-config") == 0 ||
			strcmp(line->v[i], "--limit=0") == 0 ||
			strncmp(line->v[i], "--output=", 9) == 0;
		for (k = 0; k < t->noption && !is_known; k++)
			is_known = strstr(line->v[i], t->option[k].opt->name) != NULL;
		if (!is_known)
			abort();
	}
}

static void call(const struct message *m, struct arena *mem)
{
	struct span name = message_text(m->params, "name", mem);
	struct tool tool;
	struct cmdline line;
	struct excerpt x;
	struct fence fence;
	struct err e;

	err_clear(&e);
	if (!name.p || !tool_find(name, &tool) || fence_open(&fence, NULL, 0, mem, &e) != OK)
		return;
	if (arguments_take(&tool, json_get(m->params, "arguments"), &fence, mem, &line, &x, &e) ==
		OK)
		check_line(&tool, &line);
	else if (!e.text[0])
		abort();
}

static void take(struct span line)
{
	struct arena mem;
	struct message m;
	struct err e;
	enum rpc code;

	arena_init(&mem);
	err_clear(&e);
	code = message_read(line, &mem, &m, &e);
	if (code != RPC_FINE && !e.text[0])
		abort();
	if ((code == RPC_PARSE) != (strict_json(line, &e) != OK))
		abort();
	if (code == RPC_FINE)
		call(&m, &mem);
	arena_clear(&mem);
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
