/*
 * Running a pickle: opcode after opcode.
 */
#include "analyze/input/value/pickle.h"

#include <stdlib.h>

#include "analyze/input/text/limits.h"
#include "analyze/input/value/pickle_vm.h"

bool pickle_is(struct span head)
{
	return pickle_scan_is(head);
}

static enum status run_op(struct pickle_vm *vm)
{
	struct pickle_given a;

	TRY(pickle_scan_next(&vm->in, &a));
	if (vm->nvalue > LIMIT_VALUES)
		return err_set(vm->in.e, E_LIMIT, vm->in.op_at,
			"the pickle makes more than %d values", (int)LIMIT_VALUES);
	return vm->in.op->run(vm, a);
}

static enum status run_all(struct pickle_vm *vm)
{
	TRY(pickle_scan_begin(&vm->in));
	while (!vm->is_done)
		TRY(run_op(vm));
	return value_check(vm->result, vm->in.e);
}

enum status pickle_read(
	struct span text, struct arena *mem, struct value **out, size_t *end, struct err *e)
{
	struct pickle_vm vm = { .mem = mem };
	enum status st;

	pickle_scan_text(&vm.in, text, e);
	st = run_all(&vm);
	if (st == OK) {
		*out = vm.result;
		*end = (size_t)pickle_scan_place(&vm.in);
	}
	free(vm.stack);
	free(vm.mark);
	free(vm.memo);
	return st;
}
