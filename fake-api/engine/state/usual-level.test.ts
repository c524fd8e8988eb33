import { describe, expect, it } from 'vitest';
import type { Call } from '../http/accepted-call.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import type { Values } from './platform-behaviour.ts';
import { usualLevels } from './usual-level.ts';

const call = { operation: { id: 'getTrend' }, platform: { resources: new Map() } } as unknown as Call;

function beside(values: Values, trend: readonly string[] = []) {
  const levels = usualLevels(call, { resource: {} as Resource, id: 'one', values }, trend);
  return (name: string) => levels?.(name).usual;
}

describe('the level of a series beside a row', () => {
  it('is the figure of the row that the same words name', () => {
    const levelOf = beside({ clientCount: 3, cpuUtilization: 24, poeDrawWatts: 30.2, clients: { failed: 2 } });
    expect(levelOf('associatedClients')).toBe(3);
    expect(levelOf('cpuPercent')).toBe(24);
    expect(levelOf('poeWatts')).toBe(30.2);
    expect(levelOf('temperature')).toBeUndefined();
  });

  it('is asked for by the words of the trend where the field says nothing', () => {
    expect(beside({ score: 88 }, ['score'])('mean')).toBe(88);
  });

  it('is nothing where the row says that it takes no part', () => {
    expect(beside({ poeState: 'NOT_CAPABLE', poeWatts: 12 })('poeDrawWatts')).toBe(0);
  });

  it('lies in the middle of a band', () => {
    expect(beside({ lower: 10, upper: 30 })('observed')).toBe(20);
  });
});
