/** design_export_topology_page: a topology as one web page. */
import { type Diagram, DiagramModel } from '../../../diagram/model.ts';
import type { LocalTool } from '../registry.ts';

export default {
  name: 'design_export_topology_page',
  backend: 'design',
  toolset: 'design',
  capability: 'read',
  line: 'Export a network topology as one interactive web page: zoom, search, details of each node.',
  more: 'The page asks nothing of a network; save it as an HTML file and open it in a browser.',
  input: DiagramModel,
  search: { aliases: ['topology map', 'web topology', 'interactive network map'], questions: [] },
  open: () => async (model: Diagram) => {
    const [{ drawable, exported }, { topologyPage }] = await Promise.all([
      import('../../../diagram/drawable.ts'),
      import('../../../diagram/topology-page.ts'),
    ]);
    return exported(model.title, 'html', 'text/html', topologyPage(drawable(model)));
  },
} satisfies LocalTool<Diagram>;
