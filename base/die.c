/*
 * Out of memory: no caller could do anything sensible, so the program ends here, with exit status 2
 * ("no answer"), by plain write(2) since stdio may need memory itself.
 */
#include "base/die.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/io_temp.h"

void die_oom(size_t wanted_bytes)
{
	char line[96];
	int n = snprintf(
		line, sizeof(line), DIE_OOM_WORDS " (%zu more bytes wanted)\n", wanted_bytes);

	io_temp_drop_all();
	if (n > 0 && write(STDERR_FILENO, line, (size_t)n) < 0)
		_exit(2);
	_exit(2);
}
