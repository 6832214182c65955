/*
 * What the machine says where a pickle is malformed.
 */
#include "analyze/input/value/pickle_vm.h"

enum status pickle_wants(struct pickle_scan *s, const char *what)
{
	(void)err_set(s->e, E_SYNTAX, s->op_at, "malformed pickle: %s wants %s", s->op->name, what);
	return err_hint(s->e, "the file is damaged; copy it again from where it was written");
}
