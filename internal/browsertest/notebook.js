// Returns the faults in the outputs and formulas of the open notebook, as a list of sentences. It runs in the page of
// Jupyter Notebook 6.
async () => {
	const problems = [];
	const say = (text) => problems.push(text);
	const where = (element) => {
		const cell = element.closest(".cell");
		return `cell ${[...document.querySelectorAll(".cell")].indexOf(cell) + 1}`;
	};

	for (const output of document.querySelectorAll(".output_error, .output_stderr")) {
		say(`${where(output)}: ${output.textContent.trim().slice(0, 200)}`);
	}
	for (const cell of Jupyter.notebook.get_cells()) {
		if (cell.cell_type === "code" && cell.get_text().trim() !== "" && !(cell.input_prompt_number > 0)) {
			say(`${where(cell.element[0])}: it has not run`);
		}
	}

	// If readers can play with a figure, its drawing is only for paper.
	const played = (element) => {
		const host = element.closest(".siegebook-explorable");
		return host && host.shadowRoot && host.shadowRoot.querySelector(".live");
	};
	const pictures = [...document.querySelectorAll(".output img")].filter((picture) => !played(picture));
	if (pictures.length === 0) say("there are no pictures");
	for (const picture of pictures) {
		await picture.decode().catch(() => {});
		const box = picture.getBoundingClientRect();
		if (!(picture.naturalWidth > 0 && box.width > 0 && box.height > 0)) say(`${where(picture)}: a picture is not to be seen`);
		// The keys of a legend are decoration, so their alt text is empty.
		if (!picture.hasAttribute("alt") || (box.width > 100 && picture.alt.trim() === "")) say(`${where(picture)}: a picture has no alt`);
	}
	if (!pictures.some((picture) => picture.getBoundingClientRect().width > 300)) say("there is no picture of some size");

	// A fold has a triangle: its own, or an icon if the page removes it.
	for (const summary of document.querySelectorAll(".text_cell_render summary, .output summary")) {
		if (played(summary)) continue;
		const icon = summary.querySelector(".fa");
		const shown = icon && icon.getBoundingClientRect().width > 0 && getComputedStyle(icon, "::before").content !== "none";
		const own = getComputedStyle(summary).display === "list-item";
		if (!own && !shown) say(`${where(summary)}: a summary has no triangle`);
		if (own && shown) say(`${where(summary)}: a summary has two triangles`);
	}
	// Each key of a legend is next to its label, and the keys form rows.
	const keys = pictures.filter((picture) => picture.alt === "" && picture.getBoundingClientRect().width < 100);
	const legends = new Map();
	for (const key of keys) {
		const box = key.getBoundingClientRect();
		const label = document.createRange();
		label.selectNode(key.nextSibling);
		const text = [...label.getClientRects()].find((rect) => rect.width > 0);
		if (!text || text.left < box.right || text.top > box.bottom || text.bottom < box.top) say(`${where(key)}: a key of the legend is not beside its label`);
		const legend = key.closest("p");
		legends.set(legend, [...(legends.get(legend) || []), Math.round(box.top)]);
	}
	for (const [legend, tops] of legends) {
		if (tops.length > 1 && new Set(tops).size === tops.length) say(`${where(legend)}: each key of the legend has a line of its own`);
	}
	if (keys.length === 0) say("there is no legend");

	const formulas = document.querySelectorAll(".text_cell_render script[type^='math/tex']");
	if (formulas.length === 0) say("there are no formulas");
	for (const formula of formulas) {
		const shown = formula.previousElementSibling;
		const box = shown && (shown.querySelector(".math, math, svg") || shown).getBoundingClientRect();
		if (!box || box.width === 0 || box.height === 0) say(`${where(formula)}: the formula ${formula.textContent} is not typeset`);
		if (shown && shown.querySelector(".merror, .noError, [fill='red']")) say(`${where(formula)}: the formula ${formula.textContent} is broken`);
	}
	for (const text of document.querySelectorAll(".text_cell_render")) {
		const prose = text.cloneNode(true);
		for (const other of prose.querySelectorAll("script, code, pre, .MathJax, .MathJax_Display, .MathJax_Preview, .MathJax_SVG")) other.remove();
		if (prose.textContent.includes("$")) say(`${where(text)}: there is a $ in the text: ${prose.textContent.trim().slice(0, 100)}`);
	}
	return problems;
}
