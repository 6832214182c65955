/*
 * What each opcode of a pickle does.
 */
#include <inttypes.h>
#include <string.h>

#include "analyze/input/value/pickle_vm.h"
#include "base/compiler.h"

enum { PROTO_MOST = 5, TUPLE1 = 0x85 };

static enum status push(struct pickle_vm *vm, struct value *v)
{
	vm->stack = array_grow(vm->stack, &vm->stack_cap, vm->nstack + 1, sizeof(*vm->stack));
	vm->stack[vm->nstack++] = v;
	return OK;
}

static struct value *make(struct pickle_vm *vm, enum value_type type)
{
	vm->nvalue++;
	return value_new(vm->mem, type);
}

/* What is on the stack above the newest mark. */
static size_t above_mark(const struct pickle_vm *vm)
{
	return vm->nstack - (vm->nmark ? vm->mark[vm->nmark - 1] : 0);
}

/* Takes the newest mark off; *from: what was pushed behind it begins there. */
static enum status pop_mark(struct pickle_vm *vm, size_t *from)
{
	*from = 0;
	if (vm->nmark == 0)
		return pickle_wants(&vm->in, "a MARK, and there is none");
	*from = vm->mark[--vm->nmark];
	return OK;
}

/* The newest value of the stack, which has to be of that type. */
static enum status top(
	struct pickle_vm *vm, enum value_type type, const char *what, struct value **v)
{
	if (above_mark(vm) == 0 || vm->stack[vm->nstack - 1]->type != type)
		return pickle_wants(&vm->in, what);
	*v = vm->stack[vm->nstack - 1];
	return OK;
}

static enum status run_proto(struct pickle_vm *vm, struct pickle_given a)
{
	if (a.v > PROTO_MOST)
		return err_set(vm->in.e, E_FORMAT, vm->in.op_at,
			"a pickle of protocol %d; those up to %d are read", (int)a.v,
			(int)PROTO_MOST);
	return OK;
}

static enum status run_frame(struct pickle_vm *vm, struct pickle_given a)
{
	if (a.v <= vm->in.text.n - vm->in.at)
		return OK;
	(void)err_set(vm->in.e, E_TRUNCATED, (int64_t)vm->in.text.n,
		"the pickle ends inside the FRAME at byte %" PRId64, vm->in.op_at);
	return err_hint(vm->in.e,
		"it was cut off while it was written or copied; copy it again from where it was "
		"written");
}

static enum status run_mark(struct pickle_vm *vm, struct pickle_given a)
{
	(void)a;
	vm->mark = array_grow(vm->mark, &vm->mark_cap, vm->nmark + 1, sizeof(*vm->mark));
	vm->mark[vm->nmark++] = vm->nstack;
	return OK;
}

static enum status run_stop(struct pickle_vm *vm, struct pickle_given a)
{
	(void)a;
	if (vm->nmark || vm->nstack != 1)
		return pickle_wants(&vm->in, "one value on the stack");
	vm->is_done = true;
	vm->result = vm->stack[0];
	return OK;
}

static enum status run_pop(struct pickle_vm *vm, struct pickle_given a)
{
	(void)a;
	if (above_mark(vm) == 0 && vm->nmark == 0)
		return pickle_wants(&vm->in, "a value");
	if (above_mark(vm) == 0)
		vm->nmark--;
	else
		vm->nstack--;
	return OK;
}

static enum status run_pop_mark(struct pickle_vm *vm, struct pickle_given a)
{
	(void)a;
	return pop_mark(vm, &vm->nstack);
}

static enum status run_dup(struct pickle_vm *vm, struct pickle_given a)
{
	(void)a;
	if (above_mark(vm) == 0)
		return pickle_wants(&vm->in, "a value");
	return push(vm, vm->stack[vm->nstack - 1]);
}

static enum status run_none(struct pickle_vm *vm, struct pickle_given a)
{
	(void)a;
	return push(vm, make(vm, VALUE_NONE));
}

static enum status push_bool(struct pickle_vm *vm, bool b)
{
	struct value *v = make(vm, VALUE_BOOL);

	v->u.b = b;
	return push(vm, v);
}

