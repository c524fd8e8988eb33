/** A broken incident file is refused with its name, the line, the rule and both values. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { State } from '../engine/state/state.ts';
import { shippedInstallation } from '../test/full-installation.ts';
import { readIncident } from './incident-file.ts';
import { startIncident } from './running-incident.ts';

const installation = await shippedInstallation(['mgmt'], 'tiny');
const folder = await mkdtemp(join(tmpdir(), 'incidents-'));
afterAll(() => rm(folder, { recursive: true }));

const HEAD = `about: Something is wrong with the only access point of the place.
cause: {says: Somebody pulled the cable of the access point., in: mgmt/devices, where: {deviceType: ACCESS_POINT}, field: status}
rows:
  ap: {of: mgmt/devices, where: {deviceType: ACCESS_POINT}, most: 1}
symptoms:
`;

/** What the start of an incident with these symptoms says. */
async function refusal(symptoms: string, head = HEAD): Promise<string> {
  await writeFile(join(folder, 'broken.yaml'), head + symptoms);
  const state = new State(installation.platforms, installation.fixture.rows, installation.fixture);
  const before = state.hash();
  try {
    startIncident(state, await readIncident('broken', folder));
  } catch (error) {
    expect(state.hash()).toBe(before);
    return (error as Error).message;
  }
  return 'started';
}

const OF_AP = `  - in: mgmt/devices
    where: {serialNumber: '{{ap.serialNumber}}'}
`;

describe('a file is refused for', () => {
  test.each([
    [
      'a broken sense rule',
      `  - in: mgmt/alerts
    add: {alertType: AP_OFFLINE, status: ACTIVE, severity: MAJOR,
      raisedAt: {ago: PT1H}, clearedAt: {ago: PT2H}}
`,
      /incidents\/broken\.yaml:7: field symptoms\.0\.add\.status: expected that .+ \(rule open-not-cleared\) in mgmt\/alerts\/alr-\d+, field status\+clearedAt, got status "ACTIVE" with clearedAt "2026-03-02T07:00:00Z"/,
    ],
    [
      'a value that does not fit the schema',
      `${OF_AP}    set:
      healthScore: 340
`,
      /broken\.yaml:9: field symptoms\.0\.set\.healthScore: expected .*100 in mgmt\/devices\/\w+, field healthScore, got 340/,
    ],
    [
      'a reference to nothing',
      `${OF_AP}    set: {siteId: moon}\n`,
      /broken\.yaml:8: field symptoms\.0\.set\.siteId: expected an existing siteId of sites-health in .*, got "moon"/,
    ],
    [
      'an unknown field',
      `${OF_AP}    set: {colour: red}\n`,
      /broken\.yaml:8: field symptoms\.0\.set\.colour: expected a field of devices, got "colour"/,
    ],
    [
      'an unknown resource',
      '  - in: mgmt/moons\n    where: {a: 1}\n    remove: true\n',
      /broken\.yaml:6: field symptoms\.0\.in: expected a resource of platform "mgmt", got "moons"/,
    ],
    [
      'a selector that selects nothing',
      '  - in: mgmt/devices\n    where: {deviceName: nobody}\n    remove: true\n',
      /broken\.yaml:7: field symptoms\.0\.where: expected at least one row of mgmt\/devices, got none of \d+/,
    ],
    [
      'a row that others still name',
      `${OF_AP}    remove: true\n`,
      /broken\.yaml:8: field symptoms\.0\.remove: expected no row that names it in mgmt\/devices\/\w+, field remove, got \S+ with \S+/,
    ],
    [
      'a reference to rows that have no name',
      `${OF_AP}    set: {deviceName: '{{switch.deviceName}}'}\n`,
      /broken\.yaml:8: .*expected a reference to one of ap, row, got \{\{switch\.deviceName\}\}/,
    ],
    [
      'a time that is none',
      `${OF_AP}    set: {lastSeenAt: {ago: yesterday}}\n`,
      /broken\.yaml:8: .*expected a duration such as PT40M or P3D, got "yesterday"/,
    ],
    [
      'two verbs in one symptom',
      `${OF_AP}    set: {healthScore: 1}\n    remove: true\n`,
      /broken\.yaml:6: field symptoms\.0: expected one of set, add and remove, got set and remove/,
    ],
  ])('%s', async (_, symptoms, message) => {
    expect(await refusal(symptoms)).toMatch(message);
  });

  test('a field that no incident has', async () => {
    expect(await refusal(`${OF_AP}    remove: true\n`, `colour: red\n${HEAD}`)).toMatch(
      /INCIDENT_INVALID: incidents\/broken\.yaml:1: /,
    );
  });

  test('text that is no YAML', async () => {
    expect(await refusal('  - {', HEAD)).toMatch(/FIXTURE_UNREADABLE: incidents\/broken\.yaml .*line 6/);
  });
});

test('a name without a file is refused with those there are', async () => {
  await expect(readIncident('nothing')).rejects.toThrow(
    /FAKE_UNKNOWN_INCIDENT: incident should be one of .*switch-power-lost.*, got "nothing"/,
  );
});
