// The checks of a page. Each runs in the page after it has loaded. It returns the faults as sentences, and the number
// of things that it checked.
(() => {
	const name = (element) => element.outerHTML.slice(0, 100).replaceAll(/\s+/g, " ");
	const all = (selector, root = document) => [...root.querySelectorAll(selector)];
	const shown = (list) => list.filter((element) => element.checkVisibility());
	const pageFolds = () => all("details").filter((details) => !details.closest(".explorable")); // see the plays
	const folded = "main details:is(.callout-details, .callout-question)";

	return {

	// fingers: on a phone, folds and sliders must be high enough for a finger, as WCAG 2.5.5 requires.
	fingers() {
		const targets = shown(all("summary, input[type=range]"));
		const low = targets.map((e) => [e, e.getBoundingClientRect().height]).filter(([, height]) => height > 0 && height < 44);
		return {problems: low.map(([e, height]) => `a finger has ${height} pixels: ${name(e)}`), seen: targets.length};
	},

	// settled waits until fonts and explorables are drawn.
	async settled() {
		await document.fonts.ready;
		const busy = () => all(".explorable:not([data-far])").some((e) => e.dataset.drawn === undefined || e.dataset.drawing !== undefined);
		const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
		do await frame(); while (busy());
		globalThis.unfolded ??= all("details").filter((details) => details.open);
	},

	// still: nothing may have moved while a page with explorables loaded, as measured by Chromium. The target of the
	// page's address must be at its place in the window, or as near to it as the page can scroll. According to
	// https://web.dev/articles/cls, a good page has at most 0.1.
	async still() {
		const problems = [], shifts = [];
		const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
		new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({type: "layout-shift", buffered: true});
		for (let last; last !== scrollY; await frame()) last = scrollY;
		const target = document.querySelector(":target");
		if (target) {
			const rest = document.documentElement.scrollHeight - innerHeight - scrollY;
			const off = target.getBoundingClientRect().top - parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) -
				parseFloat(getComputedStyle(target).scrollMarginTop);
			if (off < -4 || Math.min(off, rest) > 4)
				problems.push(`the target #${target.id} is ${Math.round(Math.min(off, rest))} pixels from its place`);
		}
		await new Promise((done) => setTimeout(done, 100));
		const shift = shifts.reduce((sum, s) => sum + s.value, 0);
		const moved = shifts.flatMap((s) => s.sources.map(({node, previousRect: from, currentRect: to}) =>
			(node?.parentElement?.closest("[id]")?.id ?? "") + " " + (node?.className || node?.nodeName) + " from " + [from.y, from.height] + " to " + [to.y, to.height]));
		if (shift > 0.01 && document.querySelector(".explorable")) problems.push(`the page moves by ${shift.toFixed(3)} while it loads: ${moved.join(", ")}`);
		return {problems, seen: target ? 1 : 0};
	},

	// heights returns, for each explorable in a box of a given width, the height that it needs and the height that is
	// reserved for it. It unfolds folded explorables, because they have no height.
	async heights(width) {
		const hosts = all(".explorable:not([data-far])");
		for (const details of all("details:has(.explorable)")) details.open = true;
		const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
		for (const {parentElement: box} of hosts) box.style.inlineSize = width + "px";
		await frame();
		do await frame(); while (hosts.some((e) => e.dataset.drawing !== undefined));
		const kept = hosts.map((e) => parseFloat(getComputedStyle(e).minBlockSize));
		for (const host of hosts) host.style.minBlockSize = 0;
		const needed = hosts.map((e) => Math.ceil(e.parentElement.getBoundingClientRect().height));
		for (const host of hosts) host.style.minBlockSize = "";
		for (const {parentElement: box} of hosts) box.style.inlineSize = "";
		return {heights: hosts.map((e, i) => ({kind: e.dataset.kind, start: e.dataset.start, needed: needed[i], kept: kept[i]}))};
	},

	// reserved: in a box of a given width, the height reserved for an explorable must be the height that it needs, or a
	// little more. Browsers break lines at different places, and between recorded widths the height jumps by whole
	// lines of text. Narrow letters need less height.
	async reserved(width, narrow) {
		const {heights} = await this.heights(width);
		const wrong = heights.filter(({needed, kept}) => !(needed <= kept + 2 && (narrow || needed >= 0.9 * kept - 48)));
		const problems = wrong.map(({kind, needed, kept}) =>
			`${kind}, ${width} pixels wide, is ${needed} pixels high, and ${kept} are reserved: see TestHeights`);
		return {problems, seen: heights.length};
	},

	// inspect checks images, formulas, headings, colours, ids and the width of the page, including folded parts.
	// wantDark reports whether the reader prefers dark pages.
	async inspect(wantDark) {
		const problems = [];
		const say = (text) => problems.push(text);

		// The check includes folded parts, and images below the visible part of the page.
		for (const details of pageFolds()) details.open = true;
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
		const parts = {mfrac: 2, mroot: 2, msub: 2, msup: 2, munder: 2, mover: 2, msubsup: 3, munderover: 3};
		for (const part of all(Object.keys(parts).join())) {
			if (part.childElementCount !== parts[part.localName]) say(`a formula has too few parts, or too many: ${name(part)}`);
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

		// If text is lighter than its background, the page is dark.
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
		return {problems, seen: document.images.length};
	},

	// scroll: a part of the page that scrolls sideways must show at its edge that there is more, and must be reachable
	// by keyboard. It shows this by a background that stays in place while the text moves over it.
	scroll() {
		const problems = [];
		for (const details of pageFolds()) details.open = true;
		const scrolling = all("main, main *").filter((e) => !e.closest(".explorable") &&
			["auto", "scroll"].includes(getComputedStyle(e).overflowX) && e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1);
		for (const element of scrolling) {
			const style = getComputedStyle(element), places = style.backgroundAttachment;
			if (!style.backgroundImage.includes("gradient") || !places.includes("local") || !places.includes("scroll"))
				problems.push("has no sign that it scrolls: " + name(element));
			if (element.tabIndex < 0 && !element.querySelector("a[href], summary, input, [tabindex]"))
				problems.push("scrolls out of the keyboard's reach: " + name(element));
		}
		return {problems, seen: scrolling.length};
	},

	// rings gives the focus to each element that can have it, as a keyboard does, and checks that the focus is visible.
	// If oneOfEach is true, it tests only one of several elements that the style sheet cannot distinguish, because they
	// and the elements around them have the same names and classes.
	rings(oneOfEach) {
		const problems = [], path = (e) => e ? path(e.parentElement) + " " + e.localName + "." + e.className : "";
		let stops = shown(all("a[href], summary, input, button, [tabindex]")).filter((e) => !e.disabled);
		if (oneOfEach) stops = [...new Map(stops.map((e) => [path(e), e])).values()];
		for (const element of stops) {
			element.focus({focusVisible: true, preventScroll: true});
			if (document.activeElement !== element) { problems.push("takes no focus: " + name(element)); continue; }
			const style = getComputedStyle(element), box = element.getBoundingClientRect();
			if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) problems.push("the focus is not seen on " + name(element));
			if (box.width === 0 || box.height === 0) problems.push("has the focus but no size: " + name(element));
			if (element.tabIndex > 0) problems.push("is out of turn: " + name(element));
		}
		document.activeElement.blur();
		return {problems, seen: stops.length};
	},

	// spaced: with the spacing of letters, words and lines that WCAG 1.4.12 defines, the page must not be wider than
	// its window. Formulas that cannot break may be wider.
	spaced() {
		const wider = new CSSStyleSheet();
		wider.replaceSync("* { letter-spacing: .12em !important; word-spacing: .16em !important; line-height: 1.5 !important } p { margin-bottom: 2em !important }");
		document.adoptedStyleSheets = [wider];
		const root = document.scrollingElement, right = root.clientWidth + 0.5;
		const scrolls = (e) => e && e !== root && e !== document.body && (getComputedStyle(e).overflowX !== "visible" || scrolls(e.parentElement));
		const wide = root.scrollWidth <= root.clientWidth ? [] : all("body *").filter((e) =>
			e.getBoundingClientRect().right > right && !scrolls(e) && !e.closest(".nowrap, math"));
		document.adoptedStyleSheets = [];
		return {problems: wide.slice(0, 3).map((e) => "too wide with wider spacing: " + name(e)), seen: 1};
	},

	// calm: nothing may move if the reader prefers no motion.
	calm() {
		const problems = document.getAnimations().map(() => "something moves");
		const behaviour = getComputedStyle(document.documentElement).scrollBehavior;
		if (behaviour !== "auto") problems.push("the page scrolls " + behaviour);
		return {problems, seen: 1};
	},

	// marks: the symbol of a verdict must be inside its coloured box.
	marks() {
		const marks = shown(all(".mark"));
		const outside = marks.filter((mark) => {
			const sign = document.createRange(), box = mark.getBoundingClientRect();
			sign.selectNodeContents(mark);
			const text = sign.getBoundingClientRect();
			return text.left < box.left || text.right > box.right;
		});
		return {problems: outside.map((mark) => "outside of its box is the sign of " + mark.parentNode.textContent), seen: marks.length};
	},

	// columns: the narrow column in the table of confirmed statements must be wide enough for its words.
	columns() {
		const cells = all("[id$='tbl-confirmed'] tbody tr > :first-child");
		const narrow = cells.filter((e) => e.getBoundingClientRect().width < 7 * parseFloat(getComputedStyle(e).fontSize));
		return {problems: narrow.map((e) => "a cell is too narrow for " + e.textContent), seen: cells.length};
	},

	// whole: formulas in the texts and legends of figures must be plain text, and may break only before a relation.
	whole() {
		const texts = shown(all(".explorable p, .explorable th, .explorable td, .legend-label"));
		const broken = texts.flatMap((e) => e.textContent.match(/.{0,20}[^\s:] [−+·] .{0,20}/g) ?? []);
		const kept = document.querySelector("main")?.textContent.match(/\u00a0[−+·]\u00a0/g)?.length ?? 0;
		return {problems: broken.map((text) => "a line may break within " + text), seen: kept};
	},

	// fold closes the folds that inspect opened.
	fold() {
		for (const details of all("details")) details.open = globalThis.unfolded.includes(details);
	},

	// printed returns what printing would cut, in the page's layout on paper. A figure or a similar element must fit on
	// a sheet, and no page break may be inside it; a long table may break between rows. No page break may follow a
	// heading or be inside a note. Nothing may be wider than a sheet, or hidden in a box that scrolls.
	printed(width, height) {
		const problems = [];
		const blocks = all("figure:not(.table-block), .math, tr").filter((e) => e.getBoundingClientRect().height > 0);
		for (const element of blocks) {
			const box = element.getBoundingClientRect();
			if (getComputedStyle(element).breakInside !== "avoid") problems.push("a page break may cut " + name(element));
			if (box.height > height) problems.push(Math.round(box.height) + " pixels high: " + name(element));
		}
		const uncut = (element) => element && (getComputedStyle(element).breakInside === "avoid" || uncut(element.parentElement));
		for (const table of shown(all("main table")))
			if (all("tbody tr", table).length <= 12 && !uncut(table)) problems.push("a page break may cut the short table " + name(table));
		for (const heading of shown(all("h2, h3, h4, dt, .table-block > figcaption")))
			if (getComputedStyle(heading.closest("summary") ?? heading).breakAfter !== "avoid") problems.push("a page break may come behind " + name(heading));
		for (const element of all(".notes"))
			if (getComputedStyle(element).breakInside !== "avoid" || getComputedStyle(element).breakBefore !== "avoid")
				problems.push("a page break may cut off the note " + name(element));
		for (const element of all("img, figcaption, .picture, .legend, .note"))
			if (element.getBoundingClientRect().right > width + 1) problems.push("wider than the sheet: " + name(element));
		for (const element of all("main *"))
			if (["auto", "scroll"].includes(getComputedStyle(element).overflowY) && element.scrollHeight > element.clientHeight + 1 && element.clientHeight > 0)
				problems.push("lower than its text: " + name(element));
		for (const element of shown(all(".site-header nav, .side, .pager, .skip, .search, .site-footer"))) problems.push("on paper: " + name(element));
		return {problems, seen: blocks.length};
	},

	// code: on paper, the folded code of a lesson must not be visible, but the line that replaces it must be.
	code() {
		const problems = shown(all(".code-fold pre")).map((e) => "folded code is on paper: " + name(e));
		const lines = all(".code-fold summary");
		for (const line of lines) if (!line.checkVisibility()) problems.push("not on paper: " + name(line));
		return {problems, seen: lines.length};
	},

	// entries: on paper, all entries must be unfolded.
	entries() {
		const entries = all(".entry");
		const closed = entries.filter((entry) => !entry.querySelector("dl").checkVisibility());
		return {problems: closed.map((entry) => "folded on paper: " + name(entry)), seen: entries.length};
	},

	// answers: on paper, no answer may be visible, except the answers that the reader has opened. The answer sheet must
	// have all answers.
	answers() {
		const problems = [];
		const answers = all(folded), text = (answer) => all(":scope > :not(summary)", answer);
		const want = (what, number) => {
			const got = answers.filter((answer) => shown(text(answer)).length > 0).length;
			if (got !== number) problems.push(what + " " + got + " answers are on paper, not " + number);
		};
		want("at first", 0);
		if (answers.length === 0) return {problems, seen: 0};
		answers[0].open = true;
		want("with one opened", 1);
		answers[0].open = false;
		location.hash = document.querySelector(".answer-sheet > a")?.hash ?? "";
		want("on the answer sheet", answers.length);
		location.hash = "";
		return {problems, seen: answers.length};
	},

	// paint gives the text of each answer its own colour. A PDF contains the colours of the printed text, but its
	// letters only as glyph numbers.
	paint() {
		all(folded).forEach((answer, i) => {
			for (const e of all(":scope > :not(summary), :scope > :not(summary) *", answer)) {
				e.style.setProperty("color", "rgb(3, 250, " + (i + 1) + ")", "important");
				e.style.setProperty("print-color-adjust", "exact", "important");
			}
		});
		return {problems: [], seen: all(folded).length};
	},

	// provoke activates everything that could react, and returns the attacks that ran, and everything that does not
	// belong on a page.
	async provoke() {
		const problems = [];
		for (const element of document.body.querySelectorAll("*")) {
			for (const type of ["mouseover", "focus", "toggle", "error", "load"]) element.dispatchEvent(new Event(type));
			if (element.click && !element.closest("a")) element.click();
			for (const attribute of element.attributes) {
				if (/^on/i.test(attribute.name)) problems.push("has the handler " + attribute.name + ": " + name(element));
				if (/^\s*(javascript|vbscript|data:text)/i.test(attribute.value) && ["href", "src", "action"].includes(attribute.name)) problems.push("has the address " + attribute.value.slice(0, 40));
			}
			if (["script", "iframe", "object", "embed", "form", "base", "style", "link", "meta", "template", "dialog", "input", "button", "video", "audio"].includes(element.localName))
				problems.push("holds " + name(element));
			const style = getComputedStyle(element);
			if (style.position === "fixed" || style.zIndex > 2) problems.push("may cover the page: " + name(element));
		}
		for (const a of document.querySelectorAll("a")) if (/^\s*javascript:/i.test(a.getAttribute("href"))) a.click();
		await new Promise((done) => setTimeout(done, 300));
		const text = document.querySelector("h1"), box = text.getBoundingClientRect();
		scrollTo(0, 0);
		const top = document.elementFromPoint(box.left + 5, text.getBoundingClientRect().top + 5);
		if (!text.contains(top)) problems.push("the title is covered");
		for (const what of window.struck || []) problems.push("ran: " + what);
		return {problems, seen: 0};
	},

	};
})()
