// A notebook that a reader writes: a live page without an author's cells. Readers add, move, remove and run cells, and
// store them in an .ipynb file. Cells from a file or an address become text in fields; they never run by themselves.

const mostFile = 20e6, mostCells = 1000; // the maximum number of characters, and of cells

class LiveNotebook extends LivePage {
	// restore creates the notebook, with the cells in the address or with one empty cell.
	restore() {
		this.host = document.querySelector(".live-notebook");
		this.of = new WeakMap(); // the cells by their elements, whose order is the order of the cells
		this.file = {name: this.data.Name + ".ipynb", metadata: {}};
		this.state = make("p", {className: "live-state", role: "status"});
		const field = make("input", {type: "file", accept: ".ipynb", hidden: true});
		field.addEventListener("change", () => this.open(field));
		this.host.before(make("div", {className: "live-bar", role: "group", ariaLabel: liveSay("Notebook")}, field,
			this.button(undefined, "Open", () => field.click()), this.button(undefined, "Save", () => this.save()),
			this.button(undefined, "Copy link", () => this.link(this)), this.state));
		this.fill(this.fromLink() || [{}]);
		addEventListener("beforeunload", (event) => { if (this.unsaved) event.preventDefault(); });
	}

	fromLink() {
		try {
			const [, text] = /^#live:([\w-]+)$/.exec(location.hash);
			const cells = JSON.parse(fromAddress(text)).slice(0, mostCells);
			return cells.map((cell) => ({text: String(cell), prose: Array.isArray(cell)}));
		} catch {
			return undefined; // the address contains no cells
		}
	}

	addressed() { return toAddress(JSON.stringify(this.list.map(({text, prose}) => prose ? [text] : text))); }

	// The reader has written all cells.
	get edited() { return this.cells; }

	// fill appends cells.
	fill(cells) {
		this.host.append(...cells.map((cell) => this.cell(cell).mark));
		this.arrange();
	}

	// cell returns a cell of Go code or of prose. from is its form in a file.
	cell({text = "", prose = false, from = {}}) {
		const cell = {text, prose, from, code: "", given: [], shown: [], bar: make("div", {className: "live-bar"})};
		this.field(cell);
		const button = (label, press) => this.button(cell, label, () => {
			if (this.busy) return this.say(this, "A program is running: press Stop or wait, then change the cells.");
			press();
			this.unsaved = true;
			this.arrange();
		});
		const add = (like) => {
			const added = this.cell(like);
			cell.mark.after(added.mark);
			added.box.focus();
		};
		// Up and Down move the neighbour instead, so that the button keeps the focus.
		cell.bar.append(...prose ? [] : this.runButtons(cell), button("Add Go", () => add({})),
			button("Add text", () => add({prose: true})),
			button("Up", () => cell.place > 1 && cell.mark.after(this.list[cell.place - 2].mark)),
			button("Down", () => cell.place < this.list.length && cell.mark.before(this.list[cell.place].mark)),
			button("Remove", () => this.take([cell], "Bring back the removed cell").focus()),
			...prose ? [] : [cell.progress, cell.state]);
		Object.assign(cell, {listing: cell.box, after: cell.bar});
		cell.mark = make("div", {className: "live-cell", role: "group"}, cell.box, cell.bar);
		this.of.set(cell.mark, cell);
		return cell;
	}

	keys(cell) {
		if (!cell.prose) return super.keys(cell);
		cell.box.wrap = "soft";
		cell.box.spellcheck = true;
		cell.box.classList.add("live-prose");
	}

	named(cell) { return cell.prose ? liveSay("Text of cell {}, in Markdown", cell.place) : super.named(cell); }

	changed(cell) {
		this.unsaved = true;
		if (!this.loading && !cell.prose) this.prepare(cell);
		super.changed(cell);
	}

	// take removes cells, and adds a button that brings them back.
	take(cells, label) {
		if (this.back) this.back.remove();
		const undo = this.button(undefined, label, () => {
			if (this.busy) return;
			this.back.replaceWith(...cells.map(({mark}) => mark));
			this.arrange();
			cells[0].box.focus();
		});
		this.back = make("div", {className: "live-bar"}, undo);
		cells[0].mark.before(this.back);
		for (const {mark} of cells) mark.remove();
		return undo;
	}

