import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ensureCatalog } from '../catalog/ensure.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';
import { sampleInstallation } from '../test/support/sample-installation.ts';
import { decode, encode, openIndex, openIndexLater, SEARCH_INDEX_FILE } from './index-file.ts';
import { intentOf } from './intent.ts';
import { openFinder } from './open-finder.ts';
import { readQuestion } from './search-question.ts';
import { stem } from './stem.ts';
import { terms } from './tokens.ts';

function finder(variables: Record<string, string> = {}) {
  const installation = sampleInstallation();
  const config = installation.config(variables);
  const { catalog } = ensureCatalog(config);
  return {
    finder: openFinder(config, catalog),
    catalog,
    [Symbol.dispose]: () => {
      catalog.close();
      installation[Symbol.dispose]();
    },
  };
}

const top = (found: ReturnType<typeof finder>, query: string, more = {}) =>
  found.finder.find({ query, topK: 5, ...more }).hits.map(({ tool }) => tool.name);

describe('an exact text comes first', () => {
  test.each([
    ['mgmt_get_wlan', 'mgmt_get_wlan'],
    ['MGMT_GET_WLAN', 'mgmt_get_wlan'],
    ['getWlan', 'mgmt_get_wlan'],
    ['GET /wlans/{ssid}', 'mgmt_get_wlan'],
    ['get /wlans/{any-name}', 'mgmt_get_wlan'],
    ['"mgmt_get_wlan"', 'mgmt_get_wlan'],
    ["'getWlan'", 'mgmt_get_wlan'],
    ['“GET /wlans/{ssid}”', 'mgmt_get_wlan'],
    ['GET /wlans/{ssid}?limit=10', 'mgmt_get_wlan'],
    ['GET https://host.example:8443/wlans/{ssid}?limit=10#top', 'mgmt_get_wlan'],
    ['PUT /wlans/{ssid}', 'mgmt_replace_wlan'],
    ['DELETE /auth-servers/{name}', 'mgmt_delete_auth_server'],
    ['Get one WLAN (SSID)', 'mgmt_get_wlan'],
  ])('%s', (query, name) => {
    using found = finder();
    const { hits } = found.finder.find({ query, topK: 3 });
    expect(hits[0]).toMatchObject({ exact: true, tool: { name } });
  });
});

describe('plain words find the operation and its kind', () => {
  test.each([
    ['list the authentication servers', 'mgmt_list_auth_servers'],
    ['which RADIUS servers are defined?', 'mgmt_list_auth_servers'],
    ['show me the AAA server "radius-1"', 'mgmt_get_auth_server'],
    ['authentication servers of "hq"', 'mgmt_list_auth_servers'],
    ['add a RADIUS server', 'mgmt_create_auth_server'],
    ['change the port of the authentication server radius-1', 'mgmt_update_auth_server'],
    ['remove the LDAP authentication server', 'mgmt_delete_auth_server'],
    ['restart the AP in the lobby', 'mgmt_reboot_access_point'],
    ['test a login against the authentication server', 'mgmt_start_auth_server_test'],
    ['what came out of the authentication test', 'mgmt_get_auth_server_test_result'],
    ['replace the SSID settings', 'mgmt_replace_wlan'],
    ['list access points', 'mgmt_get_access_points'],
    ['WLAN details', 'mgmt_get_wlan'],
  ])('%s → %s', (query, name) => {
    using found = finder();
    expect(top(found, query)[0]).toBe(name);
  });

  test('a question never has a write on top', () => {
    using found = finder();
    for (const query of [
      'what is the port of the radius server?',
      'why was the access point rebooted?',
      'is the authentication server deleted?',
      'which wlan was replaced?',
    ]) {
      const [hit] = found.finder.find({ query, topK: 1 }).hits;
      expect(hit?.tool.capability, query).toBe('read');
    }
  });
});

describe('what may not be used is not found', () => {
  test.each([{ SVC_MCP_READONLY: '1' }, { SVC_MCP_ACCESS_PROFILE: 'safe-read-only' }])(
    '%j hides writes, also by exact name',
    (variables) => {
      using found = finder(variables);
      expect(top(found, 'mgmt_delete_auth_server')).not.toContain('mgmt_delete_auth_server');
      expect(top(found, 'DELETE /auth-servers/{name}')).not.toContain('mgmt_delete_auth_server');
      const capabilities = found.finder
        .find({ query: 'delete authentication server', topK: 10 })
        .hits.map(({ tool }) => tool.capability);
      expect(new Set(capabilities)).not.toContain('destructive');
      expect(new Set(capabilities)).not.toContain('write');
      expect(capabilities).toContain('diagnostic');
    },
  );

  test('a closed gate under custom is found and marked', () => {
    using found = finder();
    const [hit] = found.finder.find({ query: 'mgmt_delete_auth_server', topK: 1 }).hits;
    expect(found.finder.describe(hit!.tool)).toEqual({
      name: 'mgmt_delete_auth_server',
      server: 'mgmt-config',
      description: 'Delete one authentication server.',
      params: ['name'],
      read_only: false,
      destructive: true,
      capability: 'destructive',
      gate: 'closed',
    });
  });

  test('an open gate has no mark', () => {
    using found = finder({ SVC_MCP_MGMT_WRITES: '1' });
    const [hit] = found.finder.find({ query: 'mgmt_delete_auth_server', topK: 1 }).hits;
    expect(found.finder.describe(hit!.tool).gate).toBeUndefined();
  });
});

