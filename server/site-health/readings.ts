/**
 * The reads of site health of each platform, and how their rows become readings. One entry per platform; a platform
 * without an entry is reported as not covered.
 */
export type Band = 'good' | 'fair' | 'poor' | 'unknown';

export interface Reading {
  platform: string;
  /** Name of the site; undefined for what concerns the platform as a whole. */
  site?: string;
  /** 0 is worst, 100 best; undefined where the platform gives none. */
  score?: number;
  band: Band;
  facts: Readonly<Record<string, unknown>>;
}

export type Row = Readonly<Record<string, unknown>>;

/** Reads one tool to its rows: a list's items to the last page, or the one object as a single row. */
export type ReadRows = (tool: string, args?: Readonly<Record<string, unknown>>) => Promise<readonly Row[]>;

export interface HealthReads {
  rows: ReadRows;
  /** Whether a site of this name was asked for. */
  isAsked: (site: string | undefined) => boolean;
  /** Says that something of the platform was left out. */
  leaveOut: () => void;
}

export interface HealthSource {
  platform: string;
  /** The tools it reads, so that a test can hold them against the catalog. */
  tools: readonly string[];
  read: (reads: HealthReads) => Promise<Reading[]>;
}

/** Sites of which one platform is asked one by one. */
export const MOST_SITES = 25;

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const number = (value: unknown) => (typeof value === 'number' ? value : undefined);

export function bandOf(score: number | undefined): Band {
  if (score === undefined) return 'unknown';
  return score >= 80 ? 'good' : score >= 50 ? 'fair' : 'poor';
}

const WORDS: Readonly<Record<string, Band>> = { GOOD: 'good', FAIR: 'fair', POOR: 'poor', UNKNOWN: 'unknown' };

/** `word`: the platform's own for the score. It counts, because the thresholds differ by platform and kind of site. */
const scored = (
  platform: string,
  site: string | undefined,
  score: number | undefined,
  facts: Row,
  word?: unknown,
): Reading => ({
  platform,
  ...(site === undefined ? {} : { site }),
  ...(score === undefined ? {} : { score }),
  band: WORDS[String(word)] ?? bandOf(score),
  facts,
});

/** What the words of a platform mean; one that is not among them, or missing, tells nothing. */
const bandIn = (bands: Readonly<Record<string, Band>>, word: unknown): Band =>
  Object.hasOwn(bands, String(word)) ? (bands[String(word)] as Band) : 'unknown';

const judged = (platform: string, site: string | undefined, band: Band, facts: Row): Reading => ({
  platform,
  ...(site === undefined ? {} : { site }),
  band,
  facts,
});

const SERVICE_STATES = { HEALTHY: 'good', DEGRADED: 'fair', RECOVERING: 'fair', OUTAGE: 'poor' } as const;
const DEPLOY_STATES = { deployed: 'good', deploying: 'fair', undeployed: 'fair', failed: 'poor' } as const;
const CONTROLLER_STATES = { up: 'good', rebooting: 'fair', down: 'poor' } as const;

/** One that is up and has not the configuration that it should does not do what was asked of it. */
function controllerBand(status: unknown, config_state: unknown): Band {
  const band = bandIn(CONTROLLER_STATES, status);
  return band === 'good' && ['update-required', 'config-failure'].includes(String(config_state)) ? 'fair' : band;
}

