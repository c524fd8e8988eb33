/** Operations of a user's platforms that the operator said only read; a changed document takes that word back. */
import { resolve } from 'node:path';
import { loweredOperations } from '../../catalog/build.ts';
import { documentFiles, readDocument } from '../../catalog/platform-document.ts';
import { RouterError } from '../../errors.ts';
import { type Check, ok, warn } from '../doctor-check.ts';

export default {
  id: 'lowered-operations',
  order: 205,
  needs: 'config',
  look: ({ config, root }) => {
    if (config instanceof RouterError) return [];
    const own = config.known.filter(({ kind, overrides }) => kind === 'user' && Object.keys(overrides).length > 0);
    const found = own.flatMap((platform) => {
      const documents = documentFiles(resolve(root, platform.documents)).flatMap((file) => readable(file));
      return loweredOperations(platform, documents).map((lowered) => ({ id: platform.id, ...lowered }));
    });
    const lapsed = found.filter((entry) => entry.lapsed !== undefined);
    const applied = found.filter((entry) => entry.lapsed === undefined);
    const shown = applied.map(({ id, operation, capability }) => `${id}: ${operation} is a ${capability}`).join('; ');
    return [
      ok('lowered operations', applied.length === 0 ? 'none' : `by the operator's word ${shown}`),
      ...lapsed.map(({ id, operation, capability, lapsed: why }) =>
        warn(
          'lowered operations',
          `${id}: ${operation} is called ${capability} in the platform file, ${why}, so its own class holds`,
          'look at the operation, then add the document again with --read-operation for it, or without',
        ),
      ),
    ];
  },
} satisfies Check;

/** One that does not parse is reported where the catalog is looked at. */
function readable(file: string) {
  try {
    return [readDocument(file)];
  } catch (error) {
    if (error instanceof RouterError) return [];
    throw error;
  }
}
