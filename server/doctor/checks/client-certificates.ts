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
    // A file that cannot be read is the matter of its own check.
    if (!store.state().loadable) return [];
    const found = config.platforms.flatMap((platform) => findings(platform, store, config.credentialsPath));
    return found.length > 0 ? found : [ok('client certificates', 'none: no account has one')];
  },
} satisfies Check;

function findings(platform: PlatformDefinition, store: CredentialsStore, path: string): Finding[] {
  const subject = `client certificate ${platform.id}`;
  try {
    // An account without an address is the matter of its own check.
    if (store.inspect(platform).missing.includes('base_url')) return [];
    const found = store.certificateOf(platform);
    return found === undefined ? [] : [lifetime(subject, found)];
  } catch (error) {
    if (!(error instanceof RouterError)) throw error;
    return [fail(subject, error.message, `correct client_cert_path and client_key_path in ${path}`)];
  }
}

function lifetime(
  subject: string,
  { certificate, paths }: NonNullable<ReturnType<CredentialsStore['certificateOf']>>,
): Finding {
  const until = new Date(certificate.validUntil).toISOString();
  const days = Math.floor((certificate.validUntil - Date.now()) / DAY_MS);
  const renew = `put a newer certificate and its key into ${paths.certPath} and ${paths.keyPath}; a running router takes them with its next connection`;
  if (days < 0) return fail(subject, `ended at ${until}`, renew);
  return days < SOON_DAYS ? warn(subject, `ends at ${until}, in ${days} days`, renew) : ok(subject, `until ${until}`);
}
