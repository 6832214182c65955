/*
 * Folders given where a file is wanted.
 */
#ifndef CMD_FOLDER_H
#define CMD_FOLDER_H

#include "base/err.h"

/*
 * OK unless path is a folder; then E_FORMAT, with up to three files in it that look like traces in
 * the hint.
 */
enum status folder_refuse(const char *path, struct err *e) MUST_CHECK;

#endif
