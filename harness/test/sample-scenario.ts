/** A scenario file with every kind of slot, written to a folder, and a recording of a run of it that passes. For tests. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildTask } from '../execution/seeded-task.ts';
import { hashOf } from '../recording/recorded-body.ts';
import type { Recording } from '../recording/recording.ts';
import { redact } from '../recording/redact-recording.ts';
import { parseScenario, type Scenario } from '../scenario/scenario.ts';
import { drawSlots, secretSlots } from '../scenario/seeded-slots.ts';
import { changedRecording, ledgerEntry } from './sample-recording.ts';

const PATH = '/network-config/v1alpha1/wlan-ssids';

export const fileOf = (id: string): string => `scenarios/${id}.yaml`;

export const scenarioText = (id: string): string => `id: ${id}
suite: ${id.split('/')[0]}
intent: Give the network {{wlan.ssid}} the description "{{words}}" and the passphrase "{{phrase}}".
platform: mgmt
fixture: fake-api/fixtures/tiny
write_gate: write
slots:
  wlan: { resource: wlan-ssids, where: { ssid: guest } }
  words: { invent: passphrase }
  phrase: { invent: passphrase, secret: true }
approvals: ['PATCH ${PATH}/{{wlan.ssid}}']
expected_tools:
  sample: [{ name: mgmt_update_wlan_ssid, source: 'README.md:1@0000000' }]
expect:
  api_calls: ['PATCH ${PATH}/{{wlan.ssid}}']
  allowed_reads: ['GET ${PATH}/{ssid}']
  must_not_call: [DELETE /**, PUT /**]
  end_state:
    - { resource: wlan-ssids, where: { ssid: '{{wlan.ssid}}' }, equals: { description: '{{words}}' } }
  bodies:
    'PATCH ${PATH}/{{wlan.ssid}}': { description: '{{words}}', passphrase: '{{phrase}}' }
  facts: { network: '{{wlan.ssid}}', text: '{{words}}' }
evidence: 'README.md:1@0000000'
result_schema:
  type: object
  properties:
    network: { type: string, description: Name of the network }
    text: { type: string, description: Its new description }
`;

export async function writeScenario(root: string, id: string, text = scenarioText(id)): Promise<Scenario> {
  const file = join(root, fileOf(id));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return sampleScenario(id, text);
}

export function sampleScenario(id: string, text = scenarioText(id)): Scenario {
  const parsed = parseScenario(text, fileOf(id));
  if ('scenario' in parsed) return parsed.scenario;
  throw new Error(JSON.stringify(parsed.problems));
}

/** As the harness records a run of the scenario that makes the change; secrets are markers. */
export async function scenarioRecording(
  id: string,
  change: (recording: Recording) => void = () => {},
  { seed = 1, run = 0 } = {},
): Promise<Recording> {
  const scenario = sampleScenario(id);
  const slots = await drawSlots(scenario, seed, async () => [{ ssid: 'guest' }]);
  const { task } = buildTask(scenario, slots, 'sample');
  const description = slots['words'] as string;
  const made = changedRecording((r) => {
    Object.assign(r, { seed, run, task });
    r.final = { network: 'guest', text: description };
    const call = r.transcript.at(-1)!;
    const body = { description, passphrase: slots['phrase'] };
    call.sent = { name: 'mgmt_update_wlan_ssid', arguments: { ssid: 'guest', body } };
    call.received = [JSON.stringify(r.final)];
    r.ledger = [
      ledgerEntry({
        seq: 1,
        method: 'PATCH',
        path: `${PATH}/guest`,
        template: `${PATH}/{ssid}`,
        bodyHash: hashOf(body),
      }),
    ];
    r.changes = [
      {
        platform: 'mgmt',
        resource: 'wlan-ssids',
        kind: 'changed',
        value: { ssid: 'guest', description },
        fields: ['description'],
      },
    ];
    r.endState = [{ resource: 'wlan-ssids', items: [{ ssid: 'guest', description }, { ssid: 'staff' }] }];
  });
  const recording = redact(made, secretSlots(scenario, slots));
  change(recording);
  return recording;
}
