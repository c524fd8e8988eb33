/** Authentication servers of every type: name, type and host; the rest is kept aside. */
import { type Candidate, candidateOf } from '../candidate.ts';
import { SECTIONS, type SectionName } from '../object-family.ts';
import type { SourceItem } from '../read-export.ts';
import { type Neutral, SourceFields } from '../source-fields.ts';
import { flagOf } from '../unwrap.ts';

export type ServerType = 'radius' | 'radsec' | 'ldap' | 'tacacs';

interface Family {
  section: SectionName;
  type: 'radius' | 'ldap' | 'tacacs';
  /** What `target_secrets` calls its secret, and the field in the source that tells of it. */
  secret: string;
  from: string;
  neutral: Neutral;
}

export const SERVER_FAMILIES: readonly Family[] = [
  {
    section: 'radius_servers',
    type: 'radius',
    secret: 'shared_secret',
    from: 'key',
    neutral: {
      timeout: 5,
      retransmit: 3,
      use_md5: false,
      service_type: 'framed',
      enable_radsec: false,
      radsec_port: 2083,
      enable: true,
      mac_delimiter: 'none',
    },
  },
  {
    section: 'ldap_servers',
    type: 'ldap',
    secret: 'admin_password',
    from: 'admin_passwd',
    neutral: { enable: true, allow_cleartext: false, max_connection: 4, timeout: 20 },
  },
  {
    section: 'tacacs_servers',
    type: 'tacacs',
    secret: 'shared_secret',
    from: 'key',
    neutral: { enable: true, timeout: 20, retransmit: 3, session_authorization: false },
  },
];

export function serverTypeOf(type: Family['type'], fields: SourceItem['fields']): ServerType {
  return type === 'radius' && flagOf(fields['enable_radsec']) === true ? 'radsec' : type;
}

export function authServerCandidate(family: Family, { name, fields: source }: SourceItem): Candidate {
  const type = serverTypeOf(family.type, source);
  const fields = new SourceFields(source, family.neutral);
  fields.text(...SECTIONS[family.section].key[0]);
  const host = fields.text('host');
  return candidateOf({
    object_type: 'auth_server',
    identifier: `${type}:${name}`,
    payload: { name, server_type: type, host: host ?? null },
    ...fields.left(),
    secrets: [family.secret],
  });
}
