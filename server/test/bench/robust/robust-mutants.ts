/** For each check one router broken in one place: a copy of the program in which one text became another. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../support/child-process.ts';

export interface Mutant {
  file: string;
  /** Must stand in the file exactly once. */
  search: string;
  replace: string;
}

export const MUTANTS: Readonly<Record<string, Mutant>> = {
  R1: { file: 'server/http/mcp.ts', search: "return { jsonrpc: '2.0', error", replace: 'return { error' },
  R2: {
    file: 'server/http/limits.ts',
    search: 'connectionsCheckingInterval: limits.checkEveryMs',
    replace: 'connectionsCheckingInterval: 600_000',
  },
  R3: {
    file: 'server/config/account-sections.ts',
    search: 'withoutAliases(() => document.toJS({ maxAliasCount: 10 }) as unknown, path)',
    replace: '(document.toJS({ maxAliasCount: 10 }) as unknown)',
  },
  R4: {
    file: 'server/catalog/bounded-cache.ts',
    search: 'this.#entries.get(key)',
    replace: 'this.#entries.values().next().value',
  },
  R5: {
    file: 'server/http/guard.ts',
    search: "const caller: AuthInfo = { token: '', clientId",
    replace:
      "((globalThis as never as { kept: unknown[][] }).kept ??= []).push(new Array(200).fill(request.id)); const caller: AuthInfo = { token: '', clientId",
  },
  R6: {
    file: 'server/outbound/rate-limit.ts',
    search: 'if (waitMs > mostMs) throw new TooLong(waitMs);',
    replace: '',
  },
  R11: {
    file: 'server/dispatch/single-use.ts',
    search: "if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;",
    replace: "return (cause as NodeJS.ErrnoException).code !== 'EEXIST';",
  },
  R12: { file: 'server/cli/serve-router.ts', search: 'DRAIN_MS = 9_000', replace: 'DRAIN_MS = 0' },
  R13: {
    file: 'server/config/credentials.ts',
    search: 'loadable: false, error: reason',
    replace: 'loadable: true, error: reason',
  },
  R15: {
    file: 'server/http/bearer-check.ts',
    search: "timingSafeEqual(sha256(given ?? ''), wanted)",
    replace: "[...(given ?? '')].every((letter, at) => letter === token[at])",
  },
  R16: {
    file: 'server/http/guard.ts',
    search: "new Set(['/livez', '/healthz', '/readyz'])",
    replace: "new Set(['/livez', '/healthz', '/readyz', '/metrics'])",
  },
  R17: { file: 'server/telemetry/metrics.ts', search: 'SERIES_CAP = 512', replace: 'SERIES_CAP = 2048' },
  R23: {
    file: 'server/outbound/body.ts',
    search: 'LARGE_BODY_BYTES = 64 * 1024;',
    replace: 'LARGE_BODY_BYTES = 64 * 1024 * 1024;',
  },
  R24: {
    file: 'server/http/connections.ts',
    search: 'if (this.#unproven.size > this.#limits.unproven) this.#giveWay();',
    replace: '',
  },
  R25: {
    file: 'server/dispatch/open-questions.ts',
    search: 'for (const oldest of counted.slice(0, Math.max(0, counted.length + 1 - most))) {',
    replace: 'for (const oldest of counted.slice(0, 0)) {',
  },
};

export function brokenCopy({ file, search, replace }: Mutant): { root: string; [Symbol.dispose]: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'svc-mcp-broken-'));
  cpSync(join(ROOT, 'server'), join(root, 'server'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(root, 'package.json'));
  for (const folder of ['node_modules', 'var', 'fake-api']) symlinkSync(join(ROOT, folder), join(root, folder));
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(search).length !== 2) throw new Error(`${file} should hold ${JSON.stringify(search)} exactly once`);
  writeFileSync(
    path,
    text.replace(search, () => replace),
  );
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}
