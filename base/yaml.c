/* YAML: libyaml's events, flattened.  No tree is built; a path of keys is carried along. */
#include "base/yaml.h"

#include <stdio.h>
#include <yaml.h>

#include "base/xalloc.h"

/* One mapping that is open. */
struct level {
	size_t first;          /* items of this mapping begin here */
	bool has_key;          /* a key waits for its value */
	struct yaml_key *seen; /* keys so far */
	size_t nseen, cap;
};

struct reader {
	struct yaml_items *out;
	const char *name;
	struct err *err;
	yaml_parser_t parser;
	struct level level[YAML_DEPTH_MAX];
	struct yaml_key path[YAML_DEPTH_MAX];
	size_t depth; /* open mappings */
	bool in_list;
	struct str list; /* elements so far */
	struct yaml_place list_at;
	size_t ndocument;
};

enum status yaml_fail(struct err *e, enum status status, const char *name, struct yaml_place at,
	const char *fmt, ...)
{
	char text[ERR_TEXT_MAX];

	PRINTF_TO(text, fmt);
	return err_set(e, status, -1, "%s:%lld:%lld: %s", name, (long long)at.line,
		(long long)at.column, text);
}

static struct yaml_place place_of(const yaml_mark_t *m)
{
	return (struct yaml_place){ (int64_t)m->line + 1, (int64_t)m->column + 1 };
}

static const char NO_MEANING[] = "anchors (&), aliases (*) and tags (!) have no meaning here";

static enum status wrong(struct reader *r, struct yaml_place at, const char *what)
{
	return yaml_fail(r->err, E_SYNTAX, r->name, at, "%s", what);
}

static struct yaml_item *add_item(struct reader *r, enum yaml_type type, struct yaml_place at)
{
	struct yaml_items *y = r->out;

	struct yaml_item *item = PUSH(y->v, y->n, y->cap,
		(struct yaml_item){ .nkey = r->depth, .type = type, .value = "", .at = at });
	for (size_t i = 0; i < r->depth; i++)
		item->key[i] = r->path[i];
	return item;
}

/* A scalar in a mapping that waits for a key. */
static enum status take_key(struct reader *r, const char *text, struct yaml_place at)
{
	struct level *l = &r->level[r->depth - 1];

	if (l->nseen == YAML_KEYS_MAX)
		return yaml_fail(r->err, E_LIMIT, r->name, at, "more than %d keys in one group",
			YAML_KEYS_MAX);
	for (EACH(const struct yaml_key, k, l->seen, l->nseen))
		if (strcmp(k->text, text) == 0)
			return yaml_fail(r->err, E_SYNTAX, r->name, at,
				"key '%s' is given twice, first in line %lld", text,
				(long long)k->at.line);
	PUSH(l->seen, l->nseen, l->cap, r->path[r->depth - 1] = (struct yaml_key){ text, at });
	l->has_key = true;
	return OK;
}

static enum status take_element(struct reader *r, struct span text, struct yaml_place at)
{
	if (text.n == 0 || memchr(text.p, ',', text.n))
		return wrong(r, at, "an element of a list may not be empty or hold a comma");
	if (r->list.n > 0)
		str_addc(&r->list, ',');
	str_add(&r->list, text.p, text.n);
	return OK;
}

static enum status take_scalar(struct reader *r, const yaml_event_t *ev)
{
	struct span text = { (const char *)ev->data.scalar.value, ev->data.scalar.length };
	struct yaml_place at = place_of(&ev->start_mark);
	struct level *l = r->depth > 0 ? &r->level[r->depth - 1] : NULL;

	if (ev->data.scalar.anchor || ev->data.scalar.tag)
		return wrong(r, at, NO_MEANING);
	if (memchr(text.p, '\0', text.n))
		return wrong(r, at, "a NUL in a text");
	if (!l && text.n == 0)
		return OK; /* nothing but comments */
	if (!l)
		return wrong(r, at, "expected 'key: value'");
	if (r->in_list)
		return take_element(r, text, at);
	const char *copy = arena_copy(&r->out->mem, text.p, text.n);
	if (!l->has_key)
		return take_key(r, copy, at);
	l->has_key = false;
	struct yaml_item *item = add_item(
		r, text.n == 0 && ev->data.scalar.plain_implicit ? YAML_EMPTY : YAML_SCALAR, at);
	item->value = copy;
	return OK;
}

static enum status open_mapping(struct reader *r, const yaml_event_t *ev)
{
	struct yaml_place at = place_of(&ev->start_mark);

