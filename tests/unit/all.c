/* All unit tests in one program, so that the library is linked once: `all test_NAME` is what the
 * program test_NAME is.  Each test's main has the name test_NAME_main (Makefile). */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	char name[128];
	int (*test)(void) = NULL;

	if (argc == 2) {
		snprintf(name, sizeof(name), "%s_main", argv[1]);
		*(void **)&test = dlsym(RTLD_DEFAULT, name);
	}
	if (!test) {
		fprintf(stderr, "usage: all test_NAME\n");
		return 2;
	}
	return test();
}
