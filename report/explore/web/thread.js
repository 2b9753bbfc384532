// The code that all threads of a page share: it unpacks a Go module, sends it requests, and runs its timers.
"use strict";
let engine, memory;

const unpack = (packed) => new Response(
	new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();

// ask passes lines of text to the engine. The engine returns the address of five numbers that describe the reply.
const ask = (request) => {
	const letters = new TextEncoder().encode(request);
	const at = engine.request(letters.length);
	new Uint8Array(memory.buffer, at, letters.length).set(letters);
	const place = engine.ask(letters.length);
	const [failed, bytes, size, text, length] = new Uint32Array(memory.buffer.slice(place, place + 20));
	const words = new TextDecoder().decode(new Uint8Array(memory.buffer, text, length));
	if (failed) {
		const [field, ...refused] = words.split("\n");
		return {refused: refused.join(" "), field};
	}
	return {bytes: new Uint8Array(memory.buffer.slice(bytes, bytes + size)), text: words};
};

// poll implements WASI's poll_oneoff in the memory of a view. The timer that would end first ends at once, and there
// are no other events. poll returns the time at which that timer ends.
const poll = (view, time, asked, found, count, events) => {
	let first;
	for (let at = asked; at < asked + 48 * count; at += 48) {
		if (view.getUint8(at + 8) !== 0) continue;
		const ends = view.getBigUint64(at + 24, true) + (view.getUint16(at + 40, true) & 1 ? 0n : time);
		if (!first || ends < first.ends) first = {at, ends};
	}
	view.setUint32(events, first ? 1 : 0, true);
	if (!first) return time;
	view.setBigUint64(found, view.getBigUint64(first.at, true), true);
	new Uint8Array(view.buffer, found + 8, 24).fill(0);
	return first.ends > time ? first.ends : time;
};
