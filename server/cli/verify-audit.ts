/** `npm run audit:verify -- <path>`: is every line of an audit log still as it was written? */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Command } from 'commander';
import { readAuditKeys } from '../audit/audit-key.ts';
import { auditFiles, type Verified, verifyAudit } from '../audit/chain.ts';
import { runCommand } from './run-command.ts';

interface VerifyOptions {
  key?: string;
  checkpoint?: string;
}

/** The exit code; what was found is printed. */
function verify(path: string, { key, checkpoint }: VerifyOptions): number {
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

const program = new Command('npm run audit:verify --')
  .description('Say whether every line of an audit log is still as it was written. Exit 0 when it is, 1 where not.')
  .argument('<path>', 'the current file of an audit log')
  .option('--key <file>', 'the key it was written with; default: audit-key beside the log')
  .option('--checkpoint <file>', 'how far it went, also one that was kept elsewhere; default: beside the key')
  .action((path: string, options: VerifyOptions) => {
    process.exitCode = verify(path, options);
  });

await runCommand(program);
