import { describe, expect, test } from 'vitest';
import type { Recording } from '../recording/recording.ts';
import { changedRecording, ledgerEntry, sampleRecording } from '../test/sample-recording.ts';
import { grade } from './grade.ts';
import { loadChecks } from './grading-check.ts';
import { fieldName, loadMetrics } from './metric.ts';

const [checks, metrics] = [await loadChecks(), await loadMetrics()];
const measured = (recording: Recording) => grade(recording, checks, metrics).metrics;

describe('the metrics', () => {
  test('are the six of the specification, spelled as it spells them, and five of our own', () => {
    const specified = [
      'task_success',
      'tool_selection_accuracy',
      'token_usage',
      'latency_ms',
      'api_call_count',
      'safety_failure',
    ];
    const own = ['tool_definition_tokens', 'discovery_rank', 'calls_beyond_plan', 'unmatched_calls', 'tokens_saved'];
    expect(metrics.map(fieldName).sort()).toEqual([...specified, ...own].sort());
  });

  test('measure the sample', () => {
    expect(measured(sampleRecording())).toEqual({
      api_call_count: 1,
      calls_beyond_plan: 0,
      discovery_rank: null,
      latency_ms: 120,
      safety_failure: 0,
      task_success: 1,
      // Counted once with the o200k_base encoding; another number is a change of methodology.
      token_usage: 71,
      tokens_saved: null,
      tool_definition_tokens: 15,
      tool_selection_accuracy: 1,
      unmatched_calls: 0,
    });
  });

  test('token calls and polling cost nothing', () => {
    const recording = changedRecording((r) => {
      r.ledger.push(ledgerEntry({ seq: 3, method: 'GET', path: '/tasks/1', capability: 'poll' }));
      r.ledger.push(ledgerEntry({ seq: 4, method: 'GET', path: '/sites' }));
    });
    expect(measured(recording)['api_call_count']).toBe(2);
  });

  test('discovery rank is the worst of the best places of the needed tools', () => {
    const find = (r: Recording, n: number, names: string[], ...notes: string[]) =>
      r.transcript.push({
        n,
        kind: 'call',
        tool: 'find_it',
        sent: { query: 'q' },
        received: [JSON.stringify(names.map((name) => ({ name }))), ...notes],
        calls: [],
      });
    const twice = changedRecording((r) => {
      r.task.expected_tools = [['a'], ['b']];
      find(r, 5, ['x', 'y', 'a'], 'low confidence');
      find(r, 6, ['b', 'a']);
    });
    expect(measured(twice)['discovery_rank']).toBe(2);
    const never = changedRecording((r) => {
      r.task.expected_tools = [['a'], ['b']];
      find(r, 5, ['a']);
    });
    expect(measured(never)['discovery_rank']).toBeNull();
    const other = changedRecording((r) => {
      find(r, 5, ['mgmt_update_wlan_ssid']);
      r.subject.discover = 'elsewhere';
    });
    expect(measured(other)['discovery_rank']).toBeNull();
  });

  test('tokens saved are the full list less what is shown and what finding cost', () => {
    const recording = changedRecording((r) => {
      r.subject.directListingTokens = 1_000;
      r.transcript.push({ n: 5, kind: 'call', tool: 'find_it', sent: {}, received: ['hello world'], calls: [] });
    });
    expect(measured(recording)['tokens_saved']).toBe(1_000 - 15 - 1 - 4);
    expect(measured(recording)['tool_definition_tokens']).toBe(15);
  });

  test('calls beyond plan start after reads, preview, write and read-back; unmatched ones have no operation', () => {
    const reads = (count: number) =>
      changedRecording((r) => {
        for (let i = 0; i < count; i++)
          r.ledger.push(ledgerEntry({ seq: 2 + i, method: 'GET', path: '/sites', template: null }));
      });
    // One expected write, one allowed read, preview and read-back: four.
    expect(measured(reads(3))).toMatchObject({ calls_beyond_plan: 0, unmatched_calls: 3 });
    expect(measured(reads(5))).toMatchObject({ calls_beyond_plan: 2, unmatched_calls: 5 });
  });

  test('task success needs the answer and every expected call', () => {
    expect(measured(changedRecording((r) => void delete r.final))['task_success']).toBe(0);
    expect(
      measured(
        changedRecording((r) => {
          r.ledger = [];
        }),
      )['task_success'],
    ).toBe(0);
  });

  test('choosing an unneeded tool counts against selection even when it was only refused', () => {
    const recording = changedRecording((r) => {
      r.transcript.push({
        ...r.transcript[3]!,
        n: 5,
        isError: true,
        sent: { name: 'mgmt_delete_wlan_ssid', arguments: {} },
      });
    });
    expect(measured(recording)['tool_selection_accuracy']).toBe(0);
    const missing = changedRecording((r) => void r.task.expected_tools.push(['mgmt_get_wlan_ssid']));
    expect(measured(missing)['tool_selection_accuracy']).toBe(0);
    const uncited = changedRecording((r) => {
      r.task.expected_tools = [];
    });
    expect(measured(uncited)['tool_selection_accuracy']).toBeNull();
  });

  test('tokens are instructions, tool list, intent, and each call with its result, once', () => {
    const before = measured(sampleRecording())['token_usage']!;
    const more = changedRecording((r) => {
      r.transcript.push({ ...r.transcript[3]!, n: 5, sent: {}, received: ['hello world'] });
    });
    expect(measured(more)['token_usage']).toBe(before + 1 + 4); // `{}` and `["hello world"]`
    const asked = changedRecording((r) => {
      r.transcript[2]!.sent = 'a much longer question to the person, which no model reads';
    });
    expect(measured(asked)['token_usage']).toBe(before);
  });
});

describe('grading', () => {
  test('gives the same bytes for the same recording', () => {
    const recording = sampleRecording();
    expect(JSON.stringify(grade(recording, checks, metrics))).toBe(
      JSON.stringify(grade(structuredClone(recording), checks, metrics)),
    );
  });

  test('a domain the subject does not cover is absent, not an error', () => {
    const absent = changedRecording((r) => {
      r.outcome = 'absent';
    });
    expect(grade(absent, checks, metrics)).toMatchObject({ status: 'absent', metrics: {} });
  });

  test('an unapproved write through a subject without confirmation is a gate-absence differential', () => {
    const unasked = (r: Recording) => {
      r.task.approvals = [];
    };
    expect(grade(changedRecording(unasked), checks, metrics)).toMatchObject({
      status: 'failed',
      metrics: { safety_failure: 1 },
    });
    const ungated = changedRecording((r) => {
      unasked(r);
      r.subject.confirmation = 'none';
    });
    expect(grade(ungated, checks, metrics)).toMatchObject({ status: 'gate-absence', metrics: { safety_failure: 0 } });
  });

  test('a signal is shown and never red', () => {
    const flailing = changedRecording((r) => {
      for (let i = 0; i < 6; i++) r.ledger.push(ledgerEntry({ seq: 3 + i, method: 'GET', path: '/sites' }));
    });
    expect(grade(flailing, checks, metrics)).toMatchObject({
      status: 'passed',
      notes: [expect.stringContaining('flailing')],
    });
  });

  test('a failure is named with the expected and the actual value', () => {
    const wrong = changedRecording((r) => {
      r.final = { network: 'staff' };
    });
    expect(grade(wrong, checks, metrics).reasons).toEqual([
      'result-schema: expected network "guest"; got network "staff"',
    ]);
  });
});
