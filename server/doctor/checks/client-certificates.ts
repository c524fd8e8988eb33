/** Certificates by which accounts prove themselves to their platforms: readable, with their key, and valid for a while yet. */
import { CredentialsStore } from '../../config/credentials.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import { RouterError } from '../../errors.ts';
import { type Check, type Finding, fail, ok, warn } from '../doctor-check.ts';

const DAY_MS = 86_400_000;
const SOON_DAYS = 14;

export default {
  id: 'client-certificates',
  order: 155,
  secrets: true,
  needs: 'config',
  look: ({ config }) => {
    if (config instanceof RouterError) return [];
    const store = new CredentialsStore(config.credentialsPath, config.credentialOverrides);
    const found = config.platforms.flatMap((platform) => findings(platform, store, config.credentialsPath));
    return found.length > 0 ? found : [ok('client certificates', 'none: no account has one')];
  },
} satisfies Check;

function findings(platform: PlatformDefinition, store: CredentialsStore, path: string): Finding[] {
  const subject = `client certificate ${platform.id}`;
  try {
    const { certificate, certificatePaths } = store.account(platform);
    if (certificate === undefined || certificatePaths === undefined) return [];
    const until = new Date(certificate.validUntil).toISOString();
    const days = Math.floor((certificate.validUntil - Date.now()) / DAY_MS);
    const renew = `put a newer certificate and its key into ${certificatePaths.certPath} and ${certificatePaths.keyPath}; a running router takes them with its next connection`;
    if (days < 0) return [fail(subject, `ended at ${until}`, renew)];
    return [
      days < SOON_DAYS ? warn(subject, `ends at ${until}, in ${days} days`, renew) : ok(subject, `until ${until}`),
    ];
  } catch (error) {
    if (!(error instanceof RouterError)) throw error;
    // What else an account lacks is the matter of its own check.
    const isOurs =
      error.code === 'CREDENTIALS_INVALID' && /client_cert|client_key|key of the first/.test(error.message);
    return isOurs ? [fail(subject, error.message, `correct client_cert_path and client_key_path in ${path}`)] : [];
  }
}
