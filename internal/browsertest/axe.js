// Runs rules of axe-core on the page, or on the part of it with an id. rules is "all" for all rules, even beyond WCAG,
// "colours" for the rules about colours, or "structure" for the other rules. It returns the findings, and the names of
// the rules that at least one element passes. A check whose result axe cannot determine also counts as a finding,
// except for the contrast of symbols and of text that is not visible. Measuring contrast takes most of the time, so for
// each group of similar texts it measures only two. Similar texts have the same colour, size, weight and backgrounds,
// and are in elements with the same names and classes.
async (rules, part) => {
	const settings = {resultTypes: ["violations", "incomplete"], elementRef: false, selectors: false, preload: false};
	const colours = ["color-contrast", "link-in-text-block"];
	if (rules === "colours") settings.runOnly = colours;
	if (rules === "structure") settings.rules = Object.fromEntries(colours.map((id) => [id, {enabled: false}]));
	const root = part ? document.getElementById(part) : document;
	const numbers = new Map(), contexts = new Map(), alike = new Map();
	const context = (e) => {
		if (e === null) return 0;
		if (!contexts.has(e)) {
			const s = getComputedStyle(e);
			const own = [context(e.parentElement), e.localName, e.className, s.backgroundColor, s.backgroundImage, s.opacity,
				s.color, s.fontSize, s.fontWeight, s.textShadow].join(";");
			if (!numbers.has(own)) numbers.set(own, numbers.size + 1);
			contexts.set(e, numbers.get(own));
		}
		return contexts.get(e);
	};
	for (const e of rules === "structure" ? [] : root.querySelectorAll("*")) {
		delete e.dataset?.alike;
		const text = [...e.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE).map((n) => n.data.trim()).join("");
		if (text === "" || !e.checkVisibility()) continue;
		const kind = context(e) + (text.length === 1 ? " sign" : ""), seen = alike.get(kind) ?? 0;
		if (seen > 1 && e.dataset) e.dataset.alike = "";
		alike.set(kind, seen + 1);
	}
	axe.configure({rules: [{id: "color-contrast", selector: "*:not([data-alike])"}]});
	const result = await axe.run(root, settings);
	const findings = [];
	for (const kind of ["violations", "incomplete"])
		for (const rule of result[kind])
			if (kind === "violations" || rule.id !== "color-contrast") for (const node of rule.nodes)
				findings.push(rule.id + " (" + kind + "): " + rule.help + ": " + node.html.slice(0, 160) + " " +
					[...node.any, ...node.all, ...node.none].map((check) => check.message).join("; "));
	return {findings, passed: result.passes.map((rule) => rule.id)};
}
