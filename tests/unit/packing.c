/* Archives, field by field. */
#include "tests/unit/packing.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

const char packing_text[] =
	"{\"traceEvents\": [{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1, \"dur\": 2}]}\n";

/* zstd --check, xz, bzip2 and lz4 of it. */
static const char zstd_bytes[] =
	"\x28\xb5\x2f\xfd\x04\x58\xf9\x01\x00\x7b\x22\x74\x72\x61\x63\x65\x45\x76\x65\x6e"
	"\x74\x73\x22\x3a\x20\x5b\x7b\x22\x70\x68\x22\x3a\x20\x22\x58\x22\x2c\x20\x22\x6e"
	"\x61\x6d\x65\x22\x3a\x20\x22\x61\x22\x2c\x20\x22\x74\x73\x22\x3a\x20\x31\x2c\x20"
	"\x22\x64\x75\x72\x22\x3a\x20\x32\x7d\x5d\x7d\x0a\xf8\xda\x9e\x1d";
static const char xz_bytes[] =
	"\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16\x00\x00\x00"
	"\x74\x2f\xe5\xa3\xe0\x00\x3e\x00\x38\x5d\x00\x3d\x88\x8a\x87\x63\x81\x75\xfb\x1b"
	"\x2b\x34\x11\x86\x8d\x23\x91\x51\x67\x98\x51\xf3\xaa\x78\x91\xd0\xa7\x0c\x1e\x96"
	"\x97\x65\x40\x5e\x44\x10\x16\xd6\x30\x90\x33\x8e\x67\x3d\x02\xb6\x29\xe1\x42\x22"
	"\xd5\x0b\x4d\x0f\x74\x00\x00\x00\xd6\x1b\xa2\xae\x3a\x0d\x48\xc6\x00\x01\x54\x3f"
	"\x46\x00\x37\x48\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59\x5a";
static const char bzip2_bytes[] =
	"\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x16\x8b\xf4\xd2\x00\x00\x1e\x5f\x80\x00"
	"\x10\x50\x04\x30\x10\x02\x00\x00\x4a\x2e\x43\x5f\x0a\x20\x00\x54\x50\x00\x00\x0d"
	"\x3d\x41\xa6\x94\x7a\x9a\x3d\x4c\x8d\x07\xa8\x7a\x93\x40\xc8\x53\x4a\xde\xf1\x05"
	"\xc0\x90\x6d\x60\xa0\xa0\xc8\xad\x56\x90\xf8\x47\x73\xeb\x33\x99\x94\x51\x00\x5e"
	"\x20\x3e\x2e\xe4\x8a\x70\xa1\x20\x2d\x17\xe9\xa4";
static const char lz4_bytes[] =
	"\x04\x22\x4d\x18\x64\x40\xa7\x3e\x00\x00\x00\xf0\x13\x7b\x22\x74\x72\x61\x63\x65"
	"\x45\x76\x65\x6e\x74\x73\x22\x3a\x20\x5b\x7b\x22\x70\x68\x22\x3a\x20\x22\x58\x22"
	"\x2c\x20\x22\x6e\x61\x6d\x65\x0d\x00\x10\x61\x0d\x00\x01\x20\x00\xf0\x00\x31\x2c"
	"\x20\x22\x64\x75\x72\x22\x3a\x20\x32\x7d\x5d\x7d\x0a\x00\x00\x00\x00\xd8\x3d\xb0"
	"\x37";
static const char bomb_bytes[] =
	"\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x0e\x09\xe2\xdf\x01\x5f\x8e\x40\x00\xc0"
	"\x00\x00\x08\x20\x00\x30\x80\x4d\x46\x42\xa0\x25\xa9\x0a\x80\x97\x31\x41\x59\x26"
	"\x53\x59\x0e\x09\xe2\xdf\x01\x5f\x8e\x40\x00\xc0\x00\x00\x08\x20\x00\x30\x80\x4d"
	"\x46\x42\xa0\x25\xa9\x0a\x80\x97\x31\x41\x59\x26\x53\x59\xc4\x60\x0a\x55\x00\x3e"
	"\xd1\x40\x02\xc0\x00\x00\x40\x00\x08\x20\x00\x30\xcc\x09\xaa\x69\xa5\x48\x83\x6a"
	"\x2a\x44\x1e\x2e\xe4\x8a\x70\xa1\x21\xc0\xa8\x89\x2e";

