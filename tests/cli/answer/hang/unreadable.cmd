# A folder whose dumps cannot be read: why, not that there is none.
mkdir code cut
printf '\200\002}(X\007\0\0\0versionX\003\0\0\0002.9X\011\0\0\0pg_configcos\nsystem\nU\002idR' >code/_dump_0
printf '\200\002}(X\007\0\0\0versionX\003\0\0\0002.9X\011\0\0\0pg_config}u' >cut/_dump_0
for folder in code cut; do
	"$TRACEQ" hang $folder
	echo "exit $?"
done
