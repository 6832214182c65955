/*
 * Paths as a document names them: from the folder it is in.
 */
#ifndef CMD_RELATIVE_H
#define CMD_RELATIVE_H

#include "base/str.h"

/*
 * Appends the folder as a link in the document names it: "charts" or "../charts".  An absolute
 * folder stays as it is, and one that cannot be told (a document on standard output, a folder that
 * is not there) as well.  document: where it will be written, or NULL.
 */
void relative_folder(struct str *b, const char *folder, const char *document);

#endif
