/* Notes: what is remembered of events until somebody goes through them in the order of the file.
 *
 * Windows of events are looked at by several threads, and each leaves its notes behind the other.
 * A note is a struct of the writer's, copied as it is, and some texts. */
#pragma once

#include <stdio.h>

#include "base/base.h"

enum { NOTES_TEXTS = 3 };

/* Appends a note; n <= NOTES_TEXTS texts, the same number in each. */
void notes_add(struct str *notes, const void *head, size_t size, const struct span *text, size_t n);

/* Takes the first note off: head is copied, the texts lie in the notes.  size and n as they were
 * added.  False: there is none. */
bool notes_next(struct span *notes, void *head, size_t size, struct span *text, size_t n);

/* The same from a file, whose next note comes to buf.  False also where it cannot be read. */
bool notes_read(FILE *from, struct str *buf, void *head, size_t size, struct span *text, size_t n);
