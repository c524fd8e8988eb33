/** Time series of many: a filter leaves the part of what it names, and the parts make up the whole. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Installation, shippedInstallation } from './full-installation.ts';
import { PlatformClient } from './platform-client.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await shippedInstallation(['analytics', 'sensors', 'sdwan', 'sse', 'workspace']);
});

type Sample = Record<string, number | string>;

function samplesOf(platform: string, target: string): { interval: string; samples: Sample[] } {
  const { status, json } = new PlatformClient(installation, platform).get(target);
  expect(status).toBe(200);
  return json as { interval: string; samples: Sample[] };
}

const figures = ({ samples }: { samples: Sample[] }, field: string) => samples.map((sample) => Number(sample[field]));

const SITES = ['hq', 'depot', 'clinic'];

describe('a series that is asked for one site', () => {
  it.each([
    ['/analytics/v1/occupancy/sites/people-trends', 'people'],
    ['/analytics/v1/occupancy/sites/people-trends', 'arrivals'],
    ['/analytics/v1/occupancy/zones/people-trends', 'people'],
    ['/analytics/v1/flows/bytes-trends', 'bytes'],
    ['/analytics/v1/devices/energy/watts-trends', 'totalWatts'],
    ['/analytics/v1/config/drift/count-trends', 'devices'],
  ])('%s: %s of all sites is the sum of those of each', (path, field) => {
    const all = figures(samplesOf('analytics', path), field);
    const each = SITES.map((site) => figures(samplesOf('analytics', `${path}?site=${site}`), field));
    expect(new Set(each.map(String)).size).toBeGreaterThan(1);
    // Each site is rounded for itself.
    for (const [at, whole] of all.entries()) {
      const sum = each.reduce((total, own) => total + (own[at] ?? 0), 0);
      expect(Math.abs(sum - whole)).toBeLessThanOrEqual(Math.max(SITES.length, whole * 0.001));
    }
  });

  it('is a mean between those of the sites where it is a mean', () => {
    const path = '/analytics/v1/capacity/wireless/airtime-trends';
    const all = figures(samplesOf('analytics', path), 'meanPercent');
    const each = SITES.map((site) => figures(samplesOf('analytics', `${path}?site=${site}`), 'meanPercent'));
    for (const [at, mean] of all.entries()) {
      const own = each.map((series) => series[at] as number);
      expect(mean).toBeGreaterThanOrEqual(Math.min(...own) - 0.1);
      expect(mean).toBeLessThanOrEqual(Math.max(...own) + 0.1);
    }
  });
});

describe('a series that is asked for one object', () => {
  it.each([
    [
      'analytics',
      '/analytics/v1/capacity/wireless/airtime-trends',
      'device',
      ['PHAWQEDXJE', 'PHVKDNAKHV'],
      'meanPercent',
    ],
    ['sdwan', '/rest/stats/aggregate/drops/hourly', 'applianceId', ['32.NE', '45.NE'], 'drops'],
    ['sdwan', '/rest/stats/timeseries/appliance', 'applianceId', ['32.NE', '45.NE'], 'wanRxBytes'],
  ])('%s %s differs by %s', (platform, path, parameter, names, field) => {
    const each = names.map((name) => figures(samplesOf(platform, `${path}?${parameter}=${name}`), field));
    expect(each.map((series) => series.length)).not.toContain(0);
    expect(each[0]).not.toEqual(each[1]);
  });

  it('has no sample of a site or device that nobody knows, nor a mean of nothing', () => {
    const path = '/analytics/v1/capacity/wireless/airtime-trends';
    expect(samplesOf('analytics', `${path}?site=nowhere`).samples).toEqual([]);
    expect(samplesOf('analytics', `${path}?device=SGVX5JLKZN`).samples).toEqual([]);
  });
});

describe('a window that nobody asked for', () => {
  it.each([
    ['analytics', '/analytics/v1/flows/bytes-trends', '1h', 168],
    ['sensors', '/ux-results/v1/test-results/latency-trends', '10m', 144],
    ['workspace', '/reporting/v1/consumption/daily-trends', '1d', 30],
    ['sse', '/api/v1.0/Operations/Usage/SSE-WEB/licences-trends', '1h', 12],
  ])('%s: %s has the interval and the length that its parameters state', (platform, path, interval, count) => {
    const series = samplesOf(platform, path);
    expect([series.interval, series.samples.length]).toEqual([interval, count]);
  });
});

it('people who come account for every rise of those who are there', () => {
  const { samples } = samplesOf('analytics', '/analytics/v1/occupancy/sites/people-trends?bucket=15m');
  for (const [at, { people, arrivals }] of samples.entries())
    if (at > 0) expect(Number(people) - Number(samples[at - 1]?.['people'])).toBeLessThanOrEqual(Number(arrivals) + 1);
});