static enum status run_true(struct pickle_vm *vm, struct pickle_given a)
{
	(void)a;
	return push_bool(vm, true);
}

static enum status run_false(struct pickle_vm *vm, struct pickle_given a)
{
	(void)a;
	return push_bool(vm, false);
}

static enum status run_int(struct pickle_vm *vm, struct pickle_given a)
{
	struct value *v = make(vm, VALUE_INT);

	v->u.i = (int64_t)a.v;
	return push(vm, v);
}

/* Two's complement, little-endian, of any length; beyond 64 bits as a real. */
static enum status run_long(struct pickle_vm *vm, struct pickle_given a)
{
	bool is_negative = a.text.n && (unsigned char)a.text.p[a.text.n - 1] & 0x80;
	struct value *v = make(vm, a.text.n <= sizeof(v->u.i) ? VALUE_INT : VALUE_REAL);
	uint64_t whole = is_negative ? UINT64_MAX : 0;
	double real = 0;
	size_t i;

	for (i = a.text.n; i > 0; i--) {
		unsigned char byte = (unsigned char)a.text.p[i - 1];

		whole = whole << 8 | byte;
		real = real * 256 + (is_negative ? 255 - byte : byte);
	}
	if (v->type == VALUE_INT)
		v->u.i = (int64_t)whole;
	else
		v->u.r = is_negative ? -real - 1 : real;
	return push(vm, v);
}

static enum status run_real(struct pickle_vm *vm, struct pickle_given a)
{
	struct value *v = make(vm, VALUE_REAL);
	uint64_t bits = 0;
	size_t i;

	for (i = 0; i < a.text.n; i++)
		bits = bits << 8 | (unsigned char)a.text.p[i];
	memcpy(&v->u.r, &bits, sizeof(v->u.r));
	return push(vm, v);
}

static enum status run_text(struct pickle_vm *vm, struct pickle_given a)
{
	struct value *v = make(vm, VALUE_TEXT);

	v->u.p = a.text.p;
	v->n = a.text.n;
	return push(vm, v);
}

static enum status run_empty_list(struct pickle_vm *vm, struct pickle_given a)
{
	(void)a;
	return push(vm, make(vm, VALUE_LIST));
}

static enum status run_empty_map(struct pickle_vm *vm, struct pickle_given a)
{
	(void)a;
	return push(vm, make(vm, VALUE_MAP));
}

/* What is on the stack from `from` on becomes a list. */
static enum status gather(struct pickle_vm *vm, size_t from)
{
	struct value *list = make(vm, VALUE_LIST);
	size_t i;

	for (i = from; i < vm->nstack; i++)
		value_append(list, vm->stack[i], vm->mem);
	vm->nstack = from;
	return push(vm, list);
}

static enum status run_tuple(struct pickle_vm *vm, struct pickle_given a)
{
	size_t from;

	(void)a;
	TRY(pop_mark(vm, &from));
	return gather(vm, from);
}

static enum status run_tuple_of(struct pickle_vm *vm, struct pickle_given a)
{
	size_t n = (size_t)(vm->in.code - TUPLE1) + 1;

	(void)a;
	if (above_mark(vm) < n)
		return pickle_wants(&vm->in, "more values than there are");
	return gather(vm, vm->nstack - n);
}

static enum status run_append(struct pickle_vm *vm, struct pickle_given a)
{
	struct value *list = NULL, *item;

	(void)a;
	if (above_mark(vm) == 0)
		return pickle_wants(&vm->in, "a value");
	item = vm->stack[--vm->nstack];
	TRY(top(vm, VALUE_LIST, "a list", &list));
	value_append(list, item, vm->mem);
	return OK;
}

static enum status run_appends(struct pickle_vm *vm, struct pickle_given a)
{
	size_t from, end = vm->nstack, i;
	struct value *list = NULL;

	(void)a;
	TRY(pop_mark(vm, &from));
	vm->nstack = from;
	TRY(top(vm, VALUE_LIST, "a list", &list));
	for (i = from; i < end; i++)
		value_append(list, vm->stack[i], vm->mem);
	return OK;
}

static enum status set_items(struct pickle_vm *vm, size_t from)
{
	size_t end = vm->nstack, i;
	struct value *map = NULL;

