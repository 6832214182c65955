# What is wrong with a statement, where, and what was meant; what it must not do; how long it may take.
"$FIXTURES" tiny >a.json
try() {
	"$TRACEQ" sql "$@" 2>&1
	echo "exit $?"
}
try
try a.json
try 'select 1'
try a.json 'select nme from kernels'
try a.json 'select name from kernel'
try a.json 'select name frm kernels where x'
try a.json 'select k.durns from kernels k'
try a.json 'select count(*) from kernels where'
try a.json 'select 1; drop table events'
try a.json ''
try a.json "attach 'x.db' as x"
try a.json "select load_extension('x')"
try a.json 'delete from events'
try a.json 'pragma journal_mode'
try a.json 'select * from sqlite_schema'
try a.json 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n' --timeout 1
try a.json "with recursive n(i) as (select 1 union all select i + 1 from n) select i, printf('%5000d', i) from n" --memory 8
try a.json 'select 1' --memory 0
try a.json 'select 1' --steps 3
try none.json 'select 1'
