// Explorables in a notebook. An output is drawn anew whenever its cell runs, and is handed over before the page has
// it; styles and shortcuts of the front end are all around. So each explorable has a shadow tree of its own, with the
// drawing in it that the output holds, and keeps to itself what is typed. It has no address: the page's is the
// notebook's.

const awaken = (host) => {
	host.dataset.begun = "";
	host.dataset.lmSuppressShortcuts = host.dataset.pSuppressShortcuts = "true"; // for JupyterLab, which listens first
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

// arrivals wakes what is there, and says whether there was anything.
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