	// arrange numbers the cells in order. If the notebook is empty, it adds a cell.
	arrange() {
		const list = () => [...this.host.children].map((mark) => this.of.get(mark)).filter(Boolean);
		if (list().length === 0) this.host.append(this.cell({}).mark);
		this.list = list();
		this.cells = this.list.filter(({prose}) => !prose);
		for (const [i, cell] of this.list.entries()) {
			cell.place = i + 1;
			cell.number = this.cells.indexOf(cell);
			cell.mark.ariaLabel = liveSay("Cell {}", cell.place);
			cell.box.ariaLabel = this.named(cell);
			for (const b of cell.bar.querySelectorAll("button")) b.ariaLabel = this.called(b, cell);
		}
		this.tell();
	}

	tell() {
		const shown = this.stale() >= 0 && document.querySelector(".live-stale");
		this.note.hidden = !shown;
		setText(this.note, liveSay("Outputs with a dashed border are out of date: press Run."));
	}

	// open replaces the cells with the cells of a file. A button restores the old cells.
	async open(field) {
		const [file] = field.files;
		if (!file || this.busy) return;
		try {
			if (file.size > mostFile) throw new Refused("The file is larger than 20 MB: clear its outputs first.");
			const {cells, metadata, language} = this.read(await file.text());
			const before = this.list;
			this.take(before, "Bring back the previous cells");
			if (before.every(({text}) => !text.trim())) this.back.remove();
			this.file = {name: file.name, metadata};
			this.fill(cells);
			this.unsaved = false;
			this.say(this, liveCount(cells.length, "Opened {}: {} cell. Nothing has run.",
				"Opened {}: {} cells. Nothing has run.", file.name) + (/^(go|gonb|)$/i.test(language) ? "" : " " +
				liveSay("The notebook is in {}, but this page runs Go.", language)));
		} catch (fault) {
			this.say(this, fault instanceof Refused ? fault.words : "The file cannot be read.");
		}
		field.value = "";
	}

	// read reads a file.
	read(text) {
		let book;
		try {
			book = JSON.parse(text);
		} catch {
			// The check below rejects the file.
		}
		if (book?.nbformat !== 4 || !Array.isArray(book.cells)) {
			throw new Refused("The file is not a notebook (.ipynb) of version 4: choose another file.");
		}
		if (book.cells.length > mostCells) throw new Refused(liveSay("The notebook has more than {} cells.",
			mostCells));
		const metadata = {...book.metadata}, {kernelspec, language_info: info} = metadata;
		return {
			metadata, language: String(kernelspec?.language || info?.name || ""), cells: book.cells.map((from) => ({
				from, prose: from.cell_type !== "code", text: [from.source].flat().join(""),
			})),
		};
	}

	save() {
		const taken = new Set(this.list.map(({from}) => from.id));
		const ids = new Set();
		let count = 0;
		const id = (given) => {
			const good = /^[\w-]{1,64}$/.test(given || "") && !ids.has(given);
			if (!good) do given = "cell-" + ++count; while (taken.has(given));
			ids.add(given);
			return given;
		};
		const cells = this.list.map(({text, prose, from}) => ({
			cell_type: prose ? from.cell_type === "raw" ? "raw" : "markdown" : "code", id: id(from.id),
			metadata: {...from.metadata},
			...prose ? from.attachments && {attachments: from.attachments} : {execution_count: null, outputs: []},
			source: text.match(/[^\n]*\n|[^\n]+/g) || [],
		}));
		this.offer(this.file.name, "application/x-ipynb+json", JSON.stringify({
			cells, metadata: {...this.data.Notebook.metadata, ...this.file.metadata}, nbformat: 4, nbformat_minor: 5,
		}, null, 1) + "\n");
		this.unsaved = false;
		this.say(this, "Saved as {}, without outputs.", this.file.name);
	}
}
