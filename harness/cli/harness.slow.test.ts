/** The harness's command, called in this process: exit codes and streams. Its runs are in `harness-runs.slow.test.ts`. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT, EXIT_MEANING } from '../exit-codes.ts';
import { called, harness, root } from '../test/harness-command.ts';

describe('exit codes', () => {
  test('have one documented meaning each', () => {
    expect(
      Object.keys(EXIT_MEANING)
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual(Object.values(EXIT).sort((a, b) => a - b));
    expect(EXIT).toEqual({ pass: 0, verdict: 1, usage: 2, infrastructure: 3, baseline: 4, interrupted: 130 });
  });

  test('0 and at most 60 lines for the help of each command', async () => {
    const { stdout } = await called('--help');
    const names = [...stdout.matchAll(/^ {2}([a-z][\w-]*) (?=.*\[options\]| )/gm)].map(([, name]) => name ?? '');
    expect(names).toEqual(expect.arrayContaining(['run', 'compare', 'bless', 'try']));
    for (const name of new Set(names)) {
      const help = await called(name, '--help');
      expect({ name, exit: help.exit, fits: help.stdout.split('\n').length <= 60 }).toEqual({
        name,
        exit: 0,
        fits: true,
      });
    }
  });

  test('0 and the table for --help', async () => {
    const { exit, stdout } = await harness('--help');
    expect(exit).toBe(0);
    for (const code of Object.keys(EXIT_MEANING)) expect(stdout).toMatch(new RegExp(`^ +${code}  \\S`, 'm'));
  });

  test.each([
    [
      'a number that is none',
      ['run', '--runs', '80a'],
      /should be a whole number from 1 to 1000, got "80a" \(string\)/,
    ],
    ['an unknown suite', ['run', '--suite', 'poetry'], /NOTHING_SELECTED: --suite should be of .*alerts.*got "poetry"/],
    ['a misspelt suite', ['run', '--suite', 'alrets'], /got "alrets" \(string\); did you mean "alerts"\?/],
    ['a suite with two letters swapped', ['run', '--suite', 'nca'], /got "nca" \(string\); did you mean "nac"\?/],
    ['a misspelt agent', ['run', '--agent', 'orcale'], /got "orcale" \(string\); did you mean "oracle"\?/],
    ['a misspelt subject', ['run', '--subject', 'ruoter'], /got "ruoter" \(string\); did you mean "router"\?/],
    ['a misspelt command', ['comapre'], /unknown command "comapre" \(string\); did you mean "compare"\?/],
    ['a filter that leaves nothing', ['run', '--filter', 'poetry'], /NOTHING_SELECTED.*got none/],
    [
      'an unknown agent',
      ['run', '--agent', 'genius'],
      /--agent should be of dumper, gullible, list-oracle, llm, noop, oracle, refuser, retrieval, spam, got "genius"/,
    ],
    [
      'an unknown subject',
      ['run', '--subject', 'other'],
      /SUBJECT_INVALID: subject should be one of fastmcp-openapi, .*, router-direct, slop-mcp, got/,
    ],
    ['a shard that is none', ['run', '--shard', '3/2'], /--shard.*should be i\/n with 1 ≤ i ≤ n ≤ 1000, got "3\/2"/],
    ['an empty shard', ['run', '--filter', 'alerts/worst', '--shard', '2/2'], /--shard should hold a scenario of 1/],
    [
      'an unknown tag',
      ['run', '--tag', 'wirte'],
      /NOTHING_SELECTED: --tag should be of .*, got "wirte" \(string\); did you mean "write"\?/,
    ],
    [
      'tags that no scenario has together',
      ['run', '--tag', 'gates-open,gates-closed'],
      /NOTHING_SELECTED: --suite, --filter and --tag.*got none/,
    ],
    [
      'a folder without scenarios',
      ['run', '--scenarios', 'docs/pictures'],
      /docs\/pictures should hold <suite>\/<name>\.yaml, got no such file/,
    ],
    [
      'a misspelt subject to compare',
      ['compare', '--subjects', 'ruoter'],
      /got "ruoter" \(string\); did you mean "router"\?/,
    ],
    ['an unknown mode', ['run', '--mode', 'huge'], /--mode should be one of minimal, default, direct, got "huge"/],
    ['an unknown profile', ['run', '--profile', 'root'], /--profile should be one of safe-read-only, custom/],
    ['a resumed run that is none', ['run', '--resume', '/nowhere'], /\/nowhere\.partial: should be a run that was cut/],
    ['a merge of nothing', ['merge', '/nowhere'], /RECORDING_INVALID/],
    ['a run that is none', ['regrade', '/nowhere'], /RECORDING_INVALID/],
    ['a bless without a reason', ['bless'], /required option '--reason/],
  ])('2 for %s', async (_name, argv, message) => {
    const { exit, stdout, stderr } = await called(...argv);
    expect(stderr).toMatch(message);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  });

  test('the shell gets 2 as well', async () => {
    const { exit, stdout, stderr } = await harness('run', '--colour');
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toMatch(/unknown option/);
  });

  test('2 for a malformed scenario, with file, line and field', async () => {
    const folder = join(root, 'var', 'bad-scenarios-for-test');
    await mkdir(join(folder, 'alerts'), { recursive: true });
    try {
      await writeFile(join(folder, 'alerts', 'bad.yaml'), 'id: alerts/bad\nsuite: alerts\nintent: 7\n');
      const { exit, stderr } = await called('run', '--scenarios', 'var/bad-scenarios-for-test');
      expect(exit).toBe(2);
      expect(stderr).toContain(
        'var/bad-scenarios-for-test/alerts/bad.yaml:3: `intent` should be of type string, got 7 (number)',
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('--list', () => {
  test('names the runs that would be made and makes none', async () => {
    const argv = ['--list', '--filter', 'alerts/worst', '--runs', '2', '--agent', 'oracle'];
    const { exit, stdout, stderr } = await called('run', ...argv);
    const ends = ['http seed 1', 'http seed 2', 'stdio seed 1', 'stdio seed 2'];
    const lines = ends.map((rest) => `alerts/worst-now oracle ${rest}`);
    expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: `${lines.join('\n')}\n4 runs\n`, stderr: '' });
  });

  test('shows that shards share the runs out', async () => {
    const listed = async (...argv: string[]) =>
      (JSON.parse((await called('run', '--list', '--json', ...argv)).stdout) as { runs: object[] }).runs;
    const whole = await listed();
    const parts = [...(await listed('--shard', '1/2')), ...(await listed('--shard', '2/2'))];
    const text = (runs: object[]) => runs.map((run) => JSON.stringify(run)).sort();
    expect(text(parts)).toEqual(text(whole));
  });
});
