import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readArguments } from './expand-models.ts';
import type { count } from './lint/endpoint-count.ts';
import { ExpandError } from './model/expand-errors.ts';
import { platformsFolder } from './model/platforms-folder.ts';
import { platformDocuments } from './platform-documents.ts';
import { inputsDigests } from './write-documents.ts';

async function workplace(): Promise<{ platforms: string; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'expand-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const platforms = join(folder, 'platforms');
  await cp(join(platformsFolder, 'shared'), join(platforms, 'shared'), { recursive: true });
  await cp(join(platformsFolder, 'mgmt', 'platform.yaml'), join(platforms, 'mgmt', 'platform.yaml'));
  await writeFile(join(platforms, 'mgmt', 'small.yaml'), small);
  return { platforms, output: join(folder, 'openapi') };
}

const small = `document: small
base: /network-config/v1alpha1
style: profile
tag: Small
resources:
  rings:
    noun: [ring, rings]
    aliases: [loop]
    questions: [which rings exist]
    distinguish: cable in a circle; a chain is open
    impact: nobody is called
    key: name str(1..9) -- What people call it
    ops: crud
    fields:
      tone: int(1..9)! -- Pitch
      note: str(0..99) -- Remark
      mode: enum(loud|soft) -- Volume
`;

async function made(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')])),
  );
}

describe('documents on disk', () => {
  test('are written once and reused while models and expander stay the same', async () => {
    const places = await workplace();
    const first = await platformDocuments(['mgmt'], places);
    const files = await made(join(places.output, 'mgmt'));
    expect(Object.keys(files)).toEqual(['.digest.json', 'small.json', 'token.json']);
    expect(JSON.parse(files['.digest.json']!)).toMatchObject({ madeBy: 'fake-api/expand' });
    expect(await platformDocuments(['mgmt'], places)).toEqual(first);
    expect(await made(join(places.output, 'mgmt'))).toEqual(files);
  });

  test('are made again, and leftovers removed, when a model changed', async () => {
    const places = await workplace();
    await platformDocuments(['mgmt'], places);
    await writeFile(
      join(places.platforms, 'mgmt', 'small.yaml'),
      small.replace('document: small', 'document: other').replace('1..9)!', '1..7)!'),
    );
    const documents = (await platformDocuments(['mgmt'], places)).get('mgmt')!;
    expect([...documents.keys()]).toEqual(['other', 'token']);
    const files = await made(join(places.output, 'mgmt'));
    expect(Object.keys(files)).toEqual(['.digest.json', 'other.json', 'token.json']);
    expect(files['other.json']).toContain('"maximum":7');
  });

  test('a file counts in whatever folder it stands', async () => {
    const { platforms } = await workplace();
    const before = await inputsDigests(['mgmt'], platforms);
    await mkdir(join(platforms, 'shared', 'below'));
    await writeFile(join(platforms, 'shared', 'below', 'more.yaml'), 'enums: {}');
    expect(await inputsDigests(['mgmt'], platforms)).not.toEqual(before);
  });

  test('are made again when a file was damaged', async () => {
    const places = await workplace();
    const first = await platformDocuments(['mgmt'], places);
    await writeFile(join(places.output, 'mgmt', 'small.json'), '{"half":');
    expect(await platformDocuments(['mgmt'], places)).toEqual(first);
  });

  test('are left alone when a changed model is wrong', async () => {
    const places = await workplace();
    await platformDocuments(['mgmt'], places);
    const before = await made(join(places.output, 'mgmt'));
    await writeFile(join(places.platforms, 'mgmt', 'small.yaml'), small.replace('int(1..9)! --', 'int(9..1)! --'));
    await expect(platformDocuments(['mgmt'], places)).rejects.toThrow(
      'mgmt/small.yaml:15 resources.rings.fields.tone: expected a range that rises, got "9..1" (string)',
    );
    expect(await made(join(places.output, 'mgmt'))).toEqual(before);
  });
});

