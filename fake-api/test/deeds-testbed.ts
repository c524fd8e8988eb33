/** What the tests of actions share: one platform, opened anew for each test, its lists, and the end of what was started. */
import { shippedInstallation } from './full-installation.ts';
import { type Answered, PlatformClient } from './platform-client.ts';

export type Row = Record<string, unknown>;

/** Opens the platform in a namespace that nobody has touched. */
export async function openerOf(platform: string): Promise<() => PlatformClient> {
  const installation = await shippedInstallation([platform]);
  return () => new PlatformClient(installation, platform);
}

/** Entries of a list, however the platform wraps them. */
export function items({ json }: Answered): Row[] {
  const { items: own, results, _embedded: embedded } = json as Record<string, Row[]> & { _embedded?: { items: Row[] } };
  return Array.isArray(json) ? json : ((own ?? results ?? embedded?.items) as Row[]);
}

export const one = (client: PlatformClient, path: string): Row => client.get(path).json as Row;

/** The last answer of a task that is polled to its end. */
export function ended(client: PlatformClient, started: Answered): Row {
  const location = started.headers['location'] ?? String((started.json as Row)['location']);
  client.get(location);
  return client.get(location).json as Row;
}
