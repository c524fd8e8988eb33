/** Platforms that the user added; one that cannot be used is left out, which is easy to miss. */
import { RouterError } from '../../errors.ts';
import { type Check, ok, warn } from '../doctor-check.ts';

export default {
  id: 'own-platforms',
  order: 200,
  needs: 'config',
  look: ({ config }) => {
    if (config instanceof RouterError) return [];
    const left = config.warnings.filter((warning) => warning.endsWith('the platform is left out'));
    const own = config.known.filter(({ kind }) => kind === 'user').length;
    return left.length === 0
      ? [ok('own platforms', `${own} added`)]
      : left.map((warning) => warn('own platforms', warning, 'correct the file, or remove it'));
  },
} satisfies Check;