describe('a model is refused with its place', () => {
  const cases: [what: string, from: string | RegExp, to: string, code: string, message: string][] = [
    [
      'broken YAML',
      'base: /network',
      'base: [/network',
      'MODEL_SYNTAX',
      'mgmt/small.yaml:3 (yaml): expected valid YAML',
    ],
    ['a repeated key', 'tag: Small', 'tag: Small\ntag: Twice', 'MODEL_SYNTAX', 'mgmt/small.yaml:5 (yaml)'],
    [
      'an unknown key',
      'tag: Small',
      'tags: Small',
      'MODEL_SHAPE',
      'mgmt/small.yaml:4 tags: expected one of the keys document',
    ],
    ['a missing key', 'style: profile\n', '', 'MODEL_SHAPE', 'expected the key style, got none'],
    ['an unknown style', 'style: profile', 'style: baroque', 'MODEL_REFERENCE', 'expected a style of'],
    [
      'wrong operations',
      'ops: crud',
      'ops: CRUX',
      'MODEL_SHAPE',
      'mgmt/small.yaml:13 resources.rings.ops: expected letters of LGCRPDS',
    ],
    [
      'an unknown resource',
      'str(0..99)',
      'ref(bells)',
      'MODEL_REFERENCE',
      'mgmt/small.yaml:16 resources.rings.fields.note: expected ref to a resource of this platform, got bells',
    ],
    ['an unknown enum', 'enum(loud|soft)', 'Volume', 'MODEL_REFERENCE', 'expected a defined enum, got Volume'],
    ['an unknown object', 'str(0..99)', 'obj(Tune)', 'MODEL_REFERENCE', 'expected a defined object, got Tune'],
    [
      'an unknown mixin',
      'ops: crud',
      'ops: crud\n    use: [sound]',
      'MODEL_REFERENCE',
      'expected a defined mixin, got sound',
    ],
    [
      'a missing include',
      'tag: Small',
      'tag: Small\ninclude: [nowhere]',
      'MODEL_NOT_FOUND',
      'expected a model file shared/nowhere.yaml',
    ],
    [
      'a path without its key line',
      'ops: crud',
      'ops: crud\n    path: rings/{other}',
      'MODEL_REFERENCE',
      'a key or parameters line for {other}',
    ],
    [
      'a destructive operation without impact',
      '    impact: nobody is called\n',
      '',
      'MODEL_SHAPE',
      'the key impact for the destructive deleteRing',
    ],
    [
      'a name the platform has taken',
      'resources:',
      'enums: {TaskState: [A, B]}\nresources:',
      'MODEL_DUPLICATE',
      'TaskState, already defined at mgmt/platform.yaml',
    ],
    [
      'four questions',
      'questions: [which rings exist]',
      'questions: [a, b, c, d]',
      'MODEL_SHAPE',
      'expected one to three questions',
    ],
    [
      'a count over no field',
      'ops: crud',
      'ops: crud\n    count: [size]',
      'MODEL_REFERENCE',
      'expected count over fields of rings, got size',
    ],
  ];
  test.each(cases)('%s', async (_what, from, to, code, message) => {
    const places = await workplace();
    const text = small.replace(from, to);
    expect(text).not.toBe(small);
    await writeFile(join(places.platforms, 'mgmt', 'small.yaml'), text);
    const refusal = await platformDocuments(['mgmt'], places).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(ExpandError);
    expect((refusal as ExpandError).code).toBe(code);
    expect((refusal as ExpandError).message).toContain(message);
  });

  test('a platform that does not exist names those that do', async () => {
    await expect(platformDocuments(['mgnt'])).rejects.toThrow(/expected a platform of .*mgmt.*, got mgnt/);
  });
});

describe('the command', () => {
  test('reads its words', () => {
    expect(readArguments(['lint', '--platforms', 'a,b', '--json'])).toEqual({
      command: 'lint',
      platforms: ['a', 'b'],
      json: true,
    });
    expect(() => readArguments(['--fast'])).toThrow('expected lint, --platforms or --json, got --fast');
    expect(() => readArguments(['--platforms'])).toThrow('expected --platforms a,b, got nothing');
  });

  test('prints one JSON object with the counts, and at least two hundred operations', () => {
    const { status, stdout } = run('--json');
    const counts = JSON.parse(stdout) as ReturnType<typeof count>;
    expect(status).toBe(0);
    expect(counts.platforms['mgmt']!.documents['config-security']!.operations).toBeGreaterThan(40);
    expect(counts.total.operations).toBeGreaterThanOrEqual(200);
    expect(counts.total.endpoints).toBe(counts.total.operations);
  });

  // All of them are judged by a step of the check.
  test('judges a model and says so in one JSON object', () => {
    const { status, stdout } = run('lint', '--json', '--platforms', 'workspace');
    const report = JSON.parse(stdout) as { ok: boolean; platforms: object };
    expect({ status, ok: report.ok }).toEqual({ status: 0, ok: true });
    expect(Object.keys(report.platforms)).toEqual(['workspace']);
  });

  test('ends with 2 and a remedy when it is not understood', () => {
    const { status, stderr } = run('--platforms', 'nowhere');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^MODEL_NOT_FOUND: expected a platform of .*, got nowhere\n {2}Check the platform id/);
  });
});

function run(...words: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [join(import.meta.dirname, 'expand-models.ts'), ...words], { encoding: 'utf8' });
}
