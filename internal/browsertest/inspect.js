// Returns what is wrong with the page as a list of sentences. It runs in the page after it has loaded; wantDark is what the
// reader prefers.
async (wantDark) => {
	const problems = [];
	const say = (text) => problems.push(text);
	const name = (element) => element.outerHTML.slice(0, 100).replaceAll(/\s+/g, " ");

	// Folded parts and images below the fold count too.
	for (const details of document.querySelectorAll("details")) details.open = true;
	for (const image of document.images) {
		image.loading = "eager";
		await image.decode().catch(() => {});
		if (!(image.complete && image.naturalWidth > 0)) say(`the image ${image.currentSrc || image.src} is not loaded`);
		if (!image.hasAttribute("alt")) say(`the image ${image.currentSrc || image.src} has no alt`);
	}
	await document.fonts.ready;

	const root = document.scrollingElement;
	if (root.scrollWidth > root.clientWidth) {
		const right = root.clientWidth + 0.5;
		const scrolls = (element) => element && element !== root && element !== document.body &&
			(getComputedStyle(element).overflowX !== "visible" || scrolls(element.parentElement));
		const wide = [...document.body.querySelectorAll("*")].find((element) =>
			element.getBoundingClientRect().right > right && !scrolls(element));
		say(`the page is ${root.scrollWidth} pixels wide in a window of ${root.clientWidth}` + (wide ? `, by ${name(wide)}` : ""));
	}

	for (const math of document.querySelectorAll("math")) {
		if (!math.checkVisibility()) continue;
		const box = math.getBoundingClientRect();
		if (box.width === 0 || box.height === 0) say(`the formula ${name(math)} has no size`);
		if (math.namespaceURI !== "http://www.w3.org/1998/Math/MathML") say(`the formula ${name(math)} is not MathML`);
	}

	let level = 0;
	const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter((heading) => heading.checkVisibility());
	for (const heading of headings) {
		const next = Number(heading.localName[1]);
		if (next > level + 1) say(`the heading "${heading.textContent.trim()}" of level ${next} comes after one of level ${level}`);
		if (next === 1 && level > 0) say(`the heading "${heading.textContent.trim()}" is a second one of level 1`);
		level = next;
	}
	if (level === 0) say("the page has no heading");

	// Text lighter than its ground means a dark page.
	const light = (colour) => {
		const [r, g, b] = colour.match(/[\d.]+/g).map(Number);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const ground = [document.body, document.documentElement].map((element) => getComputedStyle(element).backgroundColor)
		.find((colour) => colour !== "rgba(0, 0, 0, 0)") || "rgb(255, 255, 255)";
	const dark = light(getComputedStyle(document.body).color) > light(ground);
	if (dark !== wantDark) say(`the page is ${dark ? "dark" : "light"}, the reader prefers the other`);

	const ids = new Set();
	for (const element of document.querySelectorAll("[id]")) {
		if (ids.has(element.id)) say(`the id ${element.id} is given twice`);
		ids.add(element.id);
	}
	return problems;
}
