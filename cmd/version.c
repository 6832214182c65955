/* The version line, and the command that prints it as --version does.  The build gives both: the
 * release, from the file VERSION, and the commit. */
#include "cmd/version.h"

#include "analyze/input/load.h"
#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/say.h"

const char version_release[] = TRACEQ_RELEASE;

int version_print(void)
{
	struct str b = { 0 };

	str_addf(&b, "traceq %s (%s, %s%s%s, %s)\n", version_release, TRACEQ_COMMIT,
		load_inflate_version(), load_archive_version(), load_sqlite_version(),
		load_scanner_name());
	return output_text(&b);
}

static int print(const struct command_line *line UNUSED, void *ctx UNUSED, const char **word UNUSED,
	size_t n)
{
	return n ? say_failure("version: takes no words") : version_print();
}

static int run(const struct command_line *line)
{
	return options_run("version", NULL, 0, NULL, line, print, NULL);
}

/* So that no file is completed. */
static void no_words(const struct commands *all UNUSED, struct str *out UNUSED)
{
}

COMMAND(version) = {
	.name = "version",
	.summary = "which traceq this is, as --version",
	.operands = "",
	.doc = "Prints the release, the commit it was built from, and what it decompresses and scans "
	       "with.",
	.examples = "traceq version\n",
	.words = no_words,
	.run = run,
};
