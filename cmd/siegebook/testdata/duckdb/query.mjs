// Prints the rows of a query to DuckDB, a line each, with tabs between the values: numbers with all their digits, null
// as \N.
//
//     node query.mjs MODULES QUERY
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [modules, query] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(resolve(modules, 'x.js'))('@duckdb/node-api');

const connection = await (await DuckDBInstance.create(':memory:')).connect();
const result = await connection.stream(query);

function text(value) {
	if (value === null) return '\\N';
	if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value).toString();
	return String(value);
}

for await (const chunk of result) {
	process.stdout.write(chunk.getRows().map((row) => row.map(text).join('\t') + '\n').join(''));
}
