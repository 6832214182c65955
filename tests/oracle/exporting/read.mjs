// Reads Parquet for exports.py by two readers that are not ours: a request a line on stdin, an answer a line.
//   {"sql": STATEMENT}    DuckDB: rows as lists; whole numbers and what JSON has no word for as texts
//   {"file": PATH, "columns": KEYS}   hyparquet: the rows of the file; without columns all of them
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

const require = createRequire(pathToFileURL(`${process.argv[2]}/`));
const { DuckDBInstance } = require('@duckdb/node-api');
const { asyncBufferFromFile, parquetReadObjects } = await import(
	pathToFileURL(`${process.argv[2]}/node_modules/hyparquet/src/node.js`));
const compressors = { GZIP: (input, length) => new Uint8Array(gunzipSync(input, { maxOutputLength: length })) };
const duckdb = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect();

const plain = value => {
	if (typeof value === 'bigint') return { int: value.toString() };
	if (typeof value === 'number') return Number.isFinite(value) ? value : { real: String(value) };
	return value ?? null;
};

async function answer({ sql, file, columns }) {
	if (sql) {
		const reader = await duckdb.runAndReadAll(sql);
		return { keys: reader.columnNames(), rows: reader.getRows().map(row => row.map(plain)) };
	}
	const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file), columns, compressors });
	const keys = columns ?? Object.keys(rows[0] ?? {});
	return { keys, rows: rows.map(row => keys.map(key => plain(row[key]))) };
}

for await (const line of createInterface({ input: process.stdin })) {
	let said;
	try {
		said = JSON.stringify(await answer(JSON.parse(line)));
	} catch (error) {
		said = JSON.stringify({ error: String(error) });
	}
	process.stdout.write(`${said}\n`);
}