	vm->nstack = from;
	TRY(top(vm, VALUE_MAP, "a dict", &map));
	for (i = from; i < end; i += 2)
		value_set(map, vm->stack[i], vm->stack[i + 1], vm->mem);
	return OK;
}

static enum status run_setitem(struct pickle_vm *vm, struct pickle_given a)
{
	(void)a;
	if (above_mark(vm) < 2)
		return pickle_wants(&vm->in, "a key and a value");
	return set_items(vm, vm->nstack - 2);
}

static enum status run_setitems(struct pickle_vm *vm, struct pickle_given a)
{
	size_t from;

	(void)a;
	TRY(pop_mark(vm, &from));
	if ((vm->nstack - from) % 2)
		return pickle_wants(&vm->in, "as many values as keys");
	return set_items(vm, from);
}

static enum status run_get(struct pickle_vm *vm, struct pickle_given a)
{
	if (a.v >= vm->nmemo || !vm->memo[a.v])
		return pickle_wants(&vm->in, "a number of the memo that something was put at");
	return push(vm, vm->memo[a.v]);
}

/* A number behind as many as the pickle has bytes is none that its writer gave. */
static enum status put(struct pickle_vm *vm, uint64_t i)
{
	size_t was = vm->memo_cap;

	if (above_mark(vm) == 0)
		return pickle_wants(&vm->in, "a value");
	if (i > (uint64_t)vm->in.op_at)
		return pickle_wants(&vm->in, "the next number of the memo");
	vm->memo = array_grow(vm->memo, &vm->memo_cap, (size_t)i + 1, sizeof(*vm->memo));
	if (vm->memo_cap > was)
		memset(vm->memo + was, 0, (vm->memo_cap - was) * sizeof(*vm->memo));
	vm->memo[i] = vm->stack[vm->nstack - 1];
	if (i >= vm->nmemo)
		vm->nmemo = (size_t)i + 1;
	return OK;
}

static enum status run_put(struct pickle_vm *vm, struct pickle_given a)
{
	return put(vm, a.v);
}

static enum status run_memoize(struct pickle_vm *vm, struct pickle_given a)
{
	(void)a;
	return put(vm, vm->nmemo);
}

static enum status run_refused(struct pickle_vm *vm, struct pickle_given a)
{
	(void)a;
	return pickle_refuse(&vm->in);
}

static enum status run_old(struct pickle_vm *vm, struct pickle_given a)
{
	(void)a;
	return pickle_refuse(&vm->in);
}

enum status pickle_refuse(const struct pickle_scan *s)
{
	if (s->op->run == run_refused) {
		(void)err_set(s->e, E_FORMAT, s->op_at,
			"the pickle asks for Python code: %s, where plain data was expected",
			s->op->name);
		return err_hint(s->e,
			"traceq runs nothing that a file names; dumps of the flight recorder and "
			"memory snapshots are plain data");
	}
	if (s->op->run != run_old)
		return OK;
	(void)err_set(s->e, E_FORMAT, s->op_at,
		"%s, an opcode of protocol 0, in a pickle of a later one", s->op->name);
	return err_hint(s->e, "write it with pickle.dump(value, file, protocol=2)");
}

