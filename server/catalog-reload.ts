/**
 * Notices that a user's platforms changed while the router runs, and opens the catalog that was built of them. It builds none: until
 * `svc-mcp-catalog` has, and where a changed file does not fit its catalog, the router serves on as it did.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { POINTER_FILE } from './catalog/store.ts';
import { type Config, sharedCatalog } from './config/config.ts';
import type { PlatformDefinition } from './config/platform-file.ts';
import { fileStamp } from './files/file-stamp.ts';
import type { CurrentCatalog } from './served-catalog.ts';
import { errorFields, type Logger } from './telemetry/logger.ts';

/** Events of the file system do not come from network mounts, nor from outside of a container. */
const LOOK_EVERY_MS = 2_000;

export interface ReloadOptions {
  /** The settings that the router serves by; what belongs to the user's platforms is replaced in them. */
  config: Config;
  /** Reads the settings again. Throws what a start with them would throw. */
  reread: () => Config;
  current: CurrentCatalog;
  logger: Logger;
  everyMs?: number | undefined;
}

/** Loaded with the first change. */
type Opening = Pick<typeof import('./open-catalog.ts'), 'catalogState' | 'openCatalog'>;

/** Looks until the answered function is called. */
export function followCatalog(options: ReloadOptions): () => void {
  const { config, logger, everyMs = LOOK_EVERY_MS } = options;
  let stamp = stampOf(config);
  let isFollowed = true;
  const look = async () => {
    const now = stampOf(config);
    if (now === stamp) return;
    stamp = now;
    const opening = await import('./open-catalog.ts');
    if (isFollowed) reload(options, opening);
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) =>
      logger.error('catalog.reload_failed', { ...errorFields(error), serving: 'the catalog as it was' }),
    );
  }, everyMs).unref();
  return () => {
    isFollowed = false;
    clearInterval(timer);
  };
}

/** The platform files, and the pointers of the catalogs that may come to be served. */
function stampOf({ configDir, catalogDir, root }: Config): string {
  const folder = join(configDir, 'platforms');
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.yaml')) : [];
  const catalogs = new Set([catalogDir, join(configDir, 'catalog'), sharedCatalog(root)]);
  const looked = [...files.map((name) => join(folder, name)), ...[...catalogs].map((path) => join(path, POINTER_FILE))];
  return looked.map((path) => `${path} ${fileStamp(path)}`).join('\n');
}

function reload({ config, reread, current, logger }: ReloadOptions, { catalogState, openCatalog }: Opening): void {
  const next = withPlatformsOf(config, reread());
  if (catalogState(next).kind !== 'current') return;
  const { catalog } = openCatalog(next);
  if (catalog.digest === current.served.catalog.digest) {
    catalog.close();
    return;
  }
  for (const warning of next.warnings)
    if (!config.warnings.includes(warning)) logger.warn('config.warning', { warning });
  const { gates } = next.access;
  Object.assign(config, { ...next, access: Object.assign(config.access, { gates }) });
  current.replace(catalog);
  logger.info('catalog.reloaded', { tools: catalog.summary.tools });
}

/** The settings of a start keep their values; those of platforms that came since are read as they are now. */
function withPlatformsOf(config: Config, next: Config): Config {
  const isOwn = ({ kind }: PlatformDefinition) => kind === 'user';
  const joined = (before: readonly PlatformDefinition[], now: readonly PlatformDefinition[]) => [
    ...before.filter((platform) => !isOwn(platform)),
    ...now.filter(isOwn),
  ];
  return {
    ...config,
    catalogDir: next.catalogDir,
    known: joined(config.known, next.known),
    platforms: joined(config.platforms, next.platforms),
    access: { ...config.access, gates: { ...next.access.gates, ...config.access.gates } },
    credentialOverrides: { ...next.credentialOverrides, ...config.credentialOverrides },
    warnings: next.warnings,
  };
}
