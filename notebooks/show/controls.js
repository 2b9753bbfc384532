(() => {
"use strict";
// A page may contain other elements with this id: in outputs that it does not trust, whose scripts do not run, and in a
// copy of this output. In place of the controls, they show how to get controls.
const host = [...document.querySelectorAll("#ID")].find((e) => e.dataset.spec && !e.dataset.made);
if (!host) return;
host.dataset.made = "live";
host.replaceChildren();
const spec = JSON.parse(host.dataset.spec);
const random = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");

// All controls on a page share one connection to the kernel.
const hub = globalThis.siegebookControls ??= {page: random(), hears: new Map(), links: new Map()};
const config = () => { try { return JSON.parse(document.getElementById("jupyter-config-data").textContent); } catch { return {}; } };
function link() {
	const known = hub.links.get(spec.kernel);
	if (known && known.readyState < 2) return known;
	const {baseUrl = document.body.dataset.baseUrl ?? "/", wsUrl = "", token = ""} = config();
	const at = new URL((wsUrl || "") + baseUrl + "api/kernels/" + spec.kernel + "/channels", location.href);
	at.protocol = at.protocol.replace("http", "ws");
	at.search = "?session_id=" + random() + (token ? "&token=" + encodeURIComponent(token) : "");
	const socket = new WebSocket(at);
	socket.onmessage = (event) => {
		if (typeof event.data !== "string" || !event.data.includes("siegebook_control")) return;
		const message = JSON.parse(event.data);
		if ((message.header ?? {}).msg_type === "siegebook_control") hub.hears.get(message.content.id)?.(message.content);
	};
	socket.onclose = () => { for (const hear of hub.hears.values()) if (hear.kernel === spec.kernel) hear({ended: "the connection to the kernel was closed"}); };
	hub.links.set(spec.kernel, socket);
	return socket;
}
function ask(what, values = []) {
	if (ended) return;
	const id = random();
	const text = JSON.stringify({
		header: {msg_id: id, session: hub.page, username: "", date: new Date().toISOString(), msg_type: "siegebook_control", version: "5.3"},
		parent_header: {}, metadata: {}, buffers: [], channel: "shell", content: {id: spec.id, page: hub.page, do: what, seq: ++asked, values},
	});
	let socket;
	try { socket = link(); } catch { return end(noKernel); }
	if (socket.readyState === 1) socket.send(text); else socket.addEventListener("open", () => socket.send(text), {once: true});
}
let asked = 0, busy = false, late = false, ended = false, after = null, slow = 0;

const element = (name, properties = {}, ...children) => { const e = Object.assign(document.createElement(name), properties); e.append(...children); return e; };
// Numbers are written as on pages: with commas if they have five digits or more.
const grouped = (whole) => BigInt(whole).toLocaleString("en", {useGrouping: /[0-9]{5}/.test(whole)}).replace("-", "\u2212");
const rows = spec.knobs.map((knob, i) => {
	const id = spec.id + "-" + i;
	const said = element("output", {}, "");
	said.setAttribute("for", id);
	const row = element("div", {className: "siegebook-control"}, element("label", {htmlFor: id, textContent: knob.name}));
	row.style.cssText = "display:flex;flex-wrap:wrap;gap:.6em;align-items:center;margin:.3em 0";
	row.firstChild.style.cssText = "margin:0;min-width:4em";
	let input;
	if (knob.kind === "choice") {
		input = element("select", {id}, ...knob.words.map((word) => element("option", {value: word, textContent: word})));
		input.value = knob.start;
	} else if (knob.kind === "check") {
		input = element("input", {id, type: "checkbox", checked: knob.start === "true"});
	} else if (knob.kind === "field") {
		input = element("input", {id, type: "text", inputMode: "numeric", value: knob.start, size: Math.max(knob.least.length, knob.most.length, 4)});
		said.textContent = grouped(knob.least) + " to " + grouped(knob.most);
	} else {
		input = element("input", {id, type: "range"});
		Object.assign(input, {min: knob.least, max: knob.most, step: 1, value: knob.start});
		input.style.cssText = "flex:1 1 12em;max-width:30em";
	}
	const value = () => knob.kind === "check" ? String(input.checked) : knob.kind === "field" ? input.value.trim() : input.value;
	const say = () => { if (input.type === "range") said.textContent = grouped(input.value); };
	say();
	input.addEventListener(input.type === "text" ? "change" : "input", () => { say(); move(); });
	row.append(input, ...(input.type === "range" || knob.kind === "field" ? [said] : []));
	if (knob.kind === "steps") row.append(player(input, say));
	host.append(row);
	return {input, value};
});

// player returns a button that plays a slider. It takes each step when the drawing of the previous step is shown, but
// not too fast to see.
function player(input, say) {
	const button = element("button", {type: "button", textContent: "\u25b6 play"});
	let playing = false, timer = 0;
	const stop = () => { playing = false; clearTimeout(timer); button.textContent = "\u25b6 play"; };
	const to = (value) => {
		input.value = value;
		say();
		after = () => { if (playing) timer = setTimeout(step, 500); };
		move();
	};
	const step = () => {
		if (!playing || !host.isConnected || ended || input.value === input.max) return stop();
		to(Number(input.value) + 1);
	};
	button.addEventListener("click", () => {
		if (playing) return stop();
		playing = true;
		button.textContent = "\u23f8 pause";
		if (input.value === input.max) to(input.min); else step();
	});
	return button;
}

const note = element("p", {hidden: true});
note.setAttribute("role", "status");
host.append(note);
host.setAttribute("role", "group");
host.setAttribute("aria-label", "Controls");
for (const kind of ["keydown", "keypress", "keyup"]) host.addEventListener(kind, (event) => event.stopPropagation()); // the page must not react to keys
// JupyterLab receives keys first, and looks for these attributes on the focused element.
for (const e of host.querySelectorAll("input, select, button")) e.dataset.lmSuppressShortcuts = e.dataset.pSuppressShortcuts = "true";

// move requests one drawing at a time. If controls move in the meantime, only the last move counts.
function move() {
	if (ended) return;
	if (busy) { late = true; return; }
	busy = true; late = false;
	clearTimeout(slow);
	slow = setTimeout(() => {
		note.hidden = false;
		note.textContent = "Still drawing; the next picture has to wait. To stop the drawing, interrupt the kernel and run the cell again.";
	}, 2000);
	ask("move", rows.map((row) => row.value()));
}
// While the controls are alive, they show their values themselves, so the line of values above the picture is hidden.
// When they have ended, the line is shown again, because it belongs to the picture that stays.
host.append(element("style", {textContent: ":is(.output, .jp-OutputArea):has([data-made=live]) .siegebook-values { display: none }"}));
const noKernel = "No kernel answers here: controls move in Jupyter Notebook, JupyterLab and VS Code. Elsewhere, change the numbers in the cell and run it.";
const end = (text) => {
	ended = true;
	clearTimeout(slow);
	note.hidden = false;
	note.textContent = text;
	for (const e of host.querySelectorAll("input, select, button")) e.disabled = true;
	hub.hears.delete(spec.id);
	host.dataset.made = "ended";
};
const hear = (answer) => {
	if (answer.ended !== undefined) return end("These controls no longer work (" + answer.ended + "): run the cell again.");
	if (answer.seq !== asked) return;
	clearTimeout(slow);
	note.hidden = true;
	host.dataset.drawn = asked;
	busy = false;
	const next = after;
	after = null;
	if (late) move(); else next?.();
	if (late && next) after = next;
};
hear.kernel = spec.kernel;
hub.hears.set(spec.id, hear);
// Only Jupyter's pages contain the addresses of kernels. Exported notebooks do not, and VS Code shows widgets instead.
if (document.getElementById("jupyter-config-data") || document.body.dataset.baseUrl) ask("begin"); else end(noKernel);

// Controls end when their output is gone. They wait for a moment, because an output may be removed and inserted again.
const watch = setInterval(() => {
	if (ended) return clearInterval(watch);
	if (host.isConnected) return;
	clearInterval(watch);
	setTimeout(() => { if (!host.isConnected && !ended) { hub.hears.delete(spec.id); ask("end"); } }, 3000);
}, 1000);
// Controls also end when the reader leaves the page, because a function may still be running.
addEventListener("pagehide", () => { if (!ended) ask("end"); });
})();