const struct pickle_op pickle_ops[256] = {
	[0x80] = { "PROTO", ARG_U1, run_proto },
	[0x95] = { "FRAME", ARG_U8, run_frame },
	['('] = { "MARK", ARG_NONE, run_mark },
	['.'] = { "STOP", ARG_NONE, run_stop },
	['0'] = { "POP", ARG_NONE, run_pop },
	['1'] = { "POP_MARK", ARG_NONE, run_pop_mark },
	['2'] = { "DUP", ARG_NONE, run_dup },
	['N'] = { "NONE", ARG_NONE, run_none },
	[0x88] = { "NEWTRUE", ARG_NONE, run_true },
	[0x89] = { "NEWFALSE", ARG_NONE, run_false },
	['J'] = { "BININT", ARG_I4, run_int },
	['K'] = { "BININT1", ARG_U1, run_int },
	['M'] = { "BININT2", ARG_U2, run_int },
	[0x8a] = { "LONG1", ARG_TEXT1, run_long },
	[0x8b] = { "LONG4", ARG_TEXT4, run_long },
	['G'] = { "BINFLOAT", ARG_REAL, run_real },
	['X'] = { "BINUNICODE", ARG_TEXT4, run_text },
	[0x8c] = { "SHORT_BINUNICODE", ARG_TEXT1, run_text },
	[0x8d] = { "BINUNICODE8", ARG_TEXT8, run_text },
	['T'] = { "BINSTRING", ARG_TEXT4, run_text },
	['U'] = { "SHORT_BINSTRING", ARG_TEXT1, run_text },
	['B'] = { "BINBYTES", ARG_TEXT4, run_text },
	['C'] = { "SHORT_BINBYTES", ARG_TEXT1, run_text },
	[0x8e] = { "BINBYTES8", ARG_TEXT8, run_text },
	[0x96] = { "BYTEARRAY8", ARG_TEXT8, run_text },
	[']'] = { "EMPTY_LIST", ARG_NONE, run_empty_list },
	[')'] = { "EMPTY_TUPLE", ARG_NONE, run_empty_list },
	[0x8f] = { "EMPTY_SET", ARG_NONE, run_empty_list },
	['}'] = { "EMPTY_DICT", ARG_NONE, run_empty_map },
	['t'] = { "TUPLE", ARG_NONE, run_tuple },
	[0x91] = { "FROZENSET", ARG_NONE, run_tuple },
	[0x85] = { "TUPLE1", ARG_NONE, run_tuple_of },
	[0x86] = { "TUPLE2", ARG_NONE, run_tuple_of },
	[0x87] = { "TUPLE3", ARG_NONE, run_tuple_of },
	['a'] = { "APPEND", ARG_NONE, run_append },
	['e'] = { "APPENDS", ARG_NONE, run_appends },
	[0x90] = { "ADDITEMS", ARG_NONE, run_appends },
	['s'] = { "SETITEM", ARG_NONE, run_setitem },
	['u'] = { "SETITEMS", ARG_NONE, run_setitems },
	['h'] = { "BINGET", ARG_U1, run_get },
	['j'] = { "LONG_BINGET", ARG_U4, run_get },
	['q'] = { "BINPUT", ARG_U1, run_put },
	['r'] = { "LONG_BINPUT", ARG_U4, run_put },
	[0x94] = { "MEMOIZE", ARG_NONE, run_memoize },
	/* What imports, calls or asks the caller for something. */
	['c'] = { "GLOBAL", ARG_NONE, run_refused },
	[0x93] = { "STACK_GLOBAL", ARG_NONE, run_refused },
	['R'] = { "REDUCE", ARG_NONE, run_refused },
	['b'] = { "BUILD", ARG_NONE, run_refused },
	['i'] = { "INST", ARG_NONE, run_refused },
	['o'] = { "OBJ", ARG_NONE, run_refused },
	[0x81] = { "NEWOBJ", ARG_NONE, run_refused },
	[0x92] = { "NEWOBJ_EX", ARG_NONE, run_refused },
	['P'] = { "PERSID", ARG_NONE, run_refused },
	['Q'] = { "BINPERSID", ARG_NONE, run_refused },
	[0x82] = { "EXT1", ARG_NONE, run_refused },
	[0x83] = { "EXT2", ARG_NONE, run_refused },
	[0x84] = { "EXT4", ARG_NONE, run_refused },
	[0x97] = { "NEXT_BUFFER", ARG_NONE, run_refused },
	[0x98] = { "READONLY_BUFFER", ARG_NONE, run_refused },
	/* Text forms that picklers of protocol 2 have left. */
	['I'] = { "INT", ARG_NONE, run_old },
	['L'] = { "LONG", ARG_NONE, run_old },
	['F'] = { "FLOAT", ARG_NONE, run_old },
	['S'] = { "STRING", ARG_NONE, run_old },
	['V'] = { "UNICODE", ARG_NONE, run_old },
	['g'] = { "GET", ARG_NONE, run_old },
	['p'] = { "PUT", ARG_NONE, run_old },
	['d'] = { "DICT", ARG_NONE, run_old },
	['l'] = { "LIST", ARG_NONE, run_old },
};
