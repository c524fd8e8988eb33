/** Writes the comparison: the numbers, the text and the page with plots. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { comparisonOf, type Measured } from './comparison.ts';
import { comparisonPage } from './markdown.ts';
import { plottedPage } from './page.ts';

/** Returns the file a person should open. */
export async function writeComparison(folder: string, measured: Measured): Promise<string> {
  await mkdir(folder, { recursive: true });
  const comparison = comparisonOf(measured);
  const files = {
    'comparison.json': `${JSON.stringify(comparison, null, 1)}\n`,
    'comparison.html': await plottedPage(comparison),
    'comparison.md': comparisonPage(comparison),
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, `${name}.new`), text);
    await rename(join(folder, `${name}.new`), join(folder, name));
  }
  return join(folder, 'comparison.md');
}
