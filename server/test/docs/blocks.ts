/**
 * The commands that pages tell people to type, and how each is known to work: it is run here in a copy of the repository, at
 * every change or in the nightly run, or something else runs the very same one and is named.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './source-imports.ts';

export interface Block {
  page: string;
  language: string;
  /** The quoted file, if a path follows the language. */
  file?: string;
  text: string;
}

export interface Command {
  page: string;
  /** One line, without its comment; lines that go on are joined. */
  text: string;
}

export type Proof =
  /** Run in a copy; `exit` is what it may end with, `serves` what it prints when it serves, after which it is stopped. */
  | { kind: 'run'; when: 'change' | 'nightly'; exit?: readonly number[]; serves?: RegExp }
  /** A step of `npm run check` of this script runs it. */
  | { kind: 'check'; script: string }
  /** A nightly job runs it. */
  | { kind: 'job'; id: string }
  /** A test types it, or what it comes to. */
  | { kind: 'test'; file: string; holds: string };

const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pagesIn('docs'), ...pagesIn('docs/decisions')];

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

export function blocks(): Block[] {
  return PAGES.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8');
    return [...text.matchAll(/^```(\w*)(?: (\S+))?\n(.*?)^```$/gms)].map(([, language = '', file, inner = '']) => ({
      page,
      language,
      ...(file === undefined ? {} : { file }),
      text: inner,
    }));
  });
}