export const SOURCES: readonly HealthSource[] = [
  {
    platform: 'mgmt',
    tools: ['mgmt_list_sites_health'],
    read: async ({ rows }) =>
      (await rows('mgmt_list_sites_health')).map(({ siteName, healthScore, healthBand, alerts, devices, clients }) =>
        scored('mgmt', text(siteName), number(healthScore), { alerts, devices, clients }, healthBand),
      ),
  },
  {
    platform: 'cloudwlan',
    tools: ['cloudwlan_list_sites', 'cloudwlan_get_site_health'],
    read: async ({ rows, isAsked, leaveOut }) => {
      const sites = (await rows('cloudwlan_list_sites')).filter(({ name }) => isAsked(text(name)));
      if (sites.length > MOST_SITES) leaveOut();
      const readings = await Promise.all(
        sites.slice(0, MOST_SITES).map(async ({ site_id, name }) => {
          const [health = {}] = await rows('cloudwlan_get_site_health', { site_id });
          const { score, worst_reason, open_alarms, ...parts } = health;
          return scored('cloudwlan', text(name), number(score), { parts, open_alarms, worst_reason });
        }),
      );
      return readings;
    },
  },
  {
    platform: 'sdwan',
    tools: ['sdwan_list_appliances', 'sdwan_list_appliance_health_rows', 'sdwan_get_network_health'],
    read: async ({ rows }) => {
      const [appliances, health, [whole = {}]] = await Promise.all([
        rows('sdwan_list_appliances'),
        rows('sdwan_list_appliance_health_rows'),
        rows('sdwan_get_network_health'),
      ]);
      const placeOf = new Map(appliances.map(({ applianceId, site, hostName }) => [applianceId, { site, hostName }]));
      const own = health.map(({ healthApplianceId, score, state, reachability, alarms, tunnelsDown }) => {
        const { site, hostName } = placeOf.get(healthApplianceId) ?? {};
        const facts = { appliance: hostName ?? healthApplianceId, reachability, alarms, tunnelsDown };
        return scored('sdwan', text(site), number(score), facts, state);
      });
      const { overall, openCritical, unhealthy } = whole;
      return [...own, scored('sdwan', undefined, number(overall), { openCritical, unhealthy })];
    },
  },
  {
    platform: 'sensors',
    tools: ['sensors_list_sensor_groups', 'sensors_list_experience_scores'],
    read: async ({ rows }) => {
      const [groups, scores] = await Promise.all([
        rows('sensors_list_sensor_groups'),
        rows('sensors_list_experience_scores'),
      ]);
      const nameOf = new Map(groups.map(({ id, name }) => [id, text(name)]));
      return scores.map(({ groupId, category, score, tests }) =>
        scored('sensors', nameOf.get(groupId), number(score), { category, tests }),
      );
    },
  },
  {
    platform: 'sse',
    tools: ['sse_list_tunnels_health'],
    read: async ({ rows }) =>
      (await rows('sse_list_tunnels_health')).map(({ locationName, state, latency, loss, utilisation }) => {
        const band = bandIn({ Up: 'good', Degraded: 'fair', Down: 'poor' }, state);
        return judged('sse', text(locationName), band, {
          tunnel: state,
          latency_ms: latency,
          loss_percent: loss,
          utilisation_percent: utilisation,
        });
      }),
  },
  {
    platform: 'workspace',
    tools: ['workspace_list_service_healths'],
    read: async ({ rows }) =>
      (await rows('workspace_list_service_healths')).map(({ state, region, message, since }) =>
        judged('workspace', undefined, bandIn(SERVICE_STATES, state), {
          region,
          state,
          message,
          since,
        }),
      ),
  },
  {
    platform: 'nac',
    tools: ['nac_list_servers'],
    read: async ({ rows }) =>
      (await rows('nac_list_servers')).map(({ name, role, replication_status }) =>
        judged('nac', undefined, bandIn({ 'in-sync': 'good', lagging: 'fair', broken: 'poor' }, replication_status), {
          server: name,
          role,
          replication_status,
        }),
      ),
  },
  {
    platform: 'legacy',
    tools: ['legacy_list_controllers'],
    read: async ({ rows }) =>
      (await rows('legacy_list_controllers')).map(({ name, status, config_state }) =>
        judged('legacy', undefined, controllerBand(status, config_state), {
          controller: name,
          status,
          config_state,
        }),
      ),
  },
  {
    platform: 'fabric',
    tools: ['fabric_list_blueprints'],
    read: async ({ rows }) =>
      (await rows('fabric_list_blueprints')).map(({ label, deploy_state, status }) =>
        judged('fabric', undefined, bandIn(DEPLOY_STATES, deploy_state), { blueprint: label, deploy_state, status }),
      ),
  },
];
