/** What is taken in, what is left out and why, and what a killed ingestion leaves. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, deflateSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { packageRoot } from '../config/config.ts';
import { startProcess } from '../test/support/running-process.ts';
import { corpusFile } from './corpus.ts';
import { EmbeddedStore } from './embedded-store.ts';
import { INGEST_LIMITS, ingest } from './ingest.ts';
import { readQuestion } from './knowledge-query.ts';
import { READ_LIMITS } from './readers/reader-thread.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function testbed() {
  const folder = mkdtempSync(join(tmpdir(), 'ingest-'));
  folders.push(folder);
  mkdirSync(join(folder, 'docs', 'runbooks'), { recursive: true });
  const store = new EmbeddedStore(join(folder, 'corpus.sqlite'));
  const write = (path: string, content: string | Buffer) => writeFileSync(join(folder, 'docs', path), content);
  const take = (more = {}) => ingest([join(folder, 'docs')], { store, collection: 'default', ...more });
  const find = (question: string) =>
    store
      .search(readQuestion(question), { limit: 5, collection: 'default' })
      .map(({ metadata, section }) => `${metadata.path}#${section}`);
  return { folder, store, write, take, find };
}

/** One page of text, its stream compressed or as it is. */
function pdf(stream: Buffer, filter = ''): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    Buffer.concat([
      Buffer.from(`<< /Length ${stream.length}${filter} >>\nstream\n`),
      stream,
      Buffer.from('\nendstream'),
    ]),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  for (const [i, object] of objects.entries()) {
    offsets.push(parts.reduce((sum, { length }) => sum + length, 0));
    parts.push(Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]));
  }
  const start = parts.reduce((sum, { length }) => sum + length, 0);
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`,
    ),
  );
  return Buffer.concat(parts);
}

/** Gigabytes of blanks in some hundred kilobytes: one block that refers to nothing before it, over and over. */
function blanks(blocks: number): Buffer {
  const whole = deflateSync(Buffer.alloc(16_000_000, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([whole, ...Array.from({ length: blocks - 1 }, () => whole.subarray(2))]);
}

test('Markdown, HTML, PDF and text are cut at their headings, with provenance and licence', async () => {
  const { store, write, take, find } = testbed();
  write(
    'runbooks/a.md',
    '---\nplatform: mgmt\nversion: "2.1"\nlicence: CC0-1.0\n---\n# Console\n\n## Rotate the flamingo\n\nTurn the pink lever.\n',
  );
  write(
    'b.html',
    '<html><head><title>Page</title><script>alert("zebra")</script></head><body><nav>zebra</nav><h2>Feed the heron</h2><p>Twice a day.</p></body></html>',
  );
  write('c.txt', 'PELICANS\n\nThey like fish.\n\nNight watch\n-----------\nOwls keep it.\n');
  write('d.pdf', pdf(Buffer.from('BT /F1 12 Tf 20 200 Td (The cormorant dives deep) Tj ET')));
  expect(await take({ licence: 'CC-BY-4.0, with notice' })).toMatchObject({ taken_in: 4, skipped: [] });
  expect(find('flamingo')).toEqual(['runbooks/a.md#rotate-the-flamingo']);
  expect(find('who feeds the heron')).toEqual(['b.html#feed-the-heron']);
  expect(find('owls at night')[0]).toBe('c.txt#night-watch');
  expect(find('cormorant')).toEqual(['d.pdf#page-1']);
  expect(find('zebra')).toEqual([]);
  expect(store.sources()).toMatchObject([
    { source: 'documents', documents: 3, licences: ['CC-BY-4.0, with notice'] },
    { source: 'runbooks', documents: 1, licences: ['CC0-1.0'] },
  ]);
  store[Symbol.dispose]();
});

test('unchanged files are not read again; deleted ones leave the corpus only on request', async () => {
  const { folder, store, write, take, find } = testbed();
  write('a.md', '# A\n\nalpha\n');
  write('b.md', '# B\n\nbeta\n');
  expect(await take()).toMatchObject({ taken_in: 2, unchanged: 0 });
  write('b.md', '# B\n\ngamma\n');
  expect(await take()).toMatchObject({ taken_in: 1, unchanged: 1 });
  expect([find('beta'), find('gamma')]).toEqual([[], ['b.md#b']]);
  rmSync(join(folder, 'docs', 'a.md'));
  expect(await take()).toMatchObject({ removed: 0 });
  expect(await take({ prune: true })).toMatchObject({ removed: 1 });
  expect(store.paths('default')).toEqual(['b.md']);
  store[Symbol.dispose]();
});

test('documents of a folder that cannot be read stay when others are pruned', async () => {
  const { folder, store, write, take } = testbed();
  write('a.md', '# A\n\nalpha\n');
  write('runbooks/b.md', '# B\n\nbeta\n');
  await take();
  rmSync(join(folder, 'docs', 'a.md'));
  rmSync(join(folder, 'docs', 'runbooks'), { recursive: true });
  symlinkSync(join(folder, 'share-that-is-not-mounted'), join(folder, 'docs', 'runbooks'));
  const { removed, skipped } = await take({ prune: true });
  expect([removed, skipped]).toEqual([1, [{ path: 'runbooks', reason: 'cannot be read (ENOENT)' }]]);
  expect(store.paths('default')).toEqual(['runbooks/b.md']);
  store[Symbol.dispose]();
});

test('nothing is pruned where the folder that the command names cannot be read', async () => {
  const { folder, store, write, take } = testbed();
  write('a.md', '# A\n\nalpha\n');
  await take();
  const docs = join(folder, 'docs');
  chmodSync(folder, 0o711);
  chmodSync(docs, 0o000);
  // Root reads everything.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  const { removed, skipped } = await take({ prune: true }).finally(() => isRoot && process.seteuid?.(0));
  expect([removed, skipped]).toEqual([0, [{ path: docs, reason: 'cannot be read (EACCES)' }]]);
  expect(store.paths('default')).toEqual(['a.md']);
  chmodSync(docs, 0o700);
  store[Symbol.dispose]();
});

test('malformed files are named and left out, and the others are ingested', async () => {
  const { folder, store, write, take, find } = testbed();
  write('good.md', '# Good\n\nheron\n');
  write('huge.txt', '');
  truncateSync(join(folder, 'docs', 'huge.txt'), 200_000_000);
  write('latin.txt', Buffer.from([0x68, 0xe9, 0x72, 0x6f, 0x6e]));
  write('empty.md', '');
  write('broken.pdf', 'this is no PDF');
  const bomb = pdf(blanks(200), ' /Filter /FlateDecode');
  expect(bomb.length).toBeLessThan(5_000_000);
  write('bomb.pdf', bomb);
  write('sound.pdf', pdf(Buffer.from('BT /F1 12 Tf 20 200 Td (The cormorant dives deep) Tj ET')));
  write('picture.png', 'x');
  write('deep.html', `${'<span>'.repeat(20_000)}heron`);
  write('starred.md', '---\ntitle: *starred*\n---\n# Starred\n\nThe ibis waits.\n');
  symlinkSync(join(folder, 'docs'), join(folder, 'docs', 'loop'));
  symlinkSync(join(folder, 'nowhere'), join(folder, 'docs', 'dangling.md'));
  const { taken_in, skipped } = await take();
  expect(Object.fromEntries(skipped.map(({ path, reason }) => [path, reason]))).toMatchObject({
    'huge.txt': `should be at most ${INGEST_LIMITS.fileBytes} bytes, got 200000000`,
    'latin.txt': 'should be UTF-8 text',
    'empty.md': 'should hold text, got none',
    'bomb.pdf': `should unfold to at most ${READ_LIMITS.memory} bytes, got more`,
    'broken.pdf': expect.stringContaining('should be a PDF that can be read'),
    'picture.png': expect.stringContaining('should be one of'),
    loop: 'leads back to a folder that was read already',
    'dangling.md': 'cannot be read (ENOENT)',
    'deep.html': 'should be nested less deeply',
  });
  expect([taken_in, skipped.length]).toEqual([3, 9]);
  expect(find('ibis')).toEqual(['starred.md#starred']);
  expect(find('cormorant')).toEqual(['sound.pdf#page-1']);
  expect(find('heron')).toEqual(['good.md#good']);
  store[Symbol.dispose]();
});

test.each([
  ['stars.md', '*a_'.repeat(30_000)],
  ['nested.html', '<div>'.repeat(60_000)],
])('%s, which keeps its parser busy, is left out after its time, and the next file is read', async (name, text) => {
  const { store, write, take, find } = testbed();
  write(name, text);
  write('zoo.md', '# Zoo\n\nheron\n');
  const { seconds } = READ_LIMITS;
  READ_LIMITS.seconds = 3;
  try {
    const { taken_in, skipped } = await take();
    expect([taken_in, skipped]).toEqual([
      1,
      [{ path: name, reason: expect.stringMatching(/^should be read within \d seconds$/) }],
    ]);
  } finally {
    READ_LIMITS.seconds = seconds;
  }
  expect(find('heron')).toEqual(['zoo.md#zoo']);
  store[Symbol.dispose]();
});

test('of two files with one path the second is named and left out', async () => {
  const { folder, store, write, find } = testbed();
  mkdirSync(join(folder, 'docs', 'manuals'));
  write('runbooks/readme.md', '# Runbooks\n\nheron\n');
  write('manuals/readme.md', '# Manuals\n\nibis\n');
  const roots = ['runbooks', 'manuals'].map((name) => join(folder, 'docs', name));
  const reason = `has the path of ${join(roots[0] as string, 'readme.md')} too: name the folder that holds both`;
  const { taken_in, skipped } = await ingest(roots, { store, collection: 'default' });
  expect([taken_in, skipped]).toEqual([1, [{ path: 'readme.md', reason }]]);
  expect([find('heron'), find('ibis')]).toEqual([['readme.md#runbooks'], []]);
  store[Symbol.dispose]();
});

test('an ingestion that is killed at any point continues without losses or duplicates', async () => {
  const { folder, write } = testbed();
  for (let i = 0; i < 150; i++)
    write(`runbooks/${i}.md`, `# Document ${i}\n\n## Part one\n\nword${i} common\n\n## Part two\n\nother${i} common\n`);
  const state = join(folder, 'state');
  const run = () =>
    startProcess(process.execPath, ['server/cli/ingest.mjs', join(folder, 'docs'), '--quiet', '--json'], {
      cwd: packageRoot,
      env: { ...process.env, SVC_MCP_STATE_DIR: state, SVC_MCP_CONFIG_DIR: join(folder, 'user') },
    });
  for (const documents of [1, 40, 90]) {
    const child = run();
    while (child.isRunning() && counted(state).documents < documents) await new Promise((next) => setTimeout(next, 5));
    await child.stop('SIGKILL');
    // Whatever stands there is whole: two passages a document.
    const { documents: held, passages } = counted(state);
    expect(passages).toBe(held * 2);
  }
  const { code } = await run().ended;
  expect([code, counted(state)]).toEqual([0, { documents: 150, passages: 300 }]);
});

test('a command that could read no file at all fails, and one that read some does not', async () => {
  const { folder, write } = testbed();
  write('picture.png', 'no text');
  const ended = async () => {
    const { code, stdout } = await startProcess(
      process.execPath,
      ['server/cli/ingest.mjs', join(folder, 'docs'), '--quiet', '--json'],
      {
        cwd: packageRoot,
        env: { ...process.env, SVC_MCP_STATE_DIR: join(folder, 'state'), SVC_MCP_CONFIG_DIR: join(folder, 'user') },
      },
    ).ended;
    return [code, (JSON.parse(stdout) as { ok: boolean; skipped: unknown[] }).ok];
  };
  expect(await ended()).toEqual([1, false]);
  write('note.md', '# A note\n\nwith words\n');
  expect(await ended()).toEqual([0, true]);
});

function counted(state: string): { documents: number; passages: number } {
  try {
    using store = new EmbeddedStore(corpusFile(state), { readOnly: true });
    const [{ documents, passages } = { documents: 0, passages: 0 }] = store.sources();
    return { documents, passages };
  } catch {
    return { documents: 0, passages: 0 };
  }
}
