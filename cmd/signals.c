/*
 * Signals that end the program.
 */
#include "cmd/signals.h"

#include <signal.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/io_temp.h"

static const int deadly[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };

/* The signal is not held back while this runs, so that it ends us here. */
static void end(int number)
{
	io_temp_drop_all();
	(void)signal(number, SIG_DFL);
	(void)raise(number);
}

/* A handler, and not SIG_IGN: programs that are started get the default one back. */
static void go_on(int number)
{
	(void)number;
}

void signals_watch(void)
{
	struct sigaction ours = { .sa_handler = end, .sa_flags = SA_NODEFER };
	struct sigaction large = { .sa_handler = go_on, .sa_flags = SA_RESTART };
	struct sigaction before;
	size_t i;

	(void)sigemptyset(&ours.sa_mask);
	(void)sigemptyset(&large.sa_mask);
	for (i = 0; i < COUNT_OF(deadly); i++)
		if (sigaction(deadly[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			(void)sigaction(deadly[i], &ours, NULL);
	if (sigaction(SIGXFSZ, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
		(void)sigaction(SIGXFSZ, &large, NULL);
}
