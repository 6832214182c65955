# Pickles that are none, or would run something; a version that is not read; names with escapes.
. "$T/dumps.sh"
printf '\200\002}(X\007\0\0\0versionX\003\0\0\0002.9X\011\0\0\0pg_configcos\nsystem\nU\002idR' >_dump_0
"$TRACEQ" hang _dump_0
printf '\200\002}(X\007\0\0\0versionX\003\0\0\0001.4X\011\0\0\0pg_config}u.' >_dump_0
"$TRACEQ" hang _dump_0
printf '\200\002}(X\007\0\0\0versionX\377\377\377\1772.9X\011\0\0\0pg_config' >_dump_0
"$TRACEQ" hang _dump_0
dump 0 'W: 0,1' <<<'1 W all_\u001b[31mreduce 1 scheduled [8] Fl\noat'
dump 1 'W: 0,1' </dev/null
"$TRACEQ" hang .
