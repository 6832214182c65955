/*
 * Requests taken apart, replies put together.
 */
#include "cmd/mcp/message.h"

#include "cmd/mcp/strict.h"
#include "report/escape.h"

struct span message_id(struct json_value v)
{
	struct span none = { "", 0 };

	if (v.type == JSON_STRING)
		return (struct span){ v.text.p - 1, v.text.n + 2 };
	return v.type == JSON_NUMBER ? v.text : none;
}

struct span message_text(struct json_value object, const char *key, struct arena *mem)
{
	struct json_value v = json_get(object, key);
	unsigned bad = 0;

	if (v.type != JSON_STRING)
		return (struct span){ NULL, 0 };
	return json_unescape(v.text, mem, &bad);
}

static enum rpc refuse(struct err *e, const char *text)
{
	(void)err_set(e, E_SYNTAX, -1, "%s", text);
	return RPC_REQUEST;
}

enum rpc message_read(struct span line, struct arena *mem, struct message *m, struct err *e)
{
	struct json_value doc, id;
	struct span rest, version;

	*m = (struct message){ .id = { "", 0 }, .method = { "", 0 } };
	if (strict_json(line, e) != OK)
		return RPC_PARSE;
	doc = json_value(line, &rest);
	if (doc.type == JSON_ARRAY)
		return refuse(e, "batches are not served: send one request a line");
	if (doc.type != JSON_OBJECT)
		return refuse(e, "a request is an object");
	id = json_get(doc, "id");
	m->id = message_id(id);
	m->params = json_get(doc, "params");
	version = message_text(doc, "jsonrpc", mem);
	if (!version.p || !span_is(version, "2.0"))
		return refuse(e, "\"jsonrpc\" must be \"2.0\"");
	if (id.type != JSON_NONE && m->id.n == 0)
		return refuse(e, "\"id\" must be a string or a number");
	m->method = message_text(doc, "method", mem);
	if (m->method.p && m->method.n) {
		if (m->params.type != JSON_NONE && m->params.type != JSON_OBJECT)
			return refuse(e, "\"params\" must be an object");
		return RPC_FINE;
	}
	if (json_get(doc, "result").type == JSON_NONE && json_get(doc, "error").type == JSON_NONE)
		return refuse(e, "\"method\" must be a string");
	m->method = (struct span){ "", 0 };
	return RPC_FINE;
}

static void begin(struct str *b, struct span id)
{
	str_adds(b, "{\"jsonrpc\":\"2.0\",\"id\":");
	if (id.n)
		str_add(b, id.p, id.n);
	else
		str_adds(b, "null");
}

static bool send_off(const struct channel *w, struct str *b)
{
	bool is_sent;

	str_addc(b, '}');
	is_sent = channel_put(w, b);
	str_free(b);
	return is_sent;
}

bool message_result(const struct channel *w, struct span id, const struct str *result)
{
	struct str b = { 0 };

	begin(&b, id);
	str_adds(&b, ",\"result\":");
	str_add(&b, result->s, result->n);
	return send_off(w, &b);
}

bool message_error(const struct channel *w, struct span id, enum rpc code, const struct err *e)
{
	struct str b = { 0 }, text = { 0 };

	str_adds(&text, e->text);
	if (e->offset >= 0)
		str_addf(&text, " at byte %lld", (long long)e->offset);
	if (e->hint[0])
		str_addf(&text, "; %s", e->hint);
	begin(&b, id);
	str_addf(&b, ",\"error\":{\"code\":%d,\"message\":", (int)code);
	escape_json(&b, (struct span){ text.s, text.n });
	str_addc(&b, '}');
	str_free(&text);
	return send_off(w, &b);
}
