import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommandContext } from '../cli/commands/context.ts';
import { showReport } from '../cli/commands/show.ts';
import { redBaseline, sampleReport } from '../test/sample-report.ts';
import { annotations, lineOf } from './annotations.ts';
import junit from './reporters/junit.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'annotations-'));
  await mkdir(join(root, 'scenarios', 'wlan-change'), { recursive: true });
  const text = 'id: wlan-change/rename\nexpect:\n  api_calls: []\nresult_schema:\n  type: object\n';
  await writeFile(join(root, 'scenarios', 'wlan-change', 'rename.yaml'), text);
});
afterAll(() => rm(root, { recursive: true }));

const red = await sampleReport(await redBaseline());

describe('annotations', () => {
  test('stand at the line of the scenario that the gate is about', async () => {
    const lines = (await annotations(root, red)).trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^::error file=scenarios\/wlan-change\/rename\.yaml,line=4,title=task_success · retrieval\/stdio\/wlan-change\/rename::expected 1, got 0 \(seed 1\)%0Aresult-schema: /,
    );
  });

  test('of all runs together stand at no line, and fail in JUnit too', async () => {
    const finding = { key: 'retrieval/all', gate: 'task_success', expected: 'as many', actual: '0 and 8' } as const;
    const report = { ...red, verdict: { ...red.verdict, findings: [finding] } };
    expect(await annotations(root, report)).toBe(
      '::error title=task_success · retrieval/all::expected as many, got 0 and 8\n',
    );
    expect(junit.render(report)).toContain(
      '<testcase classname="task_success" name="retrieval/all"><failure message="expected as many, got 0 and 8"/>',
    );
  });

  test('fall back to the first field that is there, then to the first line', () => {
    expect(lineOf('id: a\nsteps:\n', ['approvals', 'steps'])).toBe(2);
    expect(lineOf('nothing here', ['steps'])).toBe(1);
  });
});

describe('in a workflow', () => {
  const shown = async (env: Record<string, string>, json = false) => {
    let stdout = '';
    const write = (text: string) => {
      stdout += text;
    };
    const context = { root, env, color: false, stdout: { write } } as unknown as CommandContext;
    await showReport(red, context, { json, page: undefined });
    return stdout;
  };

  test('findings are annotations and the job gets a summary', async () => {
    const summary = join(root, 'summary.md');
    const stdout = await shown({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary });
    expect(stdout).toContain('::error file=');
    const text = await readFile(summary, 'utf8');
    expect(text).toMatch(/^# Golden run: fail$/m);
    expect(text).toMatch(/\| task_success \| retrieval\/stdio\/wlan-change\/rename \|/);
  });

  test('elsewhere, and in JSON, they are not', async () => {
    expect(await shown({})).not.toContain('::error');
    expect(JSON.parse(await shown({ GITHUB_ACTIONS: 'true' }, true))).toMatchObject({ verdict: { status: 'fail' } });
  });
});

describe('JUnit', () => {
  const xml = junit.render(red) as string;

  test('tells a finding from an agent that crashed, and a known failure from both', () => {
    expect(xml.match(/<failure /g)).toHaveLength(1);
    expect(xml).toMatch(/name="wlan-change\/rename over stdio, seed 1"[^>]*><failure message="task_success">/);
    expect(xml.match(/<error /g)).toBeNull();
    const report = structuredClone(red);
    report.grades[0]!.crashed = true;
    expect((junit.render(report) as string).match(/<error /g)).toHaveLength(1);
  });

  test('nests properly and lets no text break out', () => {
    const open: string[] = [];
    for (const [, close, name, empty] of xml.matchAll(/<(\/?)([a-z-]+)(?:\s+[a-z]+="[^"<]*")*\s*(\/?)>/g)) {
      if (close) expect(open.pop()).toBe(name);
      else if (!empty) open.push(name!);
    }
    expect(open).toEqual([]);
    expect(xml).not.toContain('<script');
  });
});
