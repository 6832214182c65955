# names of columns are labels and families that OpenMetrics takes, and differ from each other
$FIXTURES tiny >t.json
$TRACEQ sql t.json --format openmetrics 'select 1 as "a
b", 2 as "a b", 3 as "1st", 4 as "", 5 as row, char(120, 10, 34, 121) as "input", 1.5 as "p%", 2.5 as "p-", 0.5 as "sum(x_ratio)"'
