/* Files of a folder: the list, and what each one is.  What fills it is private to folder.c and
 * archive.c. */
#pragma once

#include "base/base.h"

struct artifact;
struct load_beside;
struct format;
struct head;
struct source;

enum {
	FOLDER_FILES = 10000,   /* looked at; more are counted */
	FOLDER_FOLDERS = 10000, /* walked; more are counted */
	FOLDER_DEPTH = 8        /* folders below one another */
};

enum folder_what {
	FOLDER_TRACE,
	FOLDER_FURTHER, /* a trace that is read by itself (run_parts.h) */
	FOLDER_ARTIFACT,
	FOLDER_TWICE,   /* of the name of a file of the run: see its twin (superseded.h) */
	FOLDER_JOINED,  /* of the same recording as another, which is read (folder.c) */
	FOLDER_BESIDE,  /* a log above several runs, of none of them */
	FOLDER_UNKNOWN, /* nothing that is read here; why says what it seems to be */
	FOLDER_DAMAGED  /* cannot be opened, inflated or told apart; why says so */
};

/* What there is to say of a file that is there twice. */
struct folder_twin {
	const struct folder_file *of; /* the first; once settled, the one that it is a copy of */
	size_t turn;                  /* 1, 2 ...: in which order those of its name are read */
	bool is_other; /* once settled (load_twice.h): it says something else, and is read, too */
};

struct folder_file {
	const char *path; /* to open */
	const char *name; /* below the folder: "torch_profiler/trace.json" */
	enum folder_what what;
	const struct artifact *kind;      /* of FOLDER_ARTIFACT */
	const char *why;                  /* of the last two and FOLDER_JOINED; "" else */
	const struct load_beside *beside; /* of a trace: what is read with it, or NULL */
	const struct format *format;      /* of a trace that is no Chrome JSON, else NULL */
	struct folder_twin *twin;         /* of FOLDER_TWICE; shared by copies of this row */
	/* Once parts_of has looked: a file of its kind beside it that tells of the run later on. */
	const struct folder_file *later;
	const char *run; /* once parts_of has looked: the key of its run (run_parts.h) */
	int64_t bytes;
	unsigned depth;    /* 0: in the folder itself */
	bool is_record;    /* of a file of digests (load_kept.h) */
	bool is_log;       /* of FOLDER_JOINED: of a database (folder.c) */
	bool is_exectrace; /* of FOLDER_UNKNOWN: a PyTorch execution trace (exectrace/) */
	uint32_t check;    /* its checksum */
};

struct folder {
	const char *path;         /* as it was given */
	const char *join;         /* what goes between it and a name: "/", "!", or "" */
	struct folder_file *file; /* those of a folder by name (bytewise), then its subfolders' */
	size_t n, cap;
	int64_t hidden;     /* names with a dot in front, not looked at */
	int64_t too_many;   /* files beyond FOLDER_FILES, folders beyond FOLDER_FOLDERS */
	int64_t too_deep;   /* folders beyond FOLDER_DEPTH */
	int64_t unreadable; /* folders that could not be opened */
	int64_t twice;      /* links to files and folders that are there already */
	int64_t outside;    /* links that lead out of the folder */
	int64_t dangling;   /* links that lead to nothing, or in a circle */
	int64_t special;    /* pipes, sockets, devices, and links to them */
	int64_t linked;     /* links in an archive */
	int64_t upwards;    /* files of an archive whose names lead out of it */
	int64_t doubled;    /* files of an archive with a name that was there before */
	const char *damage; /* where an archive ends too early or is damaged, and how; NULL: nowhere
	                     */
	struct arena mem;   /* owns all of it */
};

/* One more file, to be filled in; NULL, and counted, beyond FOLDER_FILES. */
struct folder_file *folder_file_add(struct folder *f);

/* FOLDER_DAMAGED, as e says. */
void folder_file_damaged(struct folder *f, struct folder_file *file, const struct err *e);

/* What the opened source is, by its beginning; *head is scratch. */
void folder_file_judge(
	struct folder *f, struct folder_file *file, struct source *s, struct head *head);

/* --- archives as folders: read in one pass, in no order but that of a folder's walk --- */

/* True for the path of a file that is an archive with more than one file that is not hidden. */
bool archive_is_folder(const char *path);

/* True for ARCHIVE!NAME/, a folder in an archive.  Looks at names on disk only. */
bool archive_has_folder(const char *path);

/* The files of an archive, or of a folder in it, into *f, which is fresh but for its path, as
 * folder_read does it.  E_IO, E_FORMAT, E_NODATA (no such folder in it), E_LIMIT. */
enum status archive_read(
	struct folder *f, const char *path, const char *inflate, struct err *e) MUST_CHECK;

/* The same for an archive that a folder holds: its files go behind those that *f has, named as if
 * it were a folder of that name, this deep.  One that cannot be read is itself a damaged file of
 * *f. */
void archive_add(struct folder *f, const struct folder_file *archive, const char *inflate);
