/** Toolsets and products: names that exist, and something to serve. */
import { selectPlatforms } from '../../config/config.ts';
import { RouterError } from '../../errors.ts';
import { type Check, fail, notLooked, ok, warn } from '../doctor-check.ts';

export default {
  id: 'selection',
  order: 80,
  look: ({ environment, platforms }) => {
    if (environment === undefined || platforms.length === 0)
      return [notLooked('platforms', '.env or a platform file cannot be read', 'correct the failures above')];
    try {
      const served = selectPlatforms(environment, platforms).map(({ id }) => id);
      return served.length > 0
        ? [ok('platforms', `serves ${served.join(', ')}`)]
        : [warn('platforms', 'none is served', 'name some in SVC_MCP_TOOLSETS or SVC_MCP_PRODUCTS')];
    } catch (error) {
      if (!(error instanceof RouterError)) throw error;
      return [fail('platforms', error.message, 'use the names of that list')];
    }
  },
} satisfies Check;
