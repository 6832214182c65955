/* Letters, digits and blanks of ASCII, whatever the locale. */
#pragma once

#include <stdbool.h>

static inline bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static inline bool is_letter(char c)
{
	return (unsigned char)((c | 0x20) - 'a') < 26;
}

/* What a hexadecimal digit stands for; -1: it is none. */
static inline int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	return (unsigned char)((c | 0x20) - 'a') < 6 ? (c | 0x20) - 'a' + 10 : -1;
}

static inline bool is_hex_digit(char c)
{
	return hex_digit(c) >= 0;
}

static inline bool is_space_or_tab(char c)
{
	return c == ' ' || c == '\t';
}
