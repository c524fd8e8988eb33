/** Who may call over HTTP besides the holder of the one bearer: a file that a router would refuse is named here before the start. */
import { RouterError } from '../../errors.ts';
import { readPrincipals } from '../../principals/principals-file.ts';
import { type Check, fail, ok } from '../doctor-check.ts';

const SUBJECT = 'principals';

export default {
  id: 'principals',
  order: 262,
  inside: true,
  needs: 'config',
  look: async ({ config }) => {
    if (config instanceof RouterError) return [];
    if (config.principalsPath === undefined) return [ok(SUBJECT, 'none: every caller has what the settings permit')];
    try {
      const { length } = readPrincipals(config.principalsPath, config);
      return [ok(SUBJECT, `${length} ${length === 1 ? 'principal' : 'principals'} in ${config.principalsPath}`)];
    } catch (error) {
      if (!(error instanceof RouterError)) throw error;
      return [fail(SUBJECT, error.message, 'correct the file; a running router keeps the principals that it had')];
    }
  },
} satisfies Check;
