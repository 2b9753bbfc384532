// Explorables in a notebook. The front end draws an output again when its cell runs, may call begin before the output
// is on the page, and has its own styles and shortcuts. So each explorable has its own shadow tree, which shows the
// output's drawing and does not let keyboard events out. It has no address: the page's address is the notebook's.

const awaken = (host) => {
	host.dataset.begun = "";
	host.dataset.lmSuppressShortcuts = host.dataset.pSuppressShortcuts = "true"; // JupyterLab listens first
	for (const event of ["keydown", "keypress", "keyup", "click", "dblclick"]) {
		host.addEventListener(event, (e) => {
			const [first] = e.composedPath();
			if (first !== host && !host.contains(first)) e.stopPropagation();
		});
	}
	const place = make("div", {className: "explorable"});
	const block = make("div", {className: "figure-block"}, place, make("slot", {className: "picture"}));
	host.attachShadow({mode: "open"}).append(make("style", {}, cellStyle), block);
	kinds.get(host.dataset.kind)(new Explorable(place, new Map(new URLSearchParams(host.dataset.start))));
};

// arrivals starts the new explorables on the page, and returns whether there were any.
const arrivals = (name) => {
	const hosts = [...document.querySelectorAll(".siegebook-explorable[data-script='" + name +
		"']:not([data-begun])")].filter((host) => kinds.has(host.dataset.kind));
	hosts.forEach(awaken);
	return hosts.length > 0;
};

let started = false;

return {
	begin(name, packed) {
		if (!started) moduleNamed("engine").start(packed);
		started = true;
		if (arrivals(name)) return;
		const page = new MutationObserver(() => { if (arrivals(name)) page.disconnect(); });
		page.observe(document, {childList: true, subtree: true});
	},
};
