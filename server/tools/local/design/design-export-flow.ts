/** design_export_flow: a flow of steps as Mermaid text or as SVG. */
import { type Flow, FlowModel } from '../../../diagram/flow-model.ts';
import type { LocalTool } from '../registry.ts';

export default {
  name: 'design_export_flow',
  backend: 'design',
  toolset: 'design',
  capability: 'read',
  line: 'Export a flow diagram of steps and decisions as Mermaid text or as an SVG picture.',
  more: 'For procedures, change plans and packet paths; nothing is written to disk.',
  input: FlowModel,
  search: { aliases: ['flow chart', 'flow diagram', 'process diagram', 'decision tree'], questions: [] },
  open: () => async (flow: Flow) => {
    const [{ exported }, { checkFlow, flowSvg, mermaidText }] = await Promise.all([
      import('../../../diagram/drawable.ts'),
      import('../../../diagram/flow.ts'),
    ]);
    checkFlow(flow);
    return flow.format === 'svg'
      ? exported(flow.title, 'svg', 'image/svg+xml', flowSvg(flow))
      : exported(flow.title, 'mmd', 'text/vnd.mermaid', mermaidText(flow));
  },
} satisfies LocalTool<Flow>;
