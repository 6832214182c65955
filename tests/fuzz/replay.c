/* A plain main() for a fuzz target: runs it once on the empty input and on each file named, or
 * found in the folders named, so that the corpora are regression tests with any compiler and
 * sanitizer.
 *
 * A child process works through the inputs and notes in shared memory where it is.  When it dies or
 * takes longer than INPUT_SECONDS of the processors' time (beside others' work a clock says
 * little), or WAIT_SECONDS of a clock, that input has failed and a new child goes on with the next
 * one. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INPUT_SECONDS = 60, WAIT_SECONDS = 600 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

struct inputs {
	char **path; /* "" is the empty input */
	size_t n;
};

static void fail(const char *what)
{
	perror(what);
	exit(2);
}

static void inputs_add(struct inputs *in, const char *path)
{
	char **grown = realloc(in->path, (in->n + 1) * sizeof(*grown));

	if (!grown)
		fail("realloc");
	in->path = grown;
	in->path[in->n] = strdup(path);
	if (!in->path[in->n++])
		fail("strdup");
}

/* Adds a file, or the files of a folder in the order of their names. */
static void inputs_find(struct inputs *in, const char *path)
{
	struct dirent **entry;
	struct stat st;
	int n;

	if (stat(path, &st) != 0)
		fail(path);
	if (!S_ISDIR(st.st_mode)) {
		inputs_add(in, path);
		return;
	}
	n = scandir(path, &entry, NULL, alphasort);
	if (n < 0)
		fail(path);
	for (int i = 0; i < n; i++) {
		char name[4096];

		snprintf(name, sizeof(name), "%s/%s", path, entry[i]->d_name);
		if (entry[i]->d_name[0] != '.' && stat(name, &st) == 0 && S_ISREG(st.st_mode))
			inputs_add(in, name);
		free(entry[i]);
	}
	free(entry);
}

/* Runs one input from a block of exactly its size, so that reading past its end is seen. */
static void run_input(const char *path)
{
	FILE *f;
	struct stat st;
	uint8_t *data;
	size_t size;

	if (!*path) {
		LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
		return;
	}
	f = fopen(path, "rb");
	if (!f || fstat(fileno(f), &st) != 0)
		fail(path);
	size = (size_t)st.st_size;
	data = malloc(size ? size : 1);
	if (!data || fread(data, 1, size, f) != size)
		fail(path);
	fclose(f);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
}

static void run_from(const struct inputs *in, size_t first, volatile size_t *now)
{
	const struct itimerval limit = { .it_value.tv_sec = INPUT_SECONDS };

	for (size_t i = first; i < in->n; i++) {
		*now = i;
		(void)setitimer(ITIMER_PROF, &limit, NULL);
		alarm(WAIT_SECONDS);
		run_input(in->path[i]);
	}
	(void)setitimer(ITIMER_PROF, &(struct itimerval){ 0 }, NULL);
	alarm(0);
	*now = in->n;
	exit(0);
}

static void report(const struct inputs *in, size_t i, int status)
{
	const char *path = "(at exit: leaks)";

	if (i < in->n)
		path = *in->path[i] ? in->path[i] : "(empty)";
	if (WIFSIGNALED(status))
		fprintf(stderr, "FAIL %s: %s\n", path, strsignal(WTERMSIG(status)));
	else
		fprintf(stderr, "FAIL %s: exit %d\n", path, WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
	struct inputs in = { NULL, 0 };
	size_t failed = 0, first = 0;
	volatile size_t *now =
		mmap(NULL, sizeof(*now), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (now == MAP_FAILED)
		fail("mmap");
	inputs_add(&in, "");
	for (int i = 1; i < argc; i++)
		inputs_find(&in, argv[i]);
	LLVMFuzzerInitialize(&argc, &argv);
	do {
		int status;
		pid_t child = fork();

		if (child < 0)
			fail("fork");
		if (child == 0)
			run_from(&in, first, now);
		if (waitpid(child, &status, 0) < 0)
			fail("waitpid");
		if (status == 0)
			break;
		report(&in, *now, status);
		failed++;
		first = *now + 1;
	} while (first < in.n);
	printf("%zu passed, %zu failed\n", failed > in.n ? 0 : in.n - failed, failed);
	for (size_t i = 0; i < in.n; i++)
		free(in.path[i]);
	free(in.path);
	return failed != 0;
}