export function commands(all: readonly Block[] = blocks()): Command[] {
  return all
    .filter(({ language }) => language === 'sh')
    .flatMap(({ page, text }) =>
      text
        .replace(/\\\n\s*/g, '')
        .split('\n')
        .map((line) => line.replace(/(^|\s)#(\s.*)?$/, '').trim())
        .filter((line) => line !== '')
        .map((line) => ({ page, text: line })),
    );
}

const change = (exit: readonly number[] = [0]): Proof => ({ kind: 'run', when: 'change', exit });
const nightly = (exit: readonly number[] = [0]): Proof => ({ kind: 'run', when: 'nightly', exit });
const serving = (serves: RegExp, when: 'change' | 'nightly' = 'change'): Proof => ({ kind: 'run', when, serves });
const newcomer = (holds: string): Proof => ({ kind: 'test', file: 'server/test/e2e/newcomer.slow.test.ts', holds });
const containers = (holds: string): Proof => ({ kind: 'test', file: 'server/test/docs/containers.test.ts', holds });

const tutorial: Proof = { kind: 'test', file: 'server/test/e2e/tutorial.slow.test.ts', holds: 'docs/tutorial.md' };

/** The first that fits counts. */
export const PROOFS: readonly [RegExp, Proof][] = [
  [/^npm start$/, { kind: 'check', script: 'start' }],
  [/^npm test$/, { kind: 'check', script: 'test' }],
  [/^npm run check$/, { kind: 'test', file: '.ci/run', holds: 'npm run --silent check' }],
  [/^npm run format$/, change()],
  [/^npm run lint$/, { kind: 'check', script: 'lint' }],
  [/^npx tsc --noEmit$/, { kind: 'test', file: 'package.json', holds: 'tsc --noEmit' }],
  [/^npx vitest run /, { kind: 'test', file: 'package.json', holds: 'vitest run' }],
  [/^npm run test:slow -- /, { kind: 'check', script: 'test:slow' }],
  [/^npm test -- [\w./-]+\.test\.ts$/, { kind: 'check', script: 'test' }],
  [/^npm start -- --suite wlan-change /, nightly([0, 4])],
  [/^npm start -- --runs 5$/, { kind: 'test', file: 'harness/cli/harness-runs.slow.test.ts', holds: "'--runs'" }],
  [/^npm run bench:access -- --brief$/, { kind: 'check', script: 'bench:access' }],
  [/^npm run bench:replicas$/, { kind: 'job', id: 'replicas' }],
  // It counts in the history, which a copy of the repository does not have.
  [/^npm run bench:lines$/, { kind: 'test', file: 'package.json', holds: 'code-lines.ts' }],
  [/^npm run bench:robust\b/, { kind: 'job', id: 'R1' }],
  [/^npm run bench:migration-kills\b/, { kind: 'job', id: 'R10' }],
  [/^npm run bench:knowledge$/, { kind: 'job', id: 'knowledge' }],
  // They judge times, and the nightly run has other jobs on the same machine.
  [/^npm run bench:(catalog|dispatch|fake|migration)$/, nightly([0, 1])],
  [/^npm run bench:find -- --quick$/, nightly()],
  [/^npm run nightly -- --list$/, change()],
  [/^npm run nightly/, { kind: 'test', file: '.github/workflows/nightly.yml', holds: 'npm run nightly -- ' }],
  [
    /^npm run docs -- --serve$/,
    { kind: 'test', file: 'server/test/docs/site/docs-site.slow.test.ts', holds: 'docs-site.ts' },
  ],
  [/^npm run catalog$/, change()],
  [/^npm run catalog -- add /, change()],
  [/^npm run find -- /, change()],
  // On ports that another program may hold by day.
  [/^(git clone |npm start -- --suite alerts$|npm run router -- --writes$|npm run call -- )/, tutorial],
  [/^npm run router$/, serving(/http:\/\/127\.0\.0\.1:\d+\/mcp/, 'nightly')],
  [/^npm run fake$/, serving(/http:\/\/127\.0\.0\.1:\d+/, 'nightly')],
  [/^npm run fake -- --openapi /, serving(/http:\/\/127\.0\.0\.1:\d+/, 'nightly')],
  [
    /MCP_TRANSPORT=streamable-http .*(npx svc-mcp-router|server\/cli\/router\.mjs)$/,
    serving(/http:\/\/127\.0\.0\.1:\d+\/mcp/),
  ],
  // Over stdio, with nobody at the other end.
  [/npx svc-mcp-router$/, change()],
  [/^npm run setup -- --yes /, { kind: 'test', file: 'server/setup/setup.slow.test.ts', holds: "'--products'" }],
  [
    /^npx svc-mcp-bench /,
    { kind: 'test', file: 'harness/try/benchmark-page.slow.test.ts', holds: 'benchmark-your-server.md' },
  ],
  [
    /^npm run setup -- --docker --approvals /,
    { kind: 'test', file: 'server/setup/approval-answers.slow.test.ts', holds: "'--docker', '--approvals'" },
  ],
  [
    /^\(umask 077; openssl req -x509 /,
    { kind: 'test', file: 'server/console/compose-proxy.slow.test.ts', holds: 'docs/containers.md' },
  ],
  [
    /^npm run setup -- --docker$/,
    { kind: 'test', file: 'server/setup/setup.slow.test.ts', holds: "describe('--docker'" },
  ],
  [/^npm run setup$/, newcomer('npm run -s setup')],
  [/^\.\/tool-router$/, newcomer('./tool-router')],
  [/^npm run doctor$/, change()],
  [
    /^(source <\()?svc-mcp-catalog --completion /,
    { kind: 'test', file: 'server/cli/completion.slow.test.ts', holds: "'svc-mcp-catalog', '--completion'" },
  ],
  [
    /^npm run audit:verify -- tool-audit\.jsonl /,
    { kind: 'test', file: 'server/audit/manipulation.test.ts', holds: "command('--export'" },
  ],
  [/^npm run audit:verify /, change()],
  [/^npx svc-mcp-ingest /, change()],
  [
    /^npx svc-mcp-run-pipeline --input /,
    { kind: 'test', file: 'server/cli/run-pipeline.slow.test.ts', holds: "'--input'" },
  ],
  [
    /^npx svc-mcp-approvals (operator-add|list|stop-writes)/,
    { kind: 'test', file: 'server/cli/answer-approvals.slow.test.ts', holds: "['operator-add', 'ada']" },
  ],
  [
    /^npx svc-mcp-principal (add|list|rotate|remove)/,
    {
      kind: 'test',
      file: 'server/principals/principal-command.slow.test.ts',
      holds: "'svc-mcp-principal prints a bearer once",
    },
  ],
  [/^npx svc-mcp-run-ssid --ssid /, { kind: 'test', file: 'server/cli/run-ssid.slow.test.ts', holds: "'--ssid'" }],
  [/^npx svc-mcp-migrate plan /, change()],
  [
    /^npm run index -- (package|download) /,
    { kind: 'test', file: 'server/setup/index-archive.test.ts', holds: "describe('svc-mcp-index download'" },
  ],
  [/^npm run harness -- list$/, change()],
  [/^npm start -- --filter /, nightly([0, 4])],
  [/^npm run harness -- regrade$/, { kind: 'test', file: 'harness/cli/harness-runs.slow.test.ts', holds: "'regrade'" }],
  [
    /^npm run view$/,
    { kind: 'test', file: 'harness/cli/commands/stored-runs.test.ts', holds: 'serves the page of the latest' },
  ],
  [/^npm run compare\b/, { kind: 'test', file: '.github/workflows/compare.yml', holds: 'npm run compare' }],
  [/^npm run test:subjects$/, { kind: 'test', file: '.github/workflows/compare.yml', holds: 'npm run test:subjects' }],
  [
    /^npm run harness -- reproduce /,
    { kind: 'test', file: 'harness/reporting/publication.test.ts', holds: 'reproduce' },
  ],
  [
    /^npm run harness -- run --runs 5 /,
    { kind: 'test', file: 'harness/cli/harness-runs.slow.test.ts', holds: "'--runs'" },
  ],
  [
    /^export SVC_LLM_|^npm run harness -- run --agent llm /,
    { kind: 'test', file: 'harness/llm/replay.slow.test.ts', holds: "'--replay'" },
  ],
  [
    /^curl http:\/\/127\.0\.0\.1:8010\/livez$/,
    { kind: 'test', file: 'server/http/health.test.ts', holds: 'livez and healthz are always ok' },
  ],
  [
    /^curl -s http:\/\/127\.0\.0\.1:8010\/readyz$/,
    { kind: 'test', file: 'server/http/health.test.ts', holds: "'/readyz'" },
  ],
  [
    /^curl -s http:\/\/127\.0\.0\.1:8010\/metrics$/,
    { kind: 'test', file: 'server/http/metrics-endpoint.test.ts', holds: 'collection on, route on: data' },
  ],
  [/^docker (compose|run) /, containers('names only services, profiles and files that exist')],
  [/openssl rand -hex 32|^mkdir -p -m 0700 secrets$|^\(umask 077; cp secrets\/credentials\.yaml\.example /, change()],
  [/^\(umask 077; cp config\/credentials\.yaml /, change()],
  [/^SVC_MCP_TRACES_URL=/, { kind: 'test', file: 'server/telemetry/traces.test.ts', holds: 'goes on to the platform' }],
];

export const proofOf = ({ text }: Command): Proof | undefined => PROOFS.find(([form]) => form.test(text))?.[1];
