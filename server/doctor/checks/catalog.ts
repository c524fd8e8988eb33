/** The catalog of tools: there, whole, and made from what there is now. It is built at the first start where it is not. */
import { RouterError } from '../../errors.ts';
import { catalogState } from '../../open-catalog.ts';
import { type Check, fail, ok, warn } from '../doctor-check.ts';

export default {
  id: 'catalog',
  order: 210,
  inside: true,
  needs: 'config',
  look: ({ config, command }) => {
    if (config instanceof RouterError) return [];
    const state = catalogState(config);
    const build = command('catalog');
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
        return [
          ok('catalog', `${state.summary.tools} tools, ${state.summary.quarantined.length} operations set aside`),
        ];
    }
  },
} satisfies Check;
