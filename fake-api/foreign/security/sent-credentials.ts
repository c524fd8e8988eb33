/** The credentials that a call to a foreign platform carries, as the ledger keeps them: by digest, never by value. */
import type { AccessRequest, SentCredential } from '../../engine/http/conventions.ts';
import { sha256 } from '../../engine/state/json-value.ts';
import type { ForeignPlatform } from '../foreign-platform.ts';
import { authEndpointAt } from './auth-endpoints.ts';
import { presentedFor } from './presented-credential.ts';
import { type SecurityScheme, schemesOf } from './security-schemes.ts';
import { clientOf, tokenForm } from './token-endpoint.ts';

/** For every scheme of the document that finds its credential in the call, whether the operation asks for it or not. */
export function sentCredentials(platform: ForeignPlatform, request: AccessRequest): SentCredential[] {
  const endpoint = authEndpointAt(platform.document, request);
  if (endpoint?.kind === 'token') return tokenCredentials(request);
  return [...schemesOf(platform.document).values()].flatMap((scheme) => {
    const credential = presentedFor(scheme, request);
    return credential === null
      ? []
      : [{ scheme: scheme.name, ...placeOf(scheme), digest: sha256(plainText(scheme, credential)) }];
  });
}

function placeOf(scheme: SecurityScheme): Pick<SentCredential, 'in' | 'name'> {
  return scheme.kind === 'apiKey' ? { in: scheme.place, name: scheme.field } : { in: 'header', name: 'authorization' };
}

/** Of basic credentials `user:password`, so that a reader can compute the digest. */
function plainText(scheme: SecurityScheme, credential: string): string {
  const isBasic = scheme.kind === 'http' && scheme.scheme === 'basic';
  return isBasic ? Buffer.from(credential, 'base64').toString('utf8') : credential;
}

/** The client's id and secret as `id:secret`, and what stands for a person: a code or a refresh token. */
function tokenCredentials(request: AccessRequest): SentCredential[] {
  const form = tokenForm(request);
  if (form === null) return [];
  const grant = form.get('grant_type') ?? '';
  const scope = form.get('scope');
  const told = scope === null ? {} : { scope };
  const client = clientOf(request, form);
  const found: SentCredential[] = [];
  if (client !== null)
    found.push({
      scheme: grant,
      in: client.place,
      name: 'client',
      digest: sha256(`${client.id}:${client.secret}`),
      ...told,
    });
  for (const name of ['refresh_token', 'code', 'password']) {
    const value = form.get(name);
    if (value !== null) found.push({ scheme: grant, in: 'body', name, digest: sha256(value), ...told });
  }
  return found;
}
