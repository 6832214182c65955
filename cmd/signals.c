/* Signals that end the program. */
#include "cmd/signals.h"

#include <signal.h>

#include "base/base.h"
#include "base/io_temp.h"

/* Those that do not end a program, cannot be caught, or are an error of write. */
static const int spared[] = { SIGKILL, SIGSTOP, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGCHLD, SIGURG,
	SIGWINCH, SIGXFSZ };

enum { STACK_BYTES = 1 << 16 };

/* Where the handler runs when the stack itself has overflowed. */
static char stack[STACK_BYTES];

/* The signal is not held back while this runs, so that it ends us here. */
static void end(int number)
{
	io_temp_drop_all();
	(void)signal(number, SIG_DFL);
	(void)raise(number);
}

/* A handler, and not SIG_IGN: programs that are started get the default one back. */
static void go_on(int number UNUSED)
{
}

/* One call in the usual case: a start makes sixty of these. */
static void catch (int number, const struct sigaction *ours)
{
	struct sigaction before;

	if (sigaction(number, ours, &before) == 0 && before.sa_handler != SIG_DFL)
		(void)sigaction(number, &before, NULL);
}

void signals_watch(void)
{
	const stack_t own = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction ours = { .sa_handler = end, .sa_flags = SA_NODEFER };
	struct sigaction large = { .sa_handler = go_on, .sa_flags = SA_RESTART };
	stack_t other;

	(void)sigemptyset(&ours.sa_mask);
	(void)sigemptyset(&large.sa_mask);
	if (sigaltstack(NULL, &other) == 0 && (other.ss_flags & SS_DISABLE) &&
		sigaltstack(&own, NULL) == 0)
		ours.sa_flags |= SA_ONSTACK;
	/* Between the named ones and SIGRTMIN are those that the C library keeps for itself. */
	for (int number = 1; number <= SIGRTMAX; number++)
		if (!ANY(i, COUNT_OF(spared), spared[i] == number))
			catch (number, &ours);
	catch (SIGXFSZ, &large);
}
