/** Search over a catalog under a configuration's rules: what router and commands share. */
import { decideFor } from '../access/access-policy.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';
import type { Config } from '../config/config.ts';
import { Finder } from './find.ts';
import { openIndexLater } from './index-file.ts';

export function openFinder(config: Config, catalog: Catalog): Finder {
  return new Finder({
    catalog,
    index: openIndexLater(catalog),
    enabled: [...config.platforms.map(({ id }) => id), ...config.localToolsets],
    words: Object.fromEntries(config.known.map((platform) => [platform.id, platform.words])),
    hints: Object.fromEntries(config.known.map(({ id, hints = [] }) => [id, hints])),
    decide: (id, capability, access) => decideFor(config, id, capability, access),
  });
}