#define BYTES(of)                  \
	{                          \
		of, sizeof(of) - 1 \
	}

const struct packing packings[PACKINGS] = {
	{ "zstd", BYTES(zstd_bytes) },
	{ "xz", BYTES(xz_bytes) },
	{ "bzip2", BYTES(bzip2_bytes) },
	{ "lz4", BYTES(lz4_bytes) },
};

const struct span packing_bomb = BYTES(bomb_bytes);

enum { BLOCK = 512 };

static void fill_block(struct str *out)
{
	while (out->n % BLOCK)
		str_addc(out, '\0');
}

void packing_tar(struct str *out, const char *name, char type, struct span data)
{
	char h[BLOCK] = { 0 };
	unsigned sum = 0;
	size_t i;

	(void)snprintf(h, 100, "%s", name);
	(void)snprintf(h + 100, 8, "0000644");
	(void)snprintf(h + 108, 8, "0000000");
	(void)snprintf(h + 116, 8, "0000000");
	(void)snprintf(h + 124, 12, "%011zo", data.n);
	(void)snprintf(h + 136, 12, "00000000000");
	memset(h + 148, ' ', 8);
	h[156] = type;
	(void)snprintf(h + 157, 100, "%s", type == '1' || type == '2' ? "/etc/passwd" : "");
	memcpy(h + 257, "ustar\00000", 8);
	for (i = 0; i < BLOCK; i++)
		sum += (unsigned char)h[i];
	(void)snprintf(h + 148, 8, "%06o", sum);
	str_add(out, h, BLOCK);
	str_add(out, data.p, data.n);
	fill_block(out);
}

void packing_tar_end(struct str *out)
{
	static const char zeros[2 * BLOCK];

	str_add(out, zeros, sizeof(zeros));
}

static void add_number(struct str *out, size_t v, unsigned bytes)
{
	for (; bytes > 0; bytes--, v >>= 8)
		str_addc(out, (char)(v & 0xff));
}

/* What the local header and the directory's have in common. */
static void add_fields(struct str *out, const char *name, unsigned flags, struct span data)
{
	add_number(out, 20, 2);
	add_number(out, flags, 2);
	add_number(out, 0, 2); /* stored */
	add_number(out, 0x58210000, 4);
	add_number(out, crc32_z(0, (const unsigned char *)data.p, data.n), 4);
	add_number(out, data.n, 4);
	add_number(out, data.n, 4);
	add_number(out, strlen(name), 2);
	add_number(out, 0, 2);
}

void packing_zip_add(struct packing_zip *z, const char *name, unsigned flags, struct span data)
{
	size_t at = z->out.n;

	str_add(&z->out, "PK\3\4", 4);
	add_fields(&z->out, name, flags, data);
	str_adds(&z->out, name);
	str_add(&z->out, data.p, data.n);
	str_add(&z->directory, "PK\1\2\x14\3", 6);
	add_fields(&z->directory, name, flags, data);
	add_number(&z->directory, 0, 6);
	add_number(&z->directory, (size_t)0100644 << 16, 4);
	add_number(&z->directory, at, 4);
	str_adds(&z->directory, name);
	z->n++;
}

void packing_zip_end(struct packing_zip *z)
{
	size_t at = z->out.n;

	str_add(&z->out, z->directory.s, z->directory.n);
	str_add(&z->out, "PK\5\6\0\0\0\0", 8);
	add_number(&z->out, z->n, 2);
	add_number(&z->out, z->n, 2);
	add_number(&z->out, z->directory.n, 4);
	add_number(&z->out, at, 4);
	add_number(&z->out, 0, 2);
}

void packing_zip_free(struct packing_zip *z)
{
	str_free(&z->out);
	str_free(&z->directory);
	z->n = 0;
}
