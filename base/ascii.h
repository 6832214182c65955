/*
 * Letters, digits and blanks of ASCII, whatever the locale.
 */
#ifndef BASE_ASCII_H
#define BASE_ASCII_H

#include <stdbool.h>

static inline bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static inline bool is_letter(char c)
{
	return (unsigned char)((c | 0x20) - 'a') < 26;
}

static inline bool is_space_or_tab(char c)
{
	return c == ' ' || c == '\t';
}

#endif
