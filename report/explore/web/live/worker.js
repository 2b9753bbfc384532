// The threads of a live page. One builds the page's program: it runs Go's compiler and linker with files in memory. The
// other one runs the program, so that the page can stop it. See live.js.

// WASI error codes and file types.
const ok = 0, badFile = 8, exists = 20, invalid = 28, isFolder = 31, noEntry = 44, notThere = 52, notFolder = 54;
const typeFile = 4, typeFolder = 3, typeStream = 2;

// A file in memory, which grows by doubling.
class MemoryFile {
	constructor(data = new Uint8Array(0)) { Object.assign(this, {data, size: data.length}); }

	resize(size) {
		if (size > this.data.length) {
			const data = new Uint8Array(Math.max(size, 2 * this.data.length, 4096));
			data.set(this.data.subarray(0, this.size));
			this.data = data;
		} else if (size < this.size) {
			this.data = this.data.slice(0, size);
		}
		this.size = size;
	}

	write(bytes, at) {
		if (at + bytes.length > this.size) this.resize(at + bytes.length);
		this.data.set(bytes, at);
	}

	bytes() { return this.data.subarray(0, this.size); }
}

class Exit extends Error {
	constructor(code) {
		super("exit " + code);
		this.code = code;
	}
}

// makeSystem returns the system calls for a run. files maps paths to files; a folder exists if the path of a file
// begins with it. output receives the number of a stream and bytes. A page's program has no files. It sees the same
// times and random bytes as in the build (counted): each reading of the time adds one tick, and sleeps end at once.
const makeSystem = ({args = [], env = [], files, input = new Uint8Array(0), output, counted}) => {
	let memory, time = 0n, next = 4;
	const open = new Map([[0, {stream: true, file: new MemoryFile(input), at: 0}], [1, {stream: true}],
		[2, {stream: true}]]);
	if (files) open.set(3, {folder: ""});
	const view = () => new DataView(memory.buffer);
	const bytes = (at, size) => new Uint8Array(memory.buffer, at, size);
	const put = (at, value) => view().setUint32(at, value, true);
	const put64 = (at, value) => view().setBigUint64(at, BigInt(value), true);
	const lists = (count, size, all) => {
		put(count, all.length);
		put(size, all.reduce((sum, one) => sum + one.length, 0));
		return ok;
	};
	const list = (places, at, all) => {
		for (const one of all) {
			put(places, at);
			bytes(at, one.length).set(one);
			places += 4;
			at += one.length;
		}
		return ok;
	};
	const encode = (all) => all.map((text) => new TextEncoder().encode(text + "\0"));
	const [argBytes, envBytes] = [encode(args), encode(env)];
	const path = (fd, at, size) => {
		const {folder} = open.get(fd) || {};
		if (folder === undefined) return undefined;
		const parts = [];
		for (const part of (folder + "/" + new TextDecoder().decode(bytes(at, size))).split("/")) {
			if (part === "..") parts.pop();
			else if (part && part !== ".") parts.push(part);
		}
		return parts.map((part) => "/" + part).join("");
	};
	const isDir = (name) => name === "" || [...files.keys()].some((file) => file.startsWith(name + "/"));
	const stat = (at, type, size) => {
		bytes(at, 64).fill(0);
		view().setUint8(at + 16, type);
		put64(at + 24, 1);
		put64(at + 32, size);
		return ok;
	};
	const now = (clock) => counted ? ++time
		: BigInt(Math.round(1e6 * (clock === 0 ? Date.now() : performance.now())));
	const vectors = (parts, count) => {
		const v = view(), all = [];
		for (let at = parts; at < parts + 8 * count; at += 8) {
			all.push(bytes(v.getUint32(at, true), v.getUint32(at + 4, true)));
		}
		return all;
	};
	const read = (one, parts, count, done, at) => {
		let sum = 0;
		for (const room of vectors(parts, count)) {
			const some = one.file.bytes().subarray(at + sum, at + sum + room.length);
			room.set(some);
			sum += some.length;
			if (some.length < room.length) break;
		}
		put(done, sum);
		return sum;
	};
	const write = (one, parts, count, done, at) => {
		let sum = 0;
		for (const some of vectors(parts, count)) {
			one.file.write(some, at + sum);
			sum += some.length;
		}
		put(done, sum);
		return sum;
	};
	const unlink = (fd, at, size) => files && files.delete(path(fd, at, size)) ? ok : noEntry;
	// ofFile implements a call on an open file.
	const ofFile = (call) => (fd, ...rest) => open.get(fd)?.file ? call(open.get(fd), ...rest) : badFile;
	const calls = {
		args_sizes_get: (count, size) => lists(count, size, argBytes),
		args_get: (places, at) => list(places, at, argBytes),
		environ_sizes_get: (count, size) => lists(count, size, envBytes),
		environ_get: (places, at) => list(places, at, envBytes),
		clock_time_get: (clock, precision, at) => { put64(at, now(clock)); return ok; },
		random_get: (at, size) => {
			if (counted) bytes(at, size).fill(7);
			else for (let i = 0; i < size; i += 65536) crypto.getRandomValues(bytes(at + i, Math.min(65536, size - i)));
			return ok;
		},
		sched_yield: () => ok,
		proc_exit: (code) => { throw new Exit(code); },
		poll_oneoff: (...places) => { time = poll(view(), time, ...places); return ok; },
		fd_prestat_get: (fd, at) => {
			if (fd !== 3 || !files) return badFile;
			put(at, 0);
			put(at + 4, 1);
			return ok;
		},
		fd_prestat_dir_name: (fd, at) => { bytes(at, 1)[0] = "/".charCodeAt(0); return ok; },
		fd_fdstat_get: (fd, at) => {
			const one = open.get(fd);
			if (!one) return badFile;
			bytes(at, 24).fill(0);
			view().setUint8(at, one.stream ? typeStream : one.folder === undefined ? typeFile : typeFolder);
			if (one.append) view().setUint16(at + 2, 1, true);
			bytes(at + 8, 16).fill(255);
			return ok;
		},
		fd_fdstat_set_flags: () => ok, fd_sync: () => ok,
		fd_filestat_get: (fd, at) => {
			const one = open.get(fd);
			if (!one) return badFile;
			if (one.stream) return stat(at, typeStream, 0);
			return one.file ? stat(at, typeFile, one.file.size) : stat(at, typeFolder, 0);
		},
		fd_filestat_set_size: ofFile((one, size) => { one.file.resize(Number(size)); return ok; }),
		fd_read: ofFile((one, parts, count, done) => {
			one.at += read(one, parts, count, done, one.at);
			return ok;
		}),
		fd_pread: ofFile((one, parts, count, at, done) => {
			read(one, parts, count, done, Number(at));
			return ok;
		}),
		fd_write: (fd, parts, count, done) => {
			const one = open.get(fd);
			if (!one) return badFile;
			if (one.stream) {
				const all = vectors(parts, count);
				for (const some of all) output(fd, some);
				put(done, all.reduce((sum, some) => sum + some.length, 0));
				return ok;
			}
			if (!one.file) return badFile;
			one.at += write(one, parts, count, done, one.append ? one.at = one.file.size : one.at);
			return ok;
		},
		fd_pwrite: ofFile((one, parts, count, at, done) => {
			if (one.stream) return badFile;
			write(one, parts, count, done, Number(at));
			return ok;
		}),
		fd_seek: ofFile((one, offset, from, at) => {
			const to = [0, one.at, one.file.size][from] + Number(offset);
			if (to < 0) return invalid;
			one.at = to;
			put64(at, to);
			return ok;
		}),
		fd_close: (fd) => open.delete(fd) ? ok : badFile,
		path_open: (fd, look, at, size, flags, rights, inherited, how, opened) => {
			const name = files && path(fd, at, size);
			if (name === undefined) return badFile;
			let file = files.get(name);
			if (!file && isDir(name)) {
				open.set(next, {folder: name});
				put(opened, next++);
				return ok;
			}
			if (flags & 2) return file ? notFolder : noEntry;
			if (file && flags & 1 && flags & 4) return exists;
			if (!file && !(flags & 1)) return noEntry;
			if (!file) files.set(name, file = new MemoryFile());
			if (flags & 8) file.resize(0);
			open.set(next, {file, at: 0, append: Boolean(how & 1)});
			put(opened, next++);
			return ok;
		},
		path_filestat_get: (fd, look, at, size, to) => {
			const name = files && path(fd, at, size);
			if (name === undefined) return badFile;
			const file = files.get(name);
			if (file) return stat(to, typeFile, file.size);
			return isDir(name) ? stat(to, typeFolder, 0) : noEntry;
		},
		path_unlink_file: unlink,
		path_create_directory: () => ok, path_remove_directory: () => ok, path_filestat_set_times: () => ok,
		path_rename: (fd, at, size, to, name, length) => {
			const old = path(fd, at, size), file = files && files.get(old);
			if (!file) return noEntry;
			files.delete(old);
			files.set(path(to, name, length), file);
			return ok;
		},
	};
	const system = new Proxy(calls, {get: (all, name) => all[name] || (() => notThere)});
	return {imports: {wasi_snapshot_preview1: system}, begin: (instance) => { memory = instance.exports.memory; }};
};

