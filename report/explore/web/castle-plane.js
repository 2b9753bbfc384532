// The part of the plane of all castles that a map shows: from s0 hits and d0 defenders on, in steps of sStep and dStep, a
// cell each. size is the number of columns that there is room for, high that of rows, half as many unless somebody wants
// another number; where numbers end there are fewer.

const castleSizes = [25, 50, 100, 200, 400];
const castleSmallest = castleSizes[0], castleLargest = castleSizes.at(-1);

const castlePart = ({s0, d0, sStep, dStep, size, high = size >> 1}) => {
	const fit = (first, step, room) => Math.min(room, Number((largest - first) / step) + 1);
	return {s0, d0, sStep, dStep, size, high, columns: fit(s0, sStep, size), rows: fit(d0, dStep, high)};
};

const castleViewText = ({s0, d0, sStep, dStep, size, high}) => [s0, d0, sStep, dStep, size, ...(castleSizes.includes(size) && high === size >> 1 ? [] : [high])].join();

// castleView reads a part as castleViewText writes it: undefined for an empty text, null for what is none.
const castleView = (text) => {
	if (text === "") return undefined;
	const numbers = /^[1-9][0-9]{0,18}(,[1-9][0-9]{0,18}){4,5}$/.test(text) ? text.split(",").map(BigInt) : [];
	const [s0, d0, sStep, dStep] = numbers, [size, high] = numbers.slice(4).map(Number);
	if (numbers.length < 5 || numbers.some((number) => number > largest)) return null;
	if (high === undefined ? !castleSizes.includes(size) : size > castleLargest || high > castleLargest >> 1) return null;
	return castlePart({s0, d0, sStep, dStep, size, high});
};

// castleHas says whether a battle is on a part.
const castleHas = ({s0, d0, sStep, dStep, columns, rows}, s, d) => s >= s0 && d >= d0 && s < s0 + sStep * BigInt(columns) && d < d0 + dStep * BigInt(rows);

// castleAround is a part as large as another with a battle in the middle.
const castleAround = (part, s, d) => {
	const from = (value, step, room) => { const before = (value - 1n) / step, half = BigInt(room >> 1); return value - step * (before < half ? before : half); };
	return castlePart({...part, s0: from(s, part.sStep, part.size), d0: from(d, part.dStep, part.high)});
};

// castleCloser shows half as much each way, castleFarther twice as much; they are undefined where that ends.
const castleCloser = (part) => {
	const half = (step) => step > 1n ? step / 2n : 1n;
	if (part.sStep > 1n || part.dStep > 1n) return {...part, sStep: half(part.sStep), dStep: half(part.dStep)};
	return part.size > castleSmallest ? {...part, size: part.size >> 1, high: Math.max(1, part.high >> 1)} : undefined;
};

const castleFarther = (part) => {
	const twice = (step) => step < largest >> 8n ? step * 2n : step;
	if (part.size < castleLargest) return {...part, size: Math.min(part.size << 1, castleLargest), high: Math.min(part.high << 1, castleLargest >> 1)};
	const next = {...part, sStep: twice(part.sStep), dStep: twice(part.dStep)};
	return next.sStep > part.sStep || next.dStep > part.dStep ? next : undefined;
};

// castleWhole is the smallest part from 1 on that shows how n soldiers fare: castles of four hits and two defenders for
// each of them, and the battle itself.
const castleWhole = (n, s, d) => {
	const most = (a, b) => a > b ? a : b, wide = most(4n * n, s), high = most(2n * n, d), last = castleLargest;
	let size = 50, sStep = 1n, dStep = 1n;
	while (size < last && (size < wide || size >> 1 < high)) size <<= 1;
	while (sStep * BigInt(size) < wide && sStep < largest >> 8n) sStep *= 2n;
	while (dStep * BigInt(size >> 1) < high && dStep < largest >> 7n) dStep *= 2n;
	return castlePart({s0: 1n, d0: 1n, sStep, dStep, size});
};
