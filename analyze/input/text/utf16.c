/* UTF-16 decoding. */
#include "analyze/input/text/utf16.h"

#include "base/utf8.h"

static uint32_t unit(const unsigned char *p, bool big_endian)
{
	return big_endian ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

size_t utf16_to_utf8(
	const unsigned char *in, size_t n, bool big_endian, bool last, char *out, size_t *used)
{
	size_t i = 0;
	char *o = out;

	while (n - i >= 2) {
		uint32_t c = unit(in + i, big_endian);
		size_t step = 2;

		if (c >= 0xd800 && c < 0xdc00) {
			if (n - i < 4 && !last)
				break;
			uint32_t low = n - i >= 4 ? unit(in + i + 2, big_endian) : 0;
			if (low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
				step = 4;
			}
		}
		o = utf8_write(o, c >= 0xd800 && c < 0xe000 ? 0xfffd : c);
		i += step;
	}
	if (last && i < n) {
		o = utf8_write(o, 0xfffd);
		i = n;
	}
	*used = i;
	return (size_t)(o - out);
}
