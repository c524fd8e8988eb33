/** The catalog of tools: there, whole, and made from what there is now. It is built at the first start where it is not. */
import { decideFor } from '../../access/access-policy.ts';
import type { CatalogSummary } from '../../catalog/summary.ts';
import { type Config, servedProducts } from '../../config/config.ts';
import { RouterError } from '../../errors.ts';
import { catalogState } from '../../open-catalog.ts';
import { type Check, type Finding, fail, notable, ok, warn } from '../doctor-check.ts';
import type { Installation } from '../installation.ts';
import { unusableFolder } from '../unusable-folder.ts';

export default {
  id: 'catalog',
  order: 210,
  inside: true,
  needs: 'config',
  look: ({ config, command }) => {
    if (config instanceof RouterError) return [];
    const state = catalogState(config);
    const build = command('catalog');
    // A router that finds none builds it, or ends.
    const problem = 'folder' in state ? undefined : unusableFolder(config.catalogDir, 'SVC_MCP_CATALOG_DIR');
    if (problem) return [fail('catalog', `has to be built, and ${problem.what}`, problem.remedy)];
    switch (state.kind) {
      case 'missing':
        return [warn('catalog', `not built in ${config.catalogDir}`, build)];
      case 'other-format':
        return [warn('catalog', 'was built by another version', build)];
      case 'damaged':
        return [fail('catalog', `is not whole in ${config.catalogDir}`, build)];
      case 'stale':
        return [warn('catalog', 'is older than the documents or settings it is made from', build)];
      default:
        return [whole(state.summary, config, command)];
    }
  },
} satisfies Check;

/** The default build leaves out the write tools of optional products. Where one of those may be called, that is a fault. */
function whole(
  { tools, quarantined, scope }: CatalogSummary,
  config: Config,
  command: Installation['command'],
): Finding {
  const text = `${tools} tools, ${quarantined.length} operations set aside`;
  if (scope.complete) return ok('catalog', text);
  const products = servedProducts(config);
  const open = products.filter((id) => decideFor(config, id, 'write').allowed);
  if (open.length > 0)
    return warn(
      'catalog',
      `was built without the write tools of optional products, and writes of ${open.join(', ')} are enabled: find_tool finds none of them`,
      command('catalog', '--complete-catalog'),
    );
  const without = (which: string) => `${text}, without the write tools of ${which} (--complete-catalog adds them)`;
  return products.length > 0
    ? notable('catalog', without(products.join(', ')))
    : ok('catalog', without('optional products'));
}
