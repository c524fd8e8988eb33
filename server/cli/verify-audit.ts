/**
 * `npm run audit:verify -- PATH [--key FILE] [--checkpoint FILE]`: is every line of an audit log still as it was written?
 * Exit 0 when it is, 1 where not.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readAuditKeys } from '../audit/audit-key.ts';
import { auditFiles, type Verified, verifyAudit } from '../audit/chain.ts';
import { explainError, RouterError } from '../errors.ts';

const USAGE = `usage: npm run audit:verify -- PATH [--key FILE] [--checkpoint FILE]
  PATH          the current file of an audit log
  --key         the key it was written with; default: audit-key beside PATH
  --checkpoint  how far it went, also one that was kept elsewhere; default: beside the key`;

function main(args: string[]): number {
  const asked = parse(args);
  if (asked === undefined) {
    console.error(USAGE);
    return 2;
  }
  const { path, key, checkpoint } = asked;
  if (auditFiles(path).length === 0) {
    console.error(`${path}: there is no audit log`);
    return 3;
  }
  const keyPath = key ?? join(dirname(path), 'audit-key');
  const keys = key !== undefined || existsSync(keyPath) ? readAuditKeys(keyPath) : [];
  const verified = verifyAudit(path, {
    keys,
    checkpoint: checkpoint ?? join(dirname(keyPath), `${basename(path)}.checkpoint`),
  });
  if (!verified.ok) {
    console.error(`${verified.file}:${verified.line}: ${verified.problem}`);
    return 1;
  }
  print(verified, keyPath);
  return 0;
}

function parse(args: string[]): { path: string; key: string | undefined; checkpoint: string | undefined } | undefined {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { key: { type: 'string' }, checkpoint: { type: 'string' } },
    });
    const [path, ...more] = positionals;
    return path === undefined || more.length > 0 ? undefined : { path, key: values.key, checkpoint: values.checkpoint };
  } catch {
    return undefined;
  }
}

function print({ files, lines, last, startsLater, unkeyed, unchecked, checkpoint }: Verified, keyPath: string): void {
  console.log(
    `${lines} lines in ${files} ${files === 1 ? 'file' : 'files'}, whole${startsLater ? '; older files were let go' : ''}`,
  );
  if (last !== null) console.log(`last ${last.seq} ${last.hash}`);
  if (typeof checkpoint === 'object') console.log(`checkpoint ${checkpoint.seq} of ${checkpoint.at}`);
  if (unkeyed > 0)
    console.error(
      `warning: ${unkeyed} lines hold no HMAC (written by 0.1.0): anyone with write access to the file could have made them`,
    );
  if (unchecked > 0)
    console.error(`warning: ${unchecked} lines were not checked with their key: there is no ${keyPath} (--key FILE)`);
  if (checkpoint === 'none' && unchecked === 0 && lines > unkeyed)
    console.error(
      'warning: there is no checkpoint, so lines cut off at the end would not be noticed (--checkpoint FILE)',
    );
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof RouterError ? explainError(error) : String(error));
  process.exitCode = 3;
}
