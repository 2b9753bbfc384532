// Every element of the class "explorable" becomes an explorable. The page's address contains the state of the first one
// as #n=19&s=50. For the others, the state is preceded by the name of the figure: #fig-hunt:n=19.

const readSettings = (text) => new Map(text.split("&").filter((part) => part.includes("=")).map((part) => {
	const at = part.indexOf("=");
	let value = part.slice(at + 1, at + 9000);
	try {
		value = decodeURIComponent(value);
	} catch {
		// The value stays as it is, and its field will reject it.
	}
	return [part.slice(0, at), value];
}));

const readAddress = () => {
	const [, figure, settings] = /^#(?:([A-Za-z0-9_.-]+):)?([^:]*=.*)$/s.exec(location.hash.slice(0, 10000)) || [];
	return settings === undefined ? undefined : {figure, values: readSettings(settings)};
};

const all = [];

let heard = location.hash; // the address that the page has already handled
let shown; // the address that the page most recently wrote, or took settings from

// write writes an address, unless the reader has just followed a link that the page will handle next.
const write = (address) => {
	if (location.hash !== heard) return;
	try {
		history.replaceState(history.state, "", address);
		heard = shown = location.hash;
	} catch {
		// The page has no address of its own, for example in a frame.
	}
};

const begin = (root = document) => {
	for (const host of root.querySelectorAll(".explorable:not([data-begun])")) {
		const build = kinds.get(host.dataset.kind);
		if (!build) continue;
		host.dataset.begun = "";
		const block = host.closest(".figure-block") || host;
		const x = new Explorable(host, readSettings(host.dataset.start));
		const prefix = all.length === 0 ? "#" : "#" + block.id + ":";
		x.write = () => write(prefix + x.state());
		x.figure = block.id;
		build(x);
		all.push(x);
	}
};

const outOfSight = (host) => {
	const {top, bottom} = host.getBoundingClientRect();
	return bottom < 0 || top > innerHeight;
};

const restore = () => {
	heard = location.hash;
	const address = readAddress();
	if (!address || all.length === 0 || heard === shown) return;
	const x = address.figure ? all.find((other) => other.figure === address.figure) : all[0];
	if (!x) return;
	for (const {keeping} of all) clearTimeout(keeping);
	shown = heard;
	x.restore(address.values);
	const fold = x.host.closest("details");
	if (fold) fold.open = true;
	if (x !== all[0] || fold || outOfSight(x.host)) x.host.scrollIntoView({block: "center",
		behavior: "instant"}); // smooth scrolling would move things away from the reader's pointer
};

// In a single-file edition, the browser lays out a chapter only when it comes near, so the parts above a target may
// still change their height.
const land = async () => {
	const target = document.querySelector(":target");
	for (let i = 0; target && i < 20; i++) {
		await new Promise(requestAnimationFrame);
		target.scrollIntoView({behavior: "instant"});
	}
};

begin();
restore();
if (document.querySelector(".chapter")) for (const event of ["load", "hashchange"]) addEventListener(event, land);
addEventListener("hashchange", restore);

for (const {dataset, textContent} of document.querySelectorAll("script[data-engine]")) {
	moduleNamed(dataset.engine).start(textContent);
}

return {start: (text, name) => moduleNamed(name).start(text), begin};
