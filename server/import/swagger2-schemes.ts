/**
 * Swagger 2.0 states beside its host by which schemes it is reached. The first one becomes the document's server, so `https` is brought
 * to the front. A document that states none means the scheme by which it was fetched itself (Swagger Object), of which its file says nothing.
 */
import type { JsonObject } from '../catalog/platform-document.ts';
import type { Finding } from './import-finding.ts';

/** Changes the document. */
export function preferHttps(content: JsonObject, document: string, findings: Finding[]): void {
  const { host, schemes } = content;
  if (typeof host !== 'string' || host === '') return;
  const stated = Array.isArray(schemes) ? schemes.map(String) : [];
  if (stated.length === 0)
    findings.push({
      document,
      pointer: '/schemes',
      message: `the document does not say whether its host ${JSON.stringify(host.slice(0, 100))} is reached by https or http: https is taken`,
      remedy: 'where it is http, name the server with --base-url',
    });
  if (stated.length === 0 || stated.includes('https'))
    content['schemes'] = ['https', ...stated.filter((scheme) => scheme !== 'https')];
}
