/** The OpenAPI documents of what is served: without them there is nothing to call. */
import { resolve } from 'node:path';
import { documentFiles } from '../../catalog/platform-document.ts';
import { RouterError } from '../../errors.ts';
import { type Check, fail, ok } from '../doctor-check.ts';

export default {
  id: 'documents',
  order: 190,
  inside: true,
  needs: 'config',
  look: ({ config, root, command }) => {
    if (config instanceof RouterError) return [];
    const counts = config.platforms.map(({ id, documents }) => ({
      id,
      documents,
      files: documentFiles(resolve(root, documents)).length,
    }));
    const none = counts.filter(({ files }) => files === 0);
    const all = counts.reduce((sum, { files }) => sum + files, 0);
    return none.length > 0
      ? none.map(({ id, documents }) => fail('documents', `none for ${id} at ${documents}`, command('catalog')))
      : [ok('documents', `${all} for ${counts.length} platforms`)];
  },
} satisfies Check;
