// Shows JupyterLab's outputs in a separate page. The test uses a kernel only through these outputs.
import * as base from "@jupyter-widgets/base";
import { ManagerBase } from "@jupyter-widgets/base-manager";
import * as controls from "@jupyter-widgets/controls";
import widgetStyle from "@jupyter-widgets/controls/css/widgets.built.css";
import { OutputArea, OutputAreaModel } from "@jupyterlab/outputarea";
import { RenderMimeRegistry, standardRendererFactories } from "@jupyterlab/rendermime";
import { KernelManager, ServerConnection } from "@jupyterlab/services";
import { Widget } from "@lumino/widgets";

const rendermime = new RenderMimeRegistry({initialFactories: standardRendererFactories});
const areas = [];
let kernel, manager;

const show = (model) => {
	const area = new OutputArea({model, rendermime});
	Widget.attach(area, document.body);
	areas.push(area);
	return area;
};

// Widgets shows widgets as VS Code does, and as JupyterLab with ipywidgets does.
class Widgets extends ManagerBase {
	constructor(connection) {
		super();
		this.connection = connection;
		connection.registerCommTarget(this.comm_target_name, (comm, message) => this.handle_comm_open(new base.shims.services.Comm(comm), message));
	}
	async loadClass(name, module) { return {"@jupyter-widgets/base": base, "@jupyter-widgets/controls": controls}[module][name]; }
	async _create_comm(target, id, data, metadata) {
		const comm = this.connection.createComm(target, id);
		if (data || metadata) comm.open(data, metadata);
		return new base.shims.services.Comm(comm);
	}
	async _get_comm_info() { return (await this.connection.requestCommInfo({target_name: this.comm_target_name})).content.comms; }
	restore() { return this._loadFromKernel(); }
}
const view = "application/vnd.jupyter.widget-view+json";
class WidgetRenderer extends Widget {
	async renderModel(model) {
		const shown = await widgets.create_view(await widgets.get_model(model.data[view].model_id));
		Widget.attach(shown.luminoWidget, this.node);
	}
}
let widgets;

globalThis.lab = {
	// withWidgets begins to show widgets, after start.
	withWidgets() {
		document.head.append(Object.assign(document.createElement("style"), {textContent: widgetStyle}));
		rendermime.addFactory({safe: false, mimeTypes: [view], createRenderer: () => new WidgetRenderer()}, 0);
		widgets = new Widgets(kernel);
	},
	// reloaded returns the number of widgets that a page finds when it is loaded again, and of those that can be moved.
	async reloaded() {
		const found = new Widgets(manager.connectTo({model: kernel.model, handleComms: true}));
		await found.restore();
		const states = Object.values((await found.get_state()).state).map((model) => model.state);
		return states.length + " " + states.filter((state) => state.description && !state.disabled).length;
	},
	async start(name, baseUrl, token) {
		const serverSettings = ServerConnection.makeSettings({baseUrl, wsUrl: baseUrl.replace("http", "ws"), token, appendToken: true});
		manager = new KernelManager({serverSettings});
		kernel = await manager.startNew({name});
		await kernel.info;
	},
	async run(code) {
		const area = show(new OutputAreaModel({trusted: true}));
		const reply = await OutputArea.execute(code, area, {session: {kernel}});
		return reply.content.status;
	},
	// reopen shows an output as it appears in a saved notebook that is not trusted.
	reopen(i) {
		show(new OutputAreaModel({values: areas[i].model.toJSON(), trusted: false}));
	},
	async interrupt() {
		await kernel.interrupt();
		return "";
	},
	async explain(code, cursor_pos) {
		const reply = await kernel.requestInspect({code, cursor_pos, detail_level: 0});
		return reply.content;
	},
};
