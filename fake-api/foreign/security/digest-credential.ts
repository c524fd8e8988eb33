/** HTTP Digest (RFC 7616), as far as a stand-in needs it: one nonce for each namespace and platform, `qop=auth` or none. */
import { createHash } from 'node:crypto';
import { PASSWORD, USERNAME } from '../../engine/http/account.ts';
import { sha256 } from '../../engine/state/json-value.ts';

export interface DigestCall {
  method: string;
  /** Path of the call without the prefix of namespace and platform. */
  path: string;
  nonce: string;
  realm: string;
}

export function nonceOf(seed: number, platform: string): string {
  return sha256(`nonce ${seed} ${platform}`).slice('sha256:'.length, 'sha256:'.length + 32);
}

/** Whether the directives fit the call. Only the password of the fake's own account is known and compared. */
export function isDigestFor(credential: string, { method, path, nonce, realm }: DigestCall): boolean {
  const said = directivesOf(credential);
  const uri = said.get('uri') ?? '';
  if ((said.get('username') ?? '') === '' || said.get('nonce') !== nonce || said.get('realm') !== realm) return false;
  if (!(uri.split('?')[0] as string).endsWith(path)) return false;
  const algorithm = /^sha-256/i.test(said.get('algorithm') ?? '') ? 'sha256' : 'md5';
  const response = said.get('response') ?? '';
  if (!new RegExp(`^[0-9a-f]{${algorithm === 'sha256' ? 64 : 32}}$`).test(response)) return false;
  if (said.get('username') !== USERNAME) return true;
  const hash = (text: string): string => createHash(algorithm).update(text).digest('hex');
  const secret = hash(`${USERNAME}:${realm}:${PASSWORD}`);
  const request = hash(`${method}:${uri}`);
  const qop = said.get('qop');
  const between = qop === undefined ? nonce : [nonce, said.get('nc'), said.get('cnonce'), qop].join(':');
  return response === hash(`${secret}:${between}:${request}`);
}

function directivesOf(text: string): Map<string, string> {
  const found = text.matchAll(/([a-z][\w-]*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/gi);
  return new Map([...found].map(([, name, quoted, plain]) => [String(name).toLowerCase(), quoted ?? plain ?? '']));
}
