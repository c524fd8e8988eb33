/** Whether a router would start with these settings: what no check above names by itself is named here. */
import { RouterError } from '../../errors.ts';
import { type Check, fail, ok } from '../doctor-check.ts';

export default {
  id: 'start',
  order: 290,
  look: ({ config }) =>
    config instanceof RouterError
      ? [fail('start', `refused: ${config.message}`, config.remedy)]
      : [ok('start', 'these settings are accepted')],
} satisfies Check;
