// Copies the agents as plain JavaScript: a campaign starts them a hundred times, and stripping types each time would
// cost more than all they do. The copy is also all an agent can read. Usage: compile-agents.mjs <from> <to>
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

const [from, to] = process.argv.slice(2);

async function compile() {
  const names = (await readdir(from, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  for (const name of names) {
    const code = stripTypeScriptTypes(await readFile(join(from, name), 'utf8'));
    const file = join(to, name.replace(/\.ts$/, '.mjs'));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, code.replaceAll(/(from\s+'\.{1,2}\/[^']+)\.ts'/g, "$1.mjs'"));
  }
}

try {
  await compile();
} catch (error) {
  // Of a full disk the message begins with its code; who started this tells the person what to do.
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
