/** Different spellings of one thing are compared as one word. */
import { expect, test } from 'vitest';
import { words } from './tokens.ts';

test('spellings of one thing are one word', () => {
  expect(words('Log-in on accessPoints by 802.1X, aps and passPhrases')).toEqual(
    'login on ap by dot1x ap and password'.split(' '),
  );
});

test('the plural of an acronym is the acronym, also in a name and in a text with accents', () => {
  expect(words('SSIDs, listVMs, VLANs_of APs')).toEqual('ssid list vm vlan of ap'.split(' '));
  expect(words('les APIs référencées')).toEqual(['les', 'api', 'referencees']);
  expect(words('getHTTPStatus')).toEqual(['get', 'http', 'status']);
});

test('a single capital at the end is no word', () => {
  expect(words('PoE of the IoT profile, getQoS')).toEqual('poe of the iot profile get qos'.split(' '));
  expect(words('Über PoE: wirelessLan')).toEqual(['uber', 'poe', 'wireless', 'lan']);
});

test('a run of 50,000 capitals behind a letter with an accent is split in no time', () => {
  const began = performance.now();
  words(`É${'A'.repeat(50_000)}`);
  expect(performance.now() - began).toBeLessThan(500);
});
