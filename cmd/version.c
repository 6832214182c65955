/*
 * The version line.  The build gives both: the release, from the file VERSION, and the commit.
 */
#include "cmd/version.h"

#include "analyze/input/load.h"
#include "base/str.h"
#include "cmd/output.h"

const char version_release[] = TRACEQ_RELEASE;

int version_print(void)
{
	struct str b = { 0 };

	str_addf(&b, "traceq %s (%s, %s%s%s, %s)\n", version_release, TRACEQ_COMMIT,
		load_inflate_version(), load_archive_version(), load_sqlite_version(),
		load_scanner_name());
	return output_text(&b);
}