// bounded returns the module with a limit on its memory, in pages of 64 KiB.
const bounded = (module, most) => {
	const leb = (value) => {
		const out = [];
		for (; value > 127; value = Math.floor(value / 128)) out.push(value % 128 + 128);
		return [...out, value];
	};
	const number = (at) => {
		let value = 0, scale = 1;
		for (;; scale *= 128) {
			const byte = module[at++];
			value += (byte & 127) * scale;
			if (byte < 128) return [value, at];
		}
	};
	for (let at = 8; at < module.length;) {
		const kind = module[at], [size, begin] = number(at + 1);
		if (kind === 5 && module[begin] === 1 && module[begin + 1] === 0) {
			const [least] = number(begin + 2), section = [1, 1, ...leb(least), ...leb(Math.max(least, most))];
			const made = new Uint8Array(at + 1 + section.length + 1 + module.length - begin - size);
			made.set(module.subarray(0, at));
			made.set([5, section.length, ...section], at);
			made.set(module.subarray(begin + size), at + 2 + section.length);
			return made.subarray(0, at + 2 + section.length + module.length - begin - size);
		}
		at = begin + size;
	}
	return module;
};

// The thread that builds programs has the tools, compiled once, and the files that they read.
const mostOfTool = 12288, mostOfProgram = 6144; // limits in pages of memory
let tools, files, packages; // packages lists the packages that cells may use

