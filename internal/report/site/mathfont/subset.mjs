// This script makes math.woff2: STIX Two Math with the characters in characters.txt, the MATH table, and all glyphs that
// the table derives from these characters. MODULES is the folder of npm modules that internal/setup/npm.sh makes for
// internal/browsertest.
//
//     node internal/report/site/mathfont/subset.mjs MODULES internal/report/site/mathfont/math.woff2
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [modules, out] = process.argv.slice(2);
const require = createRequire(resolve(modules, 'x.js'));
const fontverter = require('fontverter');
const subset = require('subset-font');

const characters = [];
for (const line of readFileSync(new URL('characters.txt', import.meta.url), 'utf8').split('\n')) {
	const run = /^U\+([0-9A-F]+) U\+([0-9A-F]+) /.exec(line);
	if (!run) continue;
	for (let c = parseInt(run[1], 16); c <= parseInt(run[2], 16); c++) characters.push(c);
}

// tables returns the bytes of each table of a font, by name.
function tables(sfnt) {
	const found = {};
	for (let i = 0; i < sfnt.readUInt16BE(4); i++) {
		const entry = sfnt.subarray(12 + 16 * i);
		found[entry.toString('latin1', 0, 4)] = sfnt.subarray(entry.readUInt32BE(8), entry.readUInt32BE(8) + entry.readUInt32BE(12));
	}
	return found;
}

// mapped returns the set of code points in the format 12 subtables of a cmap table.
function mapped(cmap) {
	const known = new Set();
	for (let i = 0; i < cmap.readUInt16BE(2); i++) {
		const at = cmap.subarray(cmap.readUInt32BE(8 + 8 * i));
		if (at.readUInt16BE(0) !== 12) continue;
		for (let group = 0; group < at.readUInt32BE(12); group++) {
			for (let c = at.readUInt32BE(16 + 12 * group); c <= at.readUInt32BE(20 + 12 * group); c++) known.add(c);
		}
	}
	return known;
}

const source = require.resolve('@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2');
const font = await subset(readFileSync(source), String.fromCodePoint(...characters), { targetFormat: 'woff2' });
const parts = tables(await fontverter.convert(font, 'sfnt'));
const known = mapped(parts.cmap);
const missing = characters.filter((c) => !known.has(c)).map((c) => 'U+' + c.toString(16).toUpperCase());
if (missing.length > 0 || !parts['MATH']) {
	console.error(parts['MATH'] ? `the font has no ${missing.join(' ')}` : 'the font has no MATH table');
	process.exit(1);
}
writeFileSync(out, font);
