/** `npm run audit:verify -- <path>`: is every line of an audit log still as it was written? */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Command } from 'commander';
import { publicKeyOf, readAuditKeys, readPublicKey } from '../audit/audit-key.ts';
import { auditFiles, type Verified, verifyAudit } from '../audit/chain.ts';
import { writeCheckpoint } from '../audit/checkpoint.ts';
import { RouterError } from '../errors.ts';
import { runCommand } from './run-command.ts';

interface VerifyOptions {
  key?: string;
  publicKey?: string;
  checkpoint?: string;
  export?: string;
}

/** The exit code; what was found is printed. */
function verify(path: string, options: VerifyOptions): number {
  const keyPath = options.key ?? join(dirname(path), 'audit-key');
  const kept = join(dirname(keyPath), `${basename(path)}.checkpoint`);
  const given = { path, '--key': options.key, '--checkpoint': options.checkpoint };
  for (const [name, file] of Object.entries(given)) mustNotBeFolder(name, file);
  const missing = options.checkpoint !== undefined && !existsSync(options.checkpoint);
  if (missing) console.error(`${options.checkpoint}: there is no checkpoint`);
  else if (auditFiles(path).length === 0 && options.checkpoint === undefined && !existsSync(kept))
    console.error(`${path}: there is no audit log`);
  else return verifyWith(path, { ...options, keyPath, kept });
  return 3;
}

function mustNotBeFolder(name: string, file: string | undefined): void {
  if (file === undefined || statSync(file, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const wanted = name === 'path' ? 'the current file of an audit log, such as tool-audit.jsonl' : 'a file';
  throw new RouterError('USAGE', `${name} should be ${wanted}, got the folder ${file}`);
}

function verifyWith(path: string, options: VerifyOptions & { keyPath: string; kept: string }): number {
  const { key, publicKey, keyPath, kept, checkpoint } = options;
  const keys = key !== undefined || existsSync(keyPath) ? readAuditKeys(keyPath) : [];
  const verified = verifyAudit(path, {
    keys,
    checkpoint: kept,
    ...(publicKey === undefined ? {} : { publicKey: readPublicKey(publicKey) }),
    ...(checkpoint === undefined ? {} : { exported: checkpoint }),
  });
  if (!verified.ok) {
    console.error(`${verified.file}:${verified.line}: ${verified.problem}`);
    return 1;
  }
  print(verified, keyPath);
  if (options.export !== undefined) exportCheckpoint(options.export, verified, keys[0]);
  return 0;
}

/** For somebody else to keep. It covers every line that was verified, also those since the router's own checkpoint. */
function exportCheckpoint(
  file: string,
  { last, lines }: Verified,
  key: ReturnType<typeof readAuditKeys>[0] | undefined,
) {
  if (key === undefined || last === null)
    throw new RouterError('CONFIG_INVALID', '--export should be used with a log that has lines, and with its key');
  const first = last.seq - lines + 1;
  writeCheckpoint(file, key, { ...last, first, count: lines, at: new Date().toISOString() });
  console.log(`exported ${last.seq} to ${file}, public key ${publicKeyOf(key)}`);
}

function print(verified: Verified, keyPath: string): void {
  const { files, lines, last, startsLater, checkpoint } = verified;
  console.log(
    `${lines} lines in ${files} ${files === 1 ? 'file' : 'files'}, whole${startsLater ? '; older files were let go' : ''}`,
  );
  if (last !== null) console.log(`last ${last.seq} ${last.hash}`);
  if (typeof checkpoint === 'object') console.log(`checkpoint ${checkpoint.seq} of ${checkpoint.at}`);
  warn(verified, keyPath);
}

function warn({ lines, unkeyed, unchecked, checkpoint, torn }: Verified, keyPath: string): void {
  if (torn !== undefined)
    console.error(
      `warning: ${torn.file}:${torn.line} is not whole: a crash or a full disk left it, or a router is writing it. It was no record yet, and the router cuts it off when it continues the log`,
    );
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
  .option('--public-key <key>', 'checks checkpoints where the key is not at hand; --export prints it')
  .option('--checkpoint <file>', 'how far it went, as exported earlier; the one beside the key is always read too')
  .option('--export <file>', 'write a checkpoint of the last line, to be kept elsewhere')
  .action((path: string, options: VerifyOptions) => {
    process.exitCode = verify(path, options);
  });

await runCommand(program);
