/** The file of an export, as a person names it at the command line. */
import { readFileSync } from 'node:fs';
import { RouterError } from '../errors.ts';
import { SECTION_NAMES, SECTIONS } from '../migration/object-family.ts';
import { type Export, readExportText } from '../migration/read-export.ts';
import { escapeInvisible } from '../telemetry/invisible.ts';

/** The first two bytes of a file, in hexadecimal digits. */
const GZIP = '1f8b';
const UTF16: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' };

/** Refuses what is no export of the legacy controller, and one that holds nothing to plan. */
export function readExportFile(file: string): Export {
  const name = JSON.stringify(file);
  const source = readExportText(textOf(file));
  const broken = source.warnings.find(({ code }) => code === 'export_unreadable');
  if (broken) throw invalid(`${name}: ${broken.message}`);
  if (SECTION_NAMES.every((section) => source.sections[section].length === 0)) {
    const [first] = source.warnings;
    const tops = [...new Set(SECTION_NAMES.map((section) => SECTIONS[section].pointer.split('/')[1]))];
    const why =
      first === undefined
        ? ''
        : `; not read: ${escapeInvisible(first.pointer ?? '')} ${escapeInvisible(first.message)}`;
    throw invalid(`${name} holds no object in a section of an export (${tops.join(', ')})${why}`);
  }
  return source;
}

/** UTF-8, or UTF-16 with its mark, as some shells write a file. */
function textOf(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    throw invalid(`${JSON.stringify(file)} cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause);
  }
  const mark = bytes.subarray(0, 2).toString('hex');
  if (mark === GZIP) throw invalid(`${JSON.stringify(file)} is compressed by gzip: unpack it first`);
  try {
    return new TextDecoder(UTF16[mark] ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalid(`${JSON.stringify(file)} should be text in UTF-8, got another encoding`, cause);
  }
}

const invalid = (message: string, cause?: unknown): RouterError =>
  new RouterError('MIGRATION_EXPORT_INVALID', message, {
    remedy: 'give the file of one export of the legacy controller, as JSON',
    cause,
  });