const load = async ({pieces, parts}) => {
	const all = await new Blob(parts).arrayBuffer();
	tools = {};
	let at = 0;
	for (const {name, size} of pieces) {
		const data = new Uint8Array(await unpack(all.slice(at, at + size)));
		at += size;
		if (name !== "packages") {
			tools[name] = await WebAssembly.compile(bounded(data, mostOfTool));
			postMessage({loaded: name});
			continue;
		}
		// The first line is JSON that lists the packages and their files. The files follow.
		const end = data.indexOf(10);
		let from = end + 1;
		files = new Map();
		let list = "";
		const head = JSON.parse(new TextDecoder().decode(data.subarray(0, end)));
		packages = head.Packages;
		for (const {Path, Size} of head.Files) {
			const file = "/packages/" + Path + ".a";
			files.set(file, new MemoryFile(data.subarray(from, from += Size)));
			list += "packagefile " + Path + "=" + file + "\n";
		}
		files.set("/importcfg", new MemoryFile(new TextEncoder().encode(list)));
	}
};

const settings = ["GOOS=wasip1", "GOARCH=wasm", "GOWASM=satconv,signext", "PWD=/", "TMPDIR=/", "GOGC=400"];

// run runs a tool and returns its exit code and its output.
const run = async (name, args, input) => {
	const said = ["", "", ""], decoder = [0, 1, 2].map(() => new TextDecoder());
	const system = makeSystem({
		args: [name, ...args], env: settings, files, input,
		output: (fd, some) => { said[fd] += decoder[fd].decode(some, {stream: true}); },
	});
	const instance = await WebAssembly.instantiate(tools[name], system.imports);
	system.begin(instance);
	let code = 0;
	try {
		instance.exports._start();
	} catch (fault) {
		if (!(fault instanceof Exit)) throw new Error(name + ": " + fault + " " + said[2].slice(0, 2000));
		({code} = fault);
	}
	return {code, said: said[1], failed: said[2]};
};

