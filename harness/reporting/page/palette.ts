/** The colours that all pages share. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const readPalette = (): Promise<string> => readFile(join(import.meta.dirname, 'palette.css'), 'utf8');
