/** Profile and write gates: values that are flags, and nothing that contradicts the profile. */
import { gateState } from '../../access/access-policy.ts';
import { readAccess } from '../../config/access-settings.ts';
import type { Environment } from '../../config/environment.ts';
import { checkBinding } from '../../config/listen-address.ts';
import { RouterError } from '../../errors.ts';
import { type Check, fail, notLooked, ok } from '../doctor-check.ts';

export default {
  id: 'access',
  order: 90,
  look: ({ environment, platforms, secretOf }) => {
    if (environment === undefined || platforms.length === 0)
      return [notLooked('access', '.env or a platform file cannot be read', 'correct the failures above')];
    try {
      const access = readAccess(environment, platforms);
      if (isOpen(environment, secretOf('MCP_HTTP_BEARER_TOKEN'))) access.openBinding = true;
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

/** A binding that cannot be used is told by the check of its own. */
function isOpen(environment: Environment, bearer: string | undefined): boolean {
  const transport = environment.set('MCP_TRANSPORT') === 'streamable-http' ? 'streamable-http' : 'stdio';
  try {
    return checkBinding(environment, transport, bearer).open;
  } catch (error) {
    if (error instanceof RouterError) return false;
    throw error;
  }
}