const programFile = "/page.go", objectFile = "/page.a", linkedFile = "/page.wasm";

// make returns the program of a page, or the faults in its cells.
const make = async (request, step) => {
	step("compiling");
	for (let tries = 0; tries < 20; tries++) {
		const input = new TextEncoder().encode(JSON.stringify({...request, Packages: packages}));
		const {code, said, failed} = await run("generate", [], input);
		if (code !== 0) throw new Error("generate: " + failed);
		const answer = JSON.parse(said);
		if (answer.Faults) return {faults: answer.Faults};
		files.set(programFile, new MemoryFile(new TextEncoder().encode(answer.Program)));
		const compiled = await run("compile", ["-o", objectFile, "-p", "main", "-complete", "-importcfg", "/importcfg",
			"-pack", "-c=1", "-dwarf=false", programFile]);
		if (compiled.code === 0) break;
		request = {...request, Silent: answer.Silent, Said: compiled.said + compiled.failed};
	}
	step("linking");
	const linked = await run("link", ["-o", linkedFile, "-importcfg", "/importcfg", "-buildmode=c-shared", "-s", "-w",
		"-buildid=", objectFile]);
	if (linked.code !== 0) throw new Error("link: " + linked.said + linked.failed);
	const program = files.get(linkedFile).bytes().slice();
	for (const file of [programFile, objectFile, linkedFile]) files.delete(file);
	return {program};
};

// The thread that runs the page's program stays alive to answer for the program's controls, as in worker.js.
const mostSaid = 4 << 20;

const start = async ({program, name, mark}) => {
	let waiting = [], size = 0, last = performance.now();
	const flush = () => {
		if (waiting.length > 0) postMessage({output: waiting});
		waiting = [];
		last = performance.now();
	};
	const system = makeSystem({counted: true, output: (fd, some) => {
		if (size > mostSaid) return;
		size += some.length;
		waiting.push([fd, some.slice()]);
		if (size > mostSaid) waiting.push([0, new Uint8Array(0)]); // stream 0 means that the limit has been reached
		if (waiting.length > 200 || performance.now() - last > 100) flush();
	}});
	const {instance} = await WebAssembly.instantiate(bounded(program, mostOfProgram), system.imports);
	system.begin(instance);
	engine = instance.exports;
	({memory} = engine);
	try {
		engine._initialize();
		ask("run\n" + name + "\n" + mark);
	} catch (fault) {
		flush();
		return {code: fault instanceof Exit ? fault.code : -1, fault: String(fault.message || fault)};
	}
	flush();
	return {};
};

// Messages are handled one after another.
let busy = Promise.resolve();
onmessage = ({data}) => {
	busy = busy.then(async () => {
		try {
			if (data.pieces) {
				await load(data);
				postMessage({ready: true});
				// The first run is slow, because the browser is still compiling the tools. No reader waits for it.
				await make(data.first, () => {}).catch(() => {});
			} else if (data.make) {
				const made = await make(data.make, (step) => postMessage({step}));
				postMessage({made}, made.program ? [made.program.buffer] : []);
			} else if (data.program) {
				postMessage({ran: await start(data)});
			} else {
				const reply = ask(data.request);
				postMessage({id: data.id, ...reply}, reply.bytes ? [reply.bytes.buffer] : []);
			}
		} catch (fault) {
			postMessage({id: data.id, fault: String(fault.message || fault)});
		}
	});
};
