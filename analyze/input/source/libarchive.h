/*
 * libarchive's calls, found when bytes first need them: it brings a dozen libraries along, and a
 * program that is linked to it starts four times as slowly for every file that is none of its own.
 */
#pragma once

#ifdef HAVE_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>

#include "base/program.h"

#define LIBARCHIVE_CALLS(X)                           \
	X(archive_read_new)                           \
	X(archive_read_free)                          \
	X(archive_read_open1)                         \
	X(archive_read_set_read_callback)             \
	X(archive_read_set_seek_callback)             \
	X(archive_read_set_callback_data)             \
	X(archive_read_support_filter_zstd)           \
	X(archive_read_support_filter_xz)             \
	X(archive_read_support_filter_bzip2)          \
	X(archive_read_support_filter_lz4)            \
	X(archive_read_support_format_raw)            \
	X(archive_read_support_format_zip)            \
	X(archive_read_support_format_zip_streamable) \
	X(archive_read_support_format_tar)            \
	X(archive_read_next_header)                   \
	X(archive_read_data_block)                    \
	X(archive_filter_count)                       \
	X(archive_error_string)                       \
	X(archive_entry_pathname)                     \
	X(archive_entry_pathname_utf8)                \
	X(archive_entry_filetype)                     \
	X(archive_entry_hardlink)                     \
	X(archive_entry_size)                         \
	X(archive_entry_size_is_set)                  \
	X(archive_entry_is_encrypted)

LIBRARY(libarchive, "libarchive.so.13", LIBARCHIVE_CALLS)

#define LIBARCHIVE_VERSION ", libarchive " ARCHIVE_VERSION_ONLY_STRING
#else
#define LIBARCHIVE_VERSION ""
#endif
