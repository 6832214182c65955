/* What a reading of a file of tables takes back. */
#undef TABLES
#undef TABLE
#undef COLUMN
#undef END
#undef TWIN
#undef END_TWIN
#undef SAME
#undef BORROWED
#undef NOTE
#undef END_TABLES
