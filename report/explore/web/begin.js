// Every element of the class "explorable" becomes one. The state of the page's first one stands in the address as
// #n=19&s=50; that of another one has its figure's name in front: #fig-hunt:n=19.

const readSettings = (text) => new Map(text.split("&").filter((part) => part.includes("=")).map((part) => {
	const at = part.indexOf("=");
	let value = part.slice(at + 1, at + 9000);
	try {
		value = decodeURIComponent(value);
	} catch {
		// It stays as it is, and will be refused.
	}
	return [part.slice(0, at), value];
}));

const readAddress = () => {
	const [, figure, settings] = /^#(?:([A-Za-z0-9_.-]+):)?([^:]*=.*)$/s.exec(location.hash.slice(0, 10000)) || [];
	return settings === undefined ? undefined : {figure, values: readSettings(settings)};
};

const all = [];

let heard = location.hash; // the address that the page knows of
let shown; // the address that was written last, or whose settings were taken last

// write writes an address, unless the reader has followed a link, of which the page is about to hear.
const write = (address) => {
	if (location.hash !== heard) return;
	try {
		history.replaceState(history.state, "", address);
		heard = shown = location.hash;
	} catch {
		// A page without an address of its own, as in a frame.
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
		behavior: "instant"}); // whoever takes aim meanwhile does not miss
};

// In an edition of one file, chapters are laid out when they come near, and what is above a target may change its
// height.
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
