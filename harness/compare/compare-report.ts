/** The files of a comparison: the numbers, the text and the page with plots. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../atomic-write.ts';
import { comparisonPage } from './compare-markdown.ts';
import { plottedPage } from './compare-page.ts';
import { comparisonOf, type Measured, type Recorded } from './server-comparison.ts';

/** File name → text; the same rows give the same bytes. */
export async function comparisonFiles(measured: Measured, recorded?: Recorded): Promise<Record<string, string>> {
  const comparison = comparisonOf(measured, recorded);
  return {
    'comparison.json': `${JSON.stringify(comparison, null, 1)}\n`,
    'comparison.html': await plottedPage(comparison),
    'comparison.md': comparisonPage(comparison),
  };
}

export async function writeComparison(folder: string, files: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeAtomically(join(folder, name), text);
}
