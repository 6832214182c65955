/*
 * What the machine says where a pickle is malformed.
 */
#include "analyze/input/value/pickle_vm.h"

enum status pickle_wants(struct pickle_vm *vm, const char *what)
{
	(void)err_set(vm->e, E_SYNTAX, (int64_t)vm->op_at, "malformed pickle: %s wants %s",
		vm->op->name, what);
	return err_hint(vm->e, "the file is damaged; copy it again from where it was written");
}
