/** `npm run audit:verify -- PATH`: is every line of an audit log still as it was written? Exit 0 when it is, 1 where not. */
import { auditFiles, verifyAudit } from '../audit/chain.ts';

function main(path: string | undefined): number {
  if (path === undefined || path.startsWith('-')) {
    console.error('usage: npm run audit:verify -- PATH, where PATH is the current file of an audit log');
    return 2;
  }
  if (auditFiles(path).length === 0) {
    console.error(`${path}: there is no audit log`);
    return 3;
  }
  const verified = verifyAudit(path);
  if (!verified.ok) {
    console.error(`${verified.file}:${verified.line}: ${verified.problem}`);
    return 1;
  }
  const { files, lines, last, startsLater } = verified;
  console.log(
    `${lines} lines in ${files} ${files === 1 ? 'file' : 'files'}, whole${startsLater ? '; older files were let go' : ''}`,
  );
  if (last !== null) console.log(`last ${last.seq} ${last.hash}`);
  return 0;
}

process.exitCode = main(process.argv[2]);
