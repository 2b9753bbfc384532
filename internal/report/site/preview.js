// This script shows previews: a small box next to a link displays the link's target. If the target is on the same page,
// the script copies parts of the page. A page on a disk may not load other pages, so this file contains the parts of
// other pages that links lead to. The script never turns text into markup.
"use strict";
((packed) => {
	const main = document.querySelector("main");
	const box = document.createElement("div");
	if (!main || !box.showPopover || !globalThis.DecompressionStream) return;
	box.popover = "manual";
	box.id = "preview";
	box.className = "preview";
	box.setAttribute("role", "tooltip");
	document.body.append(box);

	const wait = 350; // milliseconds before a preview opens or closes
	const namespaces = {math: "http://www.w3.org/1998/Math/MathML", svg: "http://www.w3.org/2000/svg"};
	let elsewhere = null; // parts of other pages, by address: lists of elements [name, attributes, ...children]
	let shown = null; // the link whose preview is open
	let timer = 0;

	const unpack = async () => {
		const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
		const text = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
		return JSON.parse(await text);
	};

	const build = ([name, attributes, ...children], inside) => {
		const space = namespaces[name] || inside;
		const element = space ? document.createElementNS(space, name) : document.createElement(name);
		for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
		element.append(...children.map((child) => typeof child === "string" ? child : build(child, space)));
		return element;
	};

	// standsAt returns the elements that a preview of a target shows. For other pages, preview.go does the same.
	const standsAt = (target) => {
		const entry = target.closest(".entry > summary");
		if (entry) return [entry];
		if (target.closest("details:not([open])")) return []; // an answer that the reader has not opened
		if (/^H[2-6]$/.test(target.tagName)) {
			const all = [target];
			for (let next = target.nextElementSibling; next && !/^H[1-6]$/.test(next.tagName); next = next.nextElementSibling) {
				if (next.tagName === "DETAILS") continue;
				all.push(next);
				const after = next.nextElementSibling;
				if (next.tagName !== "P" || !after || !after.classList.contains("math")) break;
			}
			return all;
		}
		return [target.closest("tr") || target.closest(".figure-block, .table-block, .math, .callout") || target];
	};

	const dropped = ".permalink, .math-number, .math-links, .notes, .footnote-ref, .footnote-backref, .data, .legend, .explorable, .elsewhere, script, details, summary ~ *, aside, button, input, output, pre, .hidden";

	const copy = (part) => {
		const made = part.cloneNode(true);
		for (const gone of made.querySelectorAll(dropped)) gone.remove();
		for (const element of [made, ...made.querySelectorAll("*")]) {
			for (const name of ["id", "href", "tabindex", "role", "aria-labelledby", "aria-label", "aria-describedby"]) element.removeAttribute(name);
		}
		return made;
	};

	const found = async (link) => {
		if (link.pathname === location.pathname) {
			const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
			if (!target || target.contains(link) || target.tagName === "MAIN" || target.classList.contains("chapter")) return [];
			return standsAt(target).filter((part) => !part.contains(link)).map(copy);
		}
		if (!packed) return [];
		elsewhere = elsewhere || await unpack();
		const page = link.pathname.slice(link.pathname.lastIndexOf("/") + 1);
		return (elsewhere[decodeURIComponent(page + link.hash)] || []).map((part) => build(part));
	};

	// A title in the box must not be a heading of the page, nor a part of a list or table a list item or cell.
	const plain = (part) => {
		if (!/^(H[1-6]|SUMMARY|LI|DT|DD|TR|TD|TH)$/.test(part.tagName)) return part;
		const made = document.createElement("div");
		made.className = part.tagName.startsWith("H") ? "preview-title" : "";
		made.append(...part.childNodes);
		for (const heading of made.querySelectorAll("h1, h2, h3, h4, h5, h6")) heading.replaceWith(plain(heading));
		return made;
	};

	const place = (link) => {
		const at = link.getBoundingClientRect(), size = box.getBoundingClientRect();
		const width = document.documentElement.clientWidth, below = innerHeight - at.bottom;
		const top = below > size.height + 8 || below > at.top ? at.bottom + 4 : at.top - size.height - 4;
		box.style.left = Math.max(8, Math.min(at.left, width - size.width - 8)) + scrollX + "px";
		box.style.top = Math.max(4, top) + scrollY + "px";
	};

	const hide = () => {
		clearTimeout(timer);
		if (!shown) return;
		shown.removeAttribute("aria-describedby");
		shown = null;
		box.hidePopover();
	};

	const wanted = (link) => link.matches(":hover, :focus-visible");

	const show = async (link) => {
		if (link === shown || !wanted(link)) return;
		const parts = await found(link);
		if (parts.length === 0 || !wanted(link)) return;
		hide();
		box.replaceChildren(...parts.map(plain));
		box.showPopover();
		place(link);
		shown = link;
		link.setAttribute("aria-describedby", box.id);
	};

	// A preview stays open while the pointer is on the link or the preview, or the link has the focus.
	const settle = () => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			if (shown && !wanted(shown) && !box.matches(":hover")) hide();
		}, wait);
	};
	const begin = (event) => {
		const link = event.target.closest("a[href*='#']:not(.permalink, .contents a, .page-head a, .math-links a, .search-link, [href='#'], [aria-describedby]:not([aria-describedby=preview]))");
		if (!link || link === shown || event.pointerType === "touch") return;
		clearTimeout(timer);
		timer = setTimeout(show, wait, link);
	};
	main.addEventListener("pointerover", begin);
	main.addEventListener("focusin", begin);
	for (const type of ["pointerout", "focusout"]) main.addEventListener(type, settle);
	box.addEventListener("pointerleave", settle);
	main.addEventListener("click", hide);
	document.addEventListener("keydown", (event) => {
		if (event.key !== "Escape") return;
		clearTimeout(timer);
		if (!shown) return;
		event.preventDefault();
		hide();
	});
})
