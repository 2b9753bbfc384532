// The part of the plane of all castles that a map shows: from s0 hits and d0 defenders on, in steps of sStep and dStep, a
// cell each. size is the number of columns that there is room for; where numbers end there are fewer.

const castleSizes = [25, 50, 100, 200, 400];

const castlePart = ({s0, d0, sStep, dStep, size}) => {
	const fit = (first, step, room) => Math.min(room, Number((largest - first) / step) + 1);
	return {s0, d0, sStep, dStep, size, columns: fit(s0, sStep, size), rows: fit(d0, dStep, size >> 1)};
};

const castleViewText = ({s0, d0, sStep, dStep, size}) => [s0, d0, sStep, dStep, size].join();

// castleView reads a part as castleViewText writes it: undefined for an empty text, null for what is none.
const castleView = (text) => {
	if (text === "") return undefined;
	const numbers = /^[1-9][0-9]{0,18}(,[1-9][0-9]{0,18}){4}$/.test(text) ? text.split(",").map(BigInt) : [];
	const [s0, d0, sStep, dStep, size] = numbers;
	if (numbers.length !== 5 || numbers.some((number) => number > largest) || !castleSizes.includes(Number(size))) return null;
	return castlePart({s0, d0, sStep, dStep, size: Number(size)});
};

// castleHas says whether a battle is on a part.
const castleHas = ({s0, d0, sStep, dStep, columns, rows}, s, d) => s >= s0 && d >= d0 && s < s0 + sStep * BigInt(columns) && d < d0 + dStep * BigInt(rows);

// castleAround is a part as large as another with a battle in the middle.
const castleAround = (part, s, d) => {
	const from = (value, step, room) => { const before = (value - 1n) / step, half = BigInt(room >> 1); return value - step * (before < half ? before : half); };
	return castlePart({...part, s0: from(s, part.sStep, part.size), d0: from(d, part.dStep, part.size >> 1)});
};

// castleCloser shows half as much each way, castleFarther twice as much; they are undefined where that ends.
const castleCloser = (part) => {
	const half = (step) => step > 1n ? step / 2n : 1n;
	if (part.sStep > 1n || part.dStep > 1n) return {...part, sStep: half(part.sStep), dStep: half(part.dStep)};
	return part.size > castleSizes[0] ? {...part, size: part.size >> 1} : undefined;
};

const castleFarther = (part) => {
	const twice = (step) => step < largest >> 8n ? step * 2n : step;
	if (part.size < castleSizes.at(-1)) return {...part, size: part.size << 1};
	const next = {...part, sStep: twice(part.sStep), dStep: twice(part.dStep)};
	return next.sStep > part.sStep || next.dStep > part.dStep ? next : undefined;
};

// castleWhole is the smallest part from 1 on that shows how n soldiers fare: castles of four hits and two defenders for
// each of them, and the battle itself.
const castleWhole = (n, s, d) => {
	const most = (a, b) => a > b ? a : b, wide = most(4n * n, s), high = most(2n * n, d), last = castleSizes.at(-1);
	let size = 50, sStep = 1n, dStep = 1n;
	while (size < last && (size < wide || size >> 1 < high)) size <<= 1;
	while (sStep * BigInt(size) < wide && sStep < largest >> 8n) sStep *= 2n;
	while (dStep * BigInt(size >> 1) < high && dStep < largest >> 7n) dStep *= 2n;
	return castlePart({s0: 1n, d0: 1n, sStep, dStep, size});
};
