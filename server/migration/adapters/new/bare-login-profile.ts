/** What the 802.1X and the MAC-auth adapter share: the bare name is all that is written. */
import type { NetworkProfileType } from '../../network-profile.ts';
import type { Adapter, Rule } from '../adapter.ts';
import { libraryObject, nameFits, notForAccessPoints, resolvedPersona, resolvedScope } from './shared.ts';

const bareOnly: Rule = {
  id: 'new.bare-login-profile',
  refusal: 'error',
  keeps: 'Bare 802.1X and MAC-auth profiles map; any extra setting raises AdapterError.',
  broken: ({ unsupported_fields }) => {
    const extra = Object.keys(unsupported_fields);
    return extra.length === 0 ? undefined : `only the bare profile maps; it also sets ${extra.join(', ')}`;
  },
};

export const bareLoginProfile = (type: NetworkProfileType): Adapter => ({
  rules: [resolvedScope, resolvedPersona, notForAccessPoints, nameFits, bareOnly],
  inline: [],
  secretsOf: () => [],
  stepsOf: ({ payload }, context) => libraryObject(type, String(payload['name']), {}, {}, context),
});
