/*
 * Running a pickle: opcode after opcode.
 */
#include "analyze/input/value/pickle.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/input/text/limits.h"
#include "analyze/input/value/pickle_vm.h"

enum { PROTO = 0x80, PROTO_FIRST = 2, PROTO_LAST = 5 };

bool pickle_is(struct span head)
{
	return head.n >= 2 && (unsigned char)head.p[0] == PROTO &&
		(unsigned char)head.p[1] >= PROTO_FIRST && (unsigned char)head.p[1] <= PROTO_LAST;
}

static enum status is_cut(struct pickle_vm *vm, uint64_t wanted)
{
	size_t left = vm->text.n - vm->at;

	(void)err_set(vm->e, E_TRUNCATED, (int64_t)vm->text.n,
		"the pickle ends inside %s at byte %zu: %" PRIu64
		" more byte%s expected, %zu %s there",
		vm->op->name, vm->op_at, wanted, wanted == 1 ? "" : "s", left,
		left == 1 ? "is" : "are");
	return err_hint(vm->e,
		"it was cut off while it was written or copied; copy it again from where it was "
		"written");
}

static uint64_t little(const char *p, size_t n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | (unsigned char)p[n];
	return v;
}

/* n bytes of what is left, or E_TRUNCATED. */
static enum status take(struct pickle_vm *vm, uint64_t n, struct span *out)
{
	if (n > vm->text.n - vm->at)
		return is_cut(vm, n);
	*out = (struct span){ vm->text.p + vm->at, (size_t)n };
	vm->at += (size_t)n;
	return OK;
}

static enum status take_number(struct pickle_vm *vm, size_t n, uint64_t *v)
{
	struct span bytes = { "", 0 };

	TRY(take(vm, n, &bytes));
	*v = little(bytes.p, bytes.n);
	return OK;
}

static enum status take_text(struct pickle_vm *vm, size_t n, struct pickle_given *a)
{
	TRY(take_number(vm, n, &a->v));
	return take(vm, a->v, &a->text);
}

static enum status take_arg(struct pickle_vm *vm, struct pickle_given *a)
{
	switch (vm->op->arg) {
	case ARG_NONE: break;
	case ARG_U1: return take_number(vm, 1, &a->v);
	case ARG_U2: return take_number(vm, 2, &a->v);
	case ARG_U4: return take_number(vm, 4, &a->v);
	case ARG_U8: return take_number(vm, 8, &a->v);
	case ARG_REAL: return take(vm, 8, &a->text);
	case ARG_TEXT1: return take_text(vm, 1, a);
	case ARG_TEXT4: return take_text(vm, 4, a);
	case ARG_TEXT8: return take_text(vm, 8, a);
	case ARG_I4:
		TRY(take_number(vm, 4, &a->v));
		a->v = (uint64_t)(int64_t)(int32_t)(uint32_t)a->v;
		break;
	}
	return OK;
}

static enum status run_op(struct pickle_vm *vm)
{
	struct pickle_given a = { 0, { "", 0 } };

	vm->op_at = vm->at;
	vm->code = (unsigned char)vm->text.p[vm->at++];
	vm->op = &pickle_ops[vm->code];
	if (!vm->op->name) {
		(void)err_set(vm->e, E_SYNTAX, (int64_t)vm->op_at,
			"malformed pickle: 0x%02x where an opcode was expected", vm->code);
		return err_hint(
			vm->e, "the file is damaged; copy it again from where it was written");
	}
	if (vm->nvalue > LIMIT_VALUES)
		return err_set(vm->e, E_LIMIT, (int64_t)vm->op_at,
			"the pickle makes more than %d values", (int)LIMIT_VALUES);
	TRY(take_arg(vm, &a));
	return vm->op->run(vm, a);
}

static enum status run_all(struct pickle_vm *vm)
{
	if (!pickle_is(vm->text)) {
		(void)err_set(vm->e, E_FORMAT, 0,
			"not a pickle of protocol %d to %d: it begins with none of them",
			(int)PROTO_FIRST, (int)PROTO_LAST);
		return err_hint(vm->e, "write it with a protocol of 2 or more");
	}
	while (!vm->is_done) {
		if (vm->at == vm->text.n) {
			(void)err_set(vm->e, E_TRUNCATED, (int64_t)vm->at,
				"the pickle ends before its STOP");
			return err_hint(vm->e,
				"it was cut off while it was written or copied; copy it again "
				"from where it was written");
		}
		TRY(run_op(vm));
	}
	return value_check(vm->result, vm->e);
}

enum status pickle_read(
	struct span text, struct arena *mem, struct value **out, size_t *end, struct err *e)
{
	struct pickle_vm vm = { .text = text, .mem = mem, .e = e };
	enum status st = run_all(&vm);

	if (st == OK) {
		*out = vm.result;
		*end = vm.at;
	}
	free(vm.stack);
	free(vm.mark);
	free(vm.memo);
	return st;
}