	if (ev->data.mapping_start.anchor || ev->data.mapping_start.tag)
		return wrong(r, at, NO_MEANING);
	if (r->in_list || (r->depth > 0 && !r->level[r->depth - 1].has_key))
		return wrong(r, at, "a group of keys where a text is expected");
	if (r->depth == YAML_DEPTH_MAX)
		return yaml_fail(r->err, E_LIMIT, r->name, at, "groups nested more than %d deep",
			YAML_DEPTH_MAX);
	struct level *l = &r->level[r->depth++];
	l->first = r->out->n;
	l->has_key = false;
	l->nseen = 0;
	return OK;
}

static enum status close_mapping(struct reader *r, const yaml_event_t *ev)
{
	struct level *l = &r->level[--r->depth];

	if (r->depth == 0)
		return OK;
	r->level[r->depth - 1].has_key = false;
	if (l->first == r->out->n)
		(void)add_item(r, YAML_EMPTY, place_of(&ev->start_mark));
	return OK;
}

static enum status open_list(struct reader *r, const yaml_event_t *ev)
{
	struct yaml_place at = place_of(&ev->start_mark);

	if (ev->data.sequence_start.anchor || ev->data.sequence_start.tag)
		return wrong(r, at, NO_MEANING);
	if (r->in_list || r->depth == 0 || !r->level[r->depth - 1].has_key)
		return wrong(r, at, "a list where 'key: value' is expected");
	r->in_list = true;
	r->list_at = at;
	str_reset(&r->list);
	return OK;
}

static enum status close_list(struct reader *r)
{
	struct yaml_item *item = add_item(r, YAML_LIST, r->list_at);

	item->value = arena_copy(&r->out->mem, r->list.n > 0 ? r->list.s : "", r->list.n);
	r->in_list = false;
	r->level[r->depth - 1].has_key = false;
	return OK;
}

static enum status take(struct reader *r, const yaml_event_t *ev)
{
	switch (ev->type) {
	case YAML_DOCUMENT_START_EVENT:
		if (++r->ndocument > 1)
			return wrong(r, place_of(&ev->start_mark),
				"a second document; one file is one document");
		return OK;
	case YAML_SCALAR_EVENT: return take_scalar(r, ev);
	case YAML_MAPPING_START_EVENT: return open_mapping(r, ev);
	case YAML_MAPPING_END_EVENT: return close_mapping(r, ev);
	case YAML_SEQUENCE_START_EVENT: return open_list(r, ev);
	case YAML_SEQUENCE_END_EVENT: return close_list(r);
	case YAML_ALIAS_EVENT: return wrong(r, place_of(&ev->start_mark), NO_MEANING);
	default: return OK;
	}
}

/* What libyaml could not read. */
static enum status parser_failed(struct reader *r)
{
	const yaml_parser_t *p = &r->parser;
	const yaml_mark_t *at = &p->problem_mark;

	if (p->error == YAML_MEMORY_ERROR)
		die_oom(0);
	if (p->error == YAML_READER_ERROR)
		return err_set(r->err, E_SYNTAX, -1, "%s: byte %zu: %s", r->name, p->problem_offset,
			p->problem ? p->problem : "unreadable text");
	return yaml_fail(r->err, E_SYNTAX, r->name, place_of(at), "%s%s%s",
		p->problem ? p->problem : "no YAML", p->context ? " " : "",
		p->context ? p->context : "");
}

static enum status read_events(struct reader *r)
{
	bool is_end = false;

	while (!is_end) {
		yaml_event_t ev;

		if (!yaml_parser_parse(&r->parser, &ev))
			return parser_failed(r);
		is_end = ev.type == YAML_STREAM_END_EVENT;
		enum status st = take(r, &ev);
		yaml_event_delete(&ev);
		if (st != OK)
			return st;
	}
	return OK;
}

enum status yaml_read(struct yaml_items *out, struct span text, const char *name, struct err *e)
{
	struct reader r = { .out = out, .name = name, .err = e };

	*out = (struct yaml_items){ 0 };
	if (text.n > YAML_BYTES_MAX)
		return err_set(e, E_LIMIT, -1, "%s: larger than %d bytes", name, YAML_BYTES_MAX);
	if (!yaml_parser_initialize(&r.parser))
		die_oom(sizeof(r.parser));
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)text.p, text.n);
	enum status st = read_events(&r);
	yaml_parser_delete(&r.parser);
	str_free(&r.list);
	for (size_t i = 0; i < YAML_DEPTH_MAX; i++)
		free(r.level[i].seen);
	return st;
}

void yaml_clear(struct yaml_items *y)
{
	free(y->v);
	arena_clear(&y->mem);
	*y = (struct yaml_items){ 0 };
}
