/**
 * Counts the lines of TypeScript outside `*.test.ts`, without comments and blank lines, now and at an earlier commit.
 *
 *     npm run bench:lines                # by folder, beside release 0.1.0
 *     npm run bench:lines -- --before REF
 *     npm run bench:lines -- --json      # one object
 *
 * Comments are recognised by how the formatter writes them: a line that begins with `//`, and the lines from one that begins with the opening of a
 * block comment to the one that closes it. The earlier commit must be in the clone: a shallow clone lacks it.
 */
import { parseArgs } from 'node:util';
import { simpleGit } from 'simple-git';

const RELEASE = 'b661569';
const { values } = parseArgs({
  options: {
    before: { type: 'string', default: RELEASE },
    json: { type: 'boolean', default: false },
  },
});
const git = simpleGit();

/** Lines of one file that hold code. */
function codeLines(text: string): number {
  let inComment = false;
  let count = 0;
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (!inComment && line.startsWith('/*')) inComment = true;
    if (!inComment && line !== '' && !line.startsWith('//')) count += 1;
    if (inComment && line.endsWith('*/')) inComment = false;
  }
  return count;
}

/** Folder of two levels to its lines, at one commit. */
async function linesByFolder(ref: string): Promise<Map<string, number>> {
  const names = (await git.raw('ls-tree', '-r', '--name-only', ref)).split('\n');
  const counts = new Map<string, number>();
  for (const name of names.filter((each) => /(?<!\.test|\.d)\.ts$/.test(each))) {
    const folder = name.split('/').slice(0, -1).slice(0, 2).join('/') || '.';
    counts.set(folder, (counts.get(folder) ?? 0) + codeLines(await git.show([`${ref}:${name}`])));
  }
  return counts;
}

const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0);

const [before, now] = [await linesByFolder(values.before), await linesByFolder('HEAD')];
const totals = { before: sum(before), now: sum(now), change: sum(now) / sum(before) - 1 };
if (values.json) console.log(JSON.stringify(totals));
else {
  console.log(`${'folder'.padEnd(26)} ${values.before.padStart(8)}     HEAD`);
  for (const folder of [...new Set([...before.keys(), ...now.keys()])].sort()) {
    const [then = 0, today = 0] = [before.get(folder), now.get(folder)];
    console.log(`${folder.padEnd(26)} ${String(then).padStart(8)} ${String(today).padStart(8)}`);
  }
  const percent = `${totals.change >= 0 ? '+' : '-'}${(Math.abs(totals.change) * 100).toFixed(1)} %`;
  console.log(`${'all'.padEnd(26)} ${String(totals.before).padStart(8)} ${String(totals.now).padStart(8)}  ${percent}`);
}
