/** 802.1X and MAC-auth profiles: only their name is carried over, every setting is kept aside. */
import { type Candidate, candidateOf } from '../candidate.ts';
import type { SourceItem } from '../read-export.ts';
import { type Neutral, SourceFields } from '../source-fields.ts';

const NEUTRAL: Record<'dot1x' | 'mac', Neutral> = {
  dot1x: {
    reauthentication: false,
    timer_reauth: 86_400,
    timer_idrequest: 5,
    max_requests: 5,
    max_authentication_failures: 0,
    server_retry: 3,
    tls_guest_access: false,
    opp_key_caching: true,
    validate_pmkid: true,
    eapol_rate_opt: false,
    use_session_key: false,
    delete_keycache: false,
  },
  mac: {
    delimiter: 'none',
    case: 'lower',
    max_authentication_failures: 0,
    reauthentication: false,
    timer_reauth: 86_400,
    use_server_timer: false,
  },
};

export function loginProfileCandidate(type: 'dot1x' | 'mac', { name, fields: source }: SourceItem): Candidate {
  const fields = new SourceFields(source, NEUTRAL[type]);
  fields.text('profile_name', 'name');
  return candidateOf({
    object_type: type === 'dot1x' ? 'dot1x_auth_profile' : 'mac_auth_profile',
    identifier: name,
    payload: { name, auth_type: type },
    ...fields.left(),
  });
}
