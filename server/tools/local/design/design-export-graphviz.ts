/** design_export_graphviz: a topology in the DOT language. */
import { type Diagram, DiagramModel } from '../../../diagram/model.ts';
import type { LocalTool } from '../registry.ts';

export default {
  name: 'design_export_graphviz',
  backend: 'design',
  toolset: 'design',
  capability: 'read',
  line: 'Export a network topology as Graphviz DOT text, with one cluster per group.',
  more: 'Answers the text; draw it with any Graphviz.',
  input: DiagramModel,
  search: { aliases: ['Graphviz topology', 'DOT graph'], questions: [] },
  open: () => async (model: Diagram) => {
    const [{ drawable, exported }, { graphvizText }] = await Promise.all([
      import('../../../diagram/drawable.ts'),
      import('../../../diagram/graphviz.ts'),
    ]);
    return exported(model.title, 'dot', 'text/vnd.graphviz', graphvizText(drawable(model)));
  },
} satisfies LocalTool<Diagram>;
