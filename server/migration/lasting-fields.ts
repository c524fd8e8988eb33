/** What of an object at the target a later read can be compared with: without counters and clocks that nobody set. */
import type { Catalog } from '../catalog/tool-catalog.ts';
import { lastingFields } from '../dispatch/target-image.ts';
import type { LastingOf } from './target-port.ts';

/** As a plan token binds the target of its write. Of a tool that the catalog lacks it keeps the whole answer. */
export const lastingBy =
  (catalog: Catalog): LastingOf =>
  ({ tool: name }, answer) => {
    const reader = catalog.tool(name);
    return reader === undefined ? answer : lastingFields(reader, answer, catalog);
  };
