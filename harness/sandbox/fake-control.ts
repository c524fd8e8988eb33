/** The fake's control port, seen from the harness: reset a namespace, read its ledger and state. */
import type {
  ChangesAnswer,
  FixtureIdentity,
  LedgerAnswer,
  ResetAnswer,
  ResetRequest,
  StateAnswer,
  StateSummaryAnswer,
} from '#fake-api/ledger';
import { HarnessError } from '../harness-errors.ts';
import type { Change, LedgerEntry } from '../recording/recording.ts';
import type { Fault } from '../scenario/scenario-schema.ts';
import type { FixtureObject } from '../scenario/seeded-slots.ts';

export interface Control {
  reset: (namespace: string, request: ResetRequest) => Promise<ResetAnswer>;
  ledger: (namespace: string, after?: number) => Promise<LedgerEntry[]>;
  state: (namespace: string, platform: string, resource: string) => Promise<FixtureObject[]>;
  resources: (namespace: string, platform: string) => Promise<Record<string, number>>;
  /** Every row that is not as it was after the last reset. */
  changes: (namespace: string) => Promise<Change[]>;
  /** Sets what goes wrong from here to the next reset. */
  planFaults: (namespace: string, rules: readonly Fault[]) => Promise<void>;
}

export type { FixtureIdentity };

export function openControl(base: string): Control {
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const url = `${base}${path}`;
    let response: Response;
    try {
      response = await fetch(url, {
        method,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
    } catch (cause) {
      const { code, message } = ((cause as Error).cause ?? cause) as NodeJS.ErrnoException;
      throw new HarnessError('CONTROL_FAILED', `${method} ${path} should be answered, got ${code ?? message}`, {
        cause,
      });
    }
    const text = await response.text();
    if (!response.ok) {
      throw new HarnessError(
        'CONTROL_FAILED',
        `${method} ${path} should answer 2xx, got ${response.status} ${text.slice(0, 300)}`,
      );
    }
    return JSON.parse(text) as T;
  };
  const at = (namespace: string) => `/namespaces/${encodeURIComponent(namespace)}`;
  return {
    reset: (namespace, request) => ask<ResetAnswer>('POST', `${at(namespace)}/reset`, request),
    ledger: async (namespace, after = 0) =>
      (await ask<LedgerAnswer>('GET', `${at(namespace)}/ledger?after=${after}`)).entries,
    state: async (namespace, platform, resource) => {
      const query = new URLSearchParams({ platform, resource });
      return (await ask<StateAnswer>('GET', `${at(namespace)}/state?${query}`)).items;
    },
    resources: async (namespace, platform) =>
      (await ask<StateSummaryAnswer>('GET', `${at(namespace)}/state?${new URLSearchParams({ platform })}`)).resources,
    changes: async (namespace) => (await ask<ChangesAnswer>('GET', `${at(namespace)}/changes`)).changes,
    planFaults: async (namespace, rules) => {
      await ask('PUT', `${at(namespace)}/faults`, { rules });
    },
  };
}
