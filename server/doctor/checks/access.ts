/** Profile and write gates: values that are flags, and nothing that contradicts the profile. */
import { gateState } from '../../access/access.ts';
import { readAccess } from '../../config/config.ts';
import { RouterError } from '../../errors.ts';
import { type Check, fail, ok, warn } from '../check.ts';

export default {
  id: 'access',
  order: 90,
  look: ({ environment, platforms }) => {
    if (environment === undefined || platforms.length === 0)
      return [
        warn('access', 'not looked at, because .env or a platform file cannot be read', 'correct what failed above'),
      ];
    try {
      const access = readAccess(environment, platforms);
      const open = platforms.filter((platform) => gateState(access, platform).state === 'enabled').map(({ id }) => id);
      return [ok('access', `profile ${access.profile}; open gates: ${open.join(', ') || 'none'}`)];
    } catch (error) {
      if (!(error instanceof RouterError)) throw error;
      const remedy =
        error.code === 'CONFIG_CONTRADICTION' ? 'remove one of the two settings' : 'set it to 1 or 0, or remove it';
      return [fail('access', error.message, remedy)];
    }
  },
} satisfies Check;
