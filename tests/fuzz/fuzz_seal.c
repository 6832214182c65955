/* Sealing: any bytes as a capture file.  It is sealed, and then marked so and no longer than its
 * checkpoint and an end; or it is refused with words, and then untouched.  A sealed file is
 * complete the second time. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/seal.h"
#include "capture/settings.h"
#include "capture/launch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void as_file(const uint8_t *data, size_t size)
{
	char path[64], error[CAPTURE_WORDS_MAX] = "";
	int fd = memfd_create("seal", MFD_CLOEXEC);
	enum seal_status status;
	struct sealed s;
	uint8_t *now;
	struct stat st;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	status = seal_file(path, &s, error);
	if (fstat(fd, &st) != 0)
		abort();
	if (status == SEAL_OK) {
		bool was_complete = s.was_complete;

		if (!was_complete && (uint64_t)st.st_size != s.bytes)
			abort();
		if (seal_file(path, &s, error) != SEAL_OK || !s.was_complete)
			abort();
	} else {
		now = malloc(size + 1);
		if (!now || !error[0] || (size_t)st.st_size != size ||
			pread(fd, now, size, 0) != (ssize_t)size || memcmp(now, data, size) != 0)
			abort();
		free(now);
	}
	(void)close(fd);
}

/* The same bytes as what the launcher and the library send each other. */
static void as_words(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), part[32], error[CAPTURE_WORDS_MAX], value[16384];
	struct capture_settings s, again;
	int64_t kinds;

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = 0;
	(void)status_number(text, "pid", 0);
	status_text(text, "file", part, sizeof(part));
	(void)capture_kinds_parse(text, &kinds, error);
	if (capture_settings_decode(&s, text, error)) {
		if (!capture_settings_encode(&s, value, sizeof(value)) ||
			!capture_settings_decode(&again, value, error) ||
			strcmp(s.out, again.out) != 0 || s.kinds != again.kinds ||
			s.flush_ns != again.flush_ns || s.flow != again.flow)
			abort();
	}
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	as_file(data, size);
	as_words(data, size);
	return 0;
}
