/** design_export_drawio: a topology as a draw.io file. */
import { type Diagram, DiagramModel } from '../../../diagram/model.ts';
import type { LocalTool } from '../registry.ts';

export default {
  name: 'design_export_drawio',
  backend: 'design',
  toolset: 'design',
  capability: 'read',
  line: 'Export a network topology as a draw.io file, with icons and one container per group.',
  more: 'Answers the file as text; nothing is written to disk.',
  input: DiagramModel,
  search: { aliases: ['draw.io diagram', 'diagrams.net', 'network drawing'], questions: [] },
  open: () => async (model: Diagram) => {
    const [{ drawable, exported }, { drawioFile }] = await Promise.all([
      import('../../../diagram/drawable.ts'),
      import('../../../diagram/drawio.ts'),
    ]);
    return exported(model.title, 'drawio', 'application/vnd.jgraph.mxfile', drawioFile(drawable(model)));
  },
} satisfies LocalTool<Diagram>;
