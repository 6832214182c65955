/* Error values.  Nothing here prints or exits: that is cmd/'s work. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

void err_clear(struct err *e)
{
	*e = (struct err){ .status = OK, .offset = -1, .line = -1 };
}

enum status err_set(struct err *e, enum status status, int64_t offset, const char *fmt, ...)
{
	e->status = status;
	e->offset = offset;
	e->line = -1;
	e->hint[0] = '\0';
	PRINTF_TO(e->text, fmt);
	return status;
}

enum status err_hint(struct err *e, const char *fmt, ...)
{
	PRINTF_TO(e->hint, fmt);
	return e->status;
}

enum status err_hinted(struct err *e, enum status status, const char *hint, const char *fmt, ...)
{
	*e = (struct err){ .status = status, .offset = -1, .line = -1 };
	PRINTF_TO(e->text, fmt);
	return err_hint(e, "%s", hint);
}
