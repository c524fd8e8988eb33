/** A name that nobody reads does nothing, and a misspelt gate looks like an open or closed one. */
import { RouterError } from '../../errors.ts';
import { type Check, ok, warn } from '../doctor-check.ts';

export default {
  id: 'unknown-names',
  order: 60,
  needs: 'config',
  look: ({ config }) => {
    if (config instanceof RouterError) return [];
    const unknown = config.warnings.filter((warning) => /has no effect$|is not read:/.test(warning));
    return unknown.length === 0
      ? [ok('names', 'every SVC_MCP_ name that is set is one of this router')]
      : unknown.map((warning) => warn('names', warning, 'correct its spelling by .env.example, or remove it'));
  },
} satisfies Check;
