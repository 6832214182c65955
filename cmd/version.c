/*
 * The version line.  The build gives the commit: TRACEQ_COMMIT, or TRACEQ_VERSION as `git describe`
 * spells it; the release is written here.
 */
#include "cmd/version.h"

#include "analyze/input/load.h"
#include "base/str.h"
#include "cmd/output.h"

#ifndef TRACEQ_RELEASE
#define TRACEQ_RELEASE "0.1.0"
#endif
#ifndef TRACEQ_COMMIT
#ifdef TRACEQ_VERSION
#define TRACEQ_COMMIT TRACEQ_VERSION
#else
#define TRACEQ_COMMIT "unknown commit"
#endif
#endif

const char version_release[] = TRACEQ_RELEASE;

int version_print(void)
{
	struct str b = { 0 };

	str_addf(&b, "traceq %s (%s, %s%s%s, %s)\n", version_release, TRACEQ_COMMIT,
		load_inflate_version(), load_archive_version(), load_sqlite_version(),
		load_scanner_name());
	return output_text(&b);
}
