/**
 * `npm run docs:commands`: runs the commands of the pages, one after the other, in one copy of the repository with a
 * home of its own. `--nightly` also runs what takes minutes; `--page` selects; `--json` prints one object. Exit 1 when
 * a command does not end as expected.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyOfRepository } from '../bench/nightly/nightly-run.ts';
import { startProcess } from '../support/running-process.ts';
import { type Command, commands, type Proof, proofOf } from './blocks.ts';
import { root } from './source-imports.ts';

const LONGEST_MS = 15 * 60_000;
/** One page, as short as a reader of PDF takes it. */
const HANDBOOK = `%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>
endobj
4 0 obj
<< /Length 44 >>
stream
BT /F1 12 Tf 20 200 Td (Wait a minute.) Tj ET
endstream
endobj
5 0 obj
<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>
endobj
trailer
<< /Size 6 /Root 1 0 R >>
%%EOF
`;

export interface Typed {
  page: string;
  text: string;
  exit: number | string;
  seconds: number;
  /** The end of what it said, where it ended as it should not. */
  wrong?: string;
}

type Run = Extract<Proof, { kind: 'run' }>;

/** A document and an account for the names that pages leave open. */
function prepare(folder: string): void {
  const paths = {
    '/orders': {
      get: {
        operationId: 'listOpenOrders',
        summary: 'List the open orders',
        responses: { 200: { description: 'ok' } },
      },
    },
  };
  const document = { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths };
  mkdirSync(join(folder, 'path', 'to'), { recursive: true });
  writeFileSync(join(folder, 'path', 'to', 'openapi.yaml'), JSON.stringify(document));
  mkdirSync(join(folder, 'config'), { recursive: true });
  cpSync(join(folder, 'secrets', 'credentials.yaml.example'), join(folder, 'config', 'credentials.yaml'));
  writeFileSync(join(folder, 'export.json'), JSON.stringify({ vlans: [{ id: 10 }] }));
  for (const notes of ['notes', 'docs/runbooks']) {
    mkdirSync(join(folder, notes));
    writeFileSync(join(folder, notes, 'restart.md'), '# Restart\n\nWait a minute before the power goes on again.\n');
  }
  writeFileSync(join(folder, 'handbook.pdf'), HANDBOOK);
  const state = join(folder, 'home', '.local', 'state', 'svc-mcp');
  mkdirSync(state, { recursive: true, mode: 0o700 });
  writeFileSync(join(state, 'tool-audit.jsonl'), '', { mode: 0o600 });
}

export async function typeAll(isWanted: (command: Command, run: Run) => boolean): Promise<Typed[]> {
  const typed: Typed[] = [];
  const wanted = commands().flatMap((command) => {
    const run = proofOf(command);
    return run?.kind === 'run' && isWanted(command, run) ? [{ command, run }] : [];
  });
  using copy = copyOfRepository();
  prepare(copy.root);
  for (const { command, run } of wanted) typed.push(await typeOne(command, run, copy.root));
  return typed;
}

async function typeOne({ page, text }: Command, { exit = [0], serves }: Run, folder: string): Promise<Typed> {
  const began = performance.now();
  const child = startProcess('bash', ['-c', text], {
    cwd: folder,
    group: true,
    env: {
      HOME: join(folder, 'home'),
      LANG: 'C.UTF-8',
      MCP_PORT: '0',
      PATH: [dirname(process.execPath), join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter),
    },
  });
  let served = false;
  const limit = setTimeout(() => child.signal('SIGTERM'), LONGEST_MS);
  const heard = () => {
    if (serves === undefined || served || !serves.test(child.stdout() + child.stderr())) return;
    served = true;
    child.signal('SIGTERM');
  };
  for (const stream of [child.process.stdout, child.process.stderr]) stream.on('data', heard);
  const { code, signal, stdout, stderr } = await child.ended.finally(() => clearTimeout(limit));
  const isRight = serves === undefined ? exit.includes(code ?? -1) : served;
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  const ended = code ?? signal ?? 'nothing';
  return { page, text, exit: ended, seconds, ...(isRight ? {} : { wrong: (stdout + stderr).slice(-1_500) }) };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      nightly: { type: 'boolean', default: false },
      page: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const typed = await typeAll(
    ({ page }, { when }) => (when === 'change' || values.nightly) && page === (values.page ?? page),
  );
  const wrong = typed.filter((one) => one.wrong !== undefined);
  if (values.json)
    console.log(JSON.stringify({ bench: 'docs', typed: typed.length, wrong: wrong.length, commands: typed }));
  else {
    for (const { page, text, exit, seconds } of typed) console.log(`${page}: ${text} → ${exit} (${seconds} s)`);
    for (const one of wrong)
      console.log(`\n${one.page}: ${one.text} ended as it should not (${one.exit})\n${one.wrong}`);
  }
  process.exitCode = typed.length > 0 && wrong.length === 0 ? 0 : 1;
}
