// The engine runs in this worker, so that the page stays responsive and can stop a long computation. The first message
// contains the compressed module. Each later message is a question {id, request}, in which request is lines of text.

// system returns the system calls for a Go program. The program has no files, no network and no clock: each reading of
// the time adds one tick, a sleep ends at once, and random bytes are always the same. If the program fails, its output,
// in which Go reports the fault, goes to the console.
const system = () => {
	let time = 0n, said = "";
	const view = () => new DataView(memory.buffer);
	const none = (...places) => {
		for (const at of places) view().setUint32(at, 0, true);
		return 0;
	};
	const own = {
		clock_time_get: (clock, precision, at) => { view().setBigUint64(at, ++time, true); return 0; },
		random_get: (at, size) => { new Uint8Array(memory.buffer, at, size).fill(7); return 0; },
		args_sizes_get: (count, size) => none(count, size),
		environ_sizes_get: (count, size) => none(count, size),
		fd_write: (file, parts, count, written) => {
			let sum = 0;
			for (let i = 0; i < count; i++) {
				const at = view().getUint32(parts + 8 * i, true), size = view().getUint32(parts + 8 * i + 4, true);
				said += new TextDecoder().decode(new Uint8Array(memory.buffer, at, size));
				sum += size;
			}
			said = said.slice(-20000);
			view().setUint32(written, sum, true);
			return 0;
		},
		proc_exit: (code) => { throw new Error("the engine ended with " + code + ": " + said.slice(0, 2000)); },
		poll_oneoff: (...places) => { time = poll(view(), time, ...places); return 0; },
		args_get: () => 0, environ_get: () => 0, sched_yield: () => 0,
	};
	const badFile = 8, notThere = 52; // WASI error codes
	return new Proxy(own, {get: (calls, name) => calls[name] ||
		(name.startsWith("fd_") ? () => badFile : () => notThere)});
};

const load = async (packed) => {
	const {instance} = await WebAssembly.instantiate(await unpack(packed), {wasi_snapshot_preview1: system()});
	engine = instance.exports;
	memory = engine.memory;
	engine._initialize();
};

let loaded;
onmessage = async ({data}) => {
	if (data.packed) {
		loaded = load(data.packed);
		loaded.then(() => postMessage({ready: true}), (fault) => postMessage({fault: String(fault.message || fault)}));
		return;
	}
	try {
		await loaded;
		const reply = ask(data.request);
		postMessage({id: data.id, ...reply}, reply.bytes ? [reply.bytes.buffer] : []);
	} catch (fault) {
		postMessage({id: data.id, fault: String(fault.message || fault)});
	}
};
