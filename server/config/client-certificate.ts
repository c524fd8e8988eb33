/** The certificate by which the router proves itself to a platform at the TLS handshake, from two files of the operator. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ClientCertificate } from '../egress/dispatcher.ts';
import { RouterError } from '../errors.ts';
import { fileStamp } from '../files/file-stamp.ts';
import type { Fields } from './account-sections.ts';
import { settingPath } from './home-folder.ts';
import { exposedKeyFile } from './private-path.ts';

export interface CertificatePaths {
  certPath: string;
  keyPath: string;
}

interface CertifiedSection {
  section: string;
  fields: Fields;
  baseUrl: string;
  /** Where relative paths start. */
  folder: string;
}

/**
 * The paths of a section; undefined where it has none. Throws CREDENTIALS_INVALID where one of the two is missing, or the
 * address is not reached by TLS.
 */
export function certificatePathsOf({
  section,
  fields,
  baseUrl,
  folder,
}: CertifiedSection): CertificatePaths | undefined {
  const [cert, key] = [fields['client_cert_path']?.trim(), fields['client_key_path']?.trim()];
  if (!cert && !key) return undefined;
  if (!cert || !key)
    throw new RouterError(
      'CREDENTIALS_INVALID',
      `\`${section}\` should have both client_cert_path and client_key_path, got ${cert ? 'the first' : 'the second'} alone`,
    );
  if (!baseUrl.startsWith('https:'))
    throw new RouterError(
      'CREDENTIALS_INVALID',
      `\`${section}.base_url\` should be https, because a client certificate proves nothing over http`,
    );
  return { certPath: settingPath(folder, cert), keyPath: settingPath(folder, key) };
}

/** Reads each pair again when one of its files changed; until then the same object is returned. */
export class ClientCertificates {
  readonly #read = new Map<string, { stamp: string; certificate: ClientCertificate }>();

  /** Throws CREDENTIALS_INVALID. */
  of(paths: CertificatePaths): ClientCertificate {
    const key = JSON.stringify(paths);
    const stamp = `${fileStamp(paths.certPath)} ${fileStamp(paths.keyPath)}`;
    const known = this.#read.get(key);
    if (known?.stamp === stamp) return known.certificate;
    const certificate = readCertificate(paths);
    this.#read.set(key, { stamp, certificate });
    return certificate;
  }
}

/** Neither text of the files nor the reason of the parser enters a message: both may hold the key. */
function readCertificate({ certPath, keyPath }: CertificatePaths): ClientCertificate {
  const exposure = exposedKeyFile(keyPath);
  if (exposure)
    throw new RouterError('CREDENTIALS_INVALID', `\`client_key_path\`: ${exposure.what}`, { remedy: exposure.remedy });
  const { cert, key, first, privateKey } = parsePair({ certPath, keyPath });
  if (!first.checkPrivateKey(privateKey))
    throw new RouterError(
      'CREDENTIALS_INVALID',
      `${keyPath} should hold the key of the first certificate in ${certPath}`,
    );
  return { cert, key, validUntil: Date.parse(first.validTo) };
}

function parsePair({ certPath, keyPath }: CertificatePaths) {
  try {
    const [cert, key] = [readFileSync(certPath, 'utf8'), readFileSync(keyPath, 'utf8')];
    return { cert, key, first: new X509Certificate(cert), privateKey: createPrivateKey(key) };
  } catch {
    throw new RouterError(
      'CREDENTIALS_INVALID',
      `\`client_cert_path\` and \`client_key_path\` should name a certificate and its key in PEM, without a passphrase, got ${certPath} and ${keyPath}`,
    );
  }
}
