/** A small recording that every check passes, and a way to change one thing about it. For tests. */
import type { LedgerEntry, Recording } from '../recording/recording.ts';

const PATH = '/network-config/v1alpha1/wlan-ssids';

export function ledgerEntry(changes: Partial<LedgerEntry> & { method: string; path: string }): LedgerEntry {
  return {
    seq: 1,
    at: '2026-03-02T09:00:00Z',
    platform: 'mgmt',
    query: '',
    template: changes.path,
    operationId: null,
    capability: changes.method === 'GET' ? 'read' : 'write',
    status: 200,
    bodyHash: null,
    ...changes,
  };
}

function sampleTask(): Recording['task'] {
  return {
    id: 'wlan-change/rename',
    suite: 'wlan-change',
    file: 'scenarios/wlan-change/rename.yaml',
    digest: 'sha256:01',
    intent: 'Give the guest network the description "visitors".',
    platforms: ['mgmt'],
    write_gate: 'write',
    approvals: [`PATCH ${PATH}/guest`],
    classify: {},
    expected_tools: [['mgmt_update_wlan_ssid']],
    api_calls: [[`PATCH ${PATH}/{ssid}`]],
    must_not_call: ['DELETE /**'],
    allowed_reads: [`GET ${PATH}/{ssid}`],
    end_state: [{ resource: 'wlan-ssids', where: { ssid: 'guest' }, equals: { description: 'visitors' } }],
    side_effects: [],
    bodies: {},
    result_schema: {
      type: 'object',
      properties: { network: { type: 'string', description: 'name of the network that was changed' } },
    },
    facts: { network: 'guest' },
  };
}

/** A change that was asked for, approved, made and answered. */
export function sampleRecording(): Recording {
  return {
    version: 3,
    subject: {
      name: 'sample',
      confirmation: 'elicitation',
      dispatchers: ['read_it', 'do_it'],
      discover: 'find_it',
      settings: { mode: 'minimal' },
    },
    agent: 'retrieval',
    transport: 'http',
    gates: 'open',
    seed: 1,
    run: 0,
    fixture: { bundle: 'tiny', version: 1, digest: 'sha256:00' },
    task: sampleTask(),
    outcome: 'finished',
    final: { network: 'guest' },
    transcript: [
      { n: 1, kind: 'initialize', sent: null, received: 'Find a tool, then invoke it.' },
      {
        n: 2,
        kind: 'list',
        sent: null,
        received: [{ name: 'do_it', inputSchema: { type: 'object' } }],
      },
      {
        n: 3,
        kind: 'elicitation',
        sent: `Apply?\nobject: PATCH ${PATH}/guest\noperation: PATCH ${PATH}/{ssid}`,
        received: { action: 'accept' },
      },
      {
        n: 4,
        kind: 'call',
        tool: 'do_it',
        sent: { name: 'mgmt_update_wlan_ssid', arguments: { ssid: 'guest', body: { description: 'visitors' } } },
        received: ['{"ssid":"guest","description":"visitors"}'],
        isError: false,
        calls: [1],
      },
    ],
    ledger: [ledgerEntry({ seq: 1, method: 'PATCH', path: `${PATH}/guest`, template: `${PATH}/{ssid}` })],
    endState: [{ resource: 'wlan-ssids', items: [{ ssid: 'guest', description: 'visitors' }, { ssid: 'staff' }] }],
    changes: [
      {
        platform: 'mgmt',
        resource: 'wlan-ssids',
        kind: 'changed',
        value: { ssid: 'guest', description: 'visitors' },
        fields: ['description'],
      },
    ],
    timings: {
      startedAt: '2026-03-02T09:00:00.000Z',
      latencyMs: 120,
      messages: [
        { atMs: 0, tookMs: 0 },
        { atMs: 0, tookMs: 1 },
        { atMs: 4, tookMs: 0 },
        { atMs: 3, tookMs: 5 },
      ],
      logins: [ledgerEntry({ seq: 1, method: 'POST', path: '/as/token', capability: 'auth' })],
    },
  };
}

/** The sample with one thing changed in a copy. */
export function changedRecording(change: (recording: Recording) => void): Recording {
  const recording = structuredClone(sampleRecording());
  change(recording);
  return recording;
}