describe('filters and notes', () => {
  test('capability and top_k are kept', () => {
    using found = finder();
    const { hits } = found.finder.find({ query: 'authentication server', topK: 2, capability: 'destructive' });
    expect(hits.map(({ tool }) => tool.name)).toEqual(['mgmt_delete_auth_server']);
    expect(found.finder.find({ query: 'authentication server', topK: 2 }).hits).toHaveLength(2);
  });

  test('a platform that does not exist is said', () => {
    using found = finder();
    expect(found.finder.find({ query: 'list sites', topK: 5, platform: 'sdwan' })).toEqual({
      hits: [],
      note: 'Note: there is no platform "sdwan"; enabled: mgmt.',
    });
  });

  test('a platform that is not enabled is said', () => {
    using found = finder({ SVC_MCP_TOOLSETS: 'rag' });
    expect(found.finder.find({ query: 'list wlans', topK: 5, platform: 'mgmt' }).note).toBe(
      'Note: the mgmt platform is not enabled on this router; enabled: none.',
    );
  });

  test('a question about something else gets a note, an in-domain one does not', () => {
    using found = finder();
    expect(found.finder.find({ query: 'bake a chocolate cake', topK: 5 }).note).toMatch(/no tool fits|low confidence/);
    expect(found.finder.find({ query: 'list authentication servers', topK: 5 }).note).toBeUndefined();
  });

  test('what is not to be done is not found first', () => {
    using found = finder();
    const query = "don't delete anything, just show authentication servers";
    expect(top(found, query)[0]).toBe('mgmt_list_auth_servers');
  });

  test.each(['apagar la red de invitados', 'アクセスポイントを再起動する'])('another language is told: %s', (query) => {
    using found = finder();
    expect(found.finder.find({ query, topK: 5 }).note).toContain('in English');
  });

  test('odd queries are answered, not thrown at', () => {
    using found = finder();
    for (const query of [
      '?',
      '   ',
      'the of and',
      '"',
      '🛰️',
      'a'.repeat(1_000_000),
      '{}[]()\\',
      "'; DROP TABLE tools; --",
      '__proto__',
      'constructor',
    ]) {
      expect(() => found.finder.find({ query, topK: 10 }), query.slice(0, 20)).not.toThrow();
    }
  });
});

test('every hit says what each feature gave, and the factors make the score', () => {
  using found = finder();
  for (const { score, features } of found.finder.find({ query: 'update a radius server', topK: 5 }).hits) {
    expect(Object.values(features).reduce((product, factor) => product * factor, 1)).toBeCloseTo(score, 9);
    expect(Object.keys(features)).toContain('verb');
  }
});

test('the index on disk is the index that was built', () => {
  using found = finder();
  const index = openIndex(found.catalog);
  const again = decode(encode(index));
  expect(again).toEqual(index);
  expect(index.size).toBe(found.catalog.summary.tools);
});

test('an index is read by the first question, and a file of another kind is refused before', () => {
  using found = finder();
  const read = openIndexLater(found.catalog);
  expect(read()).toBe(read());
  const folder = mkdtempSync(join(tmpdir(), 'another-kind-'));
  writeFileSync(join(folder, SEARCH_INDEX_FILE), 'not an index');
  expect(() => openIndexLater({ folder } as Catalog)).toThrow(/should be a search index, got another kind of file/);
  rmSync(folder, { recursive: true });
});

describe('words', () => {
  test.each([
    ['servers', 'server'],
    ['policies', 'polici'],
    ['policy', 'polici'],
    ['movies', 'movi'],
    ['movie', 'movi'],
    ['addresses', 'address'],
    ['status', 'status'],
    ['rebooting', 'reboot'],
    ['rebooted', 'reboot'],
    ['dropped', 'drop'],
    ['rotate', 'rotat'],
    ['rotating', 'rotat'],
    ['dns', 'dns'],
  ])('%s → %s', (word, root) => {
    expect(stem(word)).toBe(root);
  });

  test('spellings of one thing are one word', () => {
    expect(terms('802.1X')).toEqual(terms('dot1x'));
    expect(terms('Wi-Fi')).toEqual(terms('wifi'));
    expect(terms('access points')).toEqual(terms('AP'));
    expect(terms('listAuthServers')).toEqual(['auth', 'server']);
  });
});

describe('questions', () => {
  test.each([
    ['how many clients are connected', 'count', true],
    ['delete the guest wlan', 'delete', false],
    ['what changed yesterday?', 'read', true],
    ['reboot ap-3', 'action', false],
    ['show me all sites', 'list', true],
    ['please rename the site', 'update', false],
    ['routes that the appliance learned', 'read', false],
    ['failed logins of the portal', 'read', false],
    ['the printer should keep its address for good', undefined, false],
    ['open support cases of this serial number', 'read', false],
    ['open a support case', 'action', false],
  ])('%s', (query, intent, question) => {
    expect(intentOf(query)).toMatchObject({ intent, question });
  });

  test('names, addresses and quoted words are values, not topics', () => {
    for (const query of [
      'status of hq-ap-01',
      'client aa:bb:cc:dd:ee:ff',
      'client aabb.ccdd.ee0f',
      'client aabbccddee0f',
      'route to 2001:db8::1/64',
      'ping fe80::1',
      'ping 10.1.2.3',
      'site "Harbour House"',
      'device CNX12345A',
    ]) {
      expect(readQuestion(query, {}).one, query).toBe(true);
    }
    expect(readQuestion('site "Harbour House"', {}).wanted.map(({ term }) => term)).toEqual(['site']);
    expect(readQuestion('802.1x profile', {}).one).toBe(false);
    expect(readQuestion('affected by CVE-2026-1234', {}).wanted.map(({ term }) => term)).toEqual(['affect', 'cve']);
  });

  test('a platform is known by its own words', () => {
    expect(
      readQuestion('sites in the management cloud', { mgmt: ['management cloud'], nac: ['nac'] }).platforms,
    ).toEqual(['mgmt']);
  });
});
