// Shows JupyterLab's outputs in a separate page. The test uses a kernel only through these outputs.
import { OutputArea, OutputAreaModel } from "@jupyterlab/outputarea";
import { RenderMimeRegistry, standardRendererFactories } from "@jupyterlab/rendermime";
import { KernelManager, ServerConnection } from "@jupyterlab/services";
import { Widget } from "@lumino/widgets";

const rendermime = new RenderMimeRegistry({initialFactories: standardRendererFactories});
const areas = [];
let kernel;

const show = (model) => {
	const area = new OutputArea({model, rendermime});
	Widget.attach(area, document.body);
	areas.push(area);
	return area;
};

globalThis.lab = {
	async start(name, baseUrl, token) {
		const serverSettings = ServerConnection.makeSettings({baseUrl, wsUrl: baseUrl.replace("http", "ws"), token, appendToken: true});
		kernel = await new KernelManager({serverSettings}).startNew({name});
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
	async explain(code, cursor_pos) {
		const reply = await kernel.requestInspect({code, cursor_pos, detail_level: 0});
		return reply.content;
	},
};
