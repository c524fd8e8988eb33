/** How the router reaches and guards each platform; a file that cannot be used stops the start. */
import { join } from 'node:path';
import { platformFiles, readPlatformFile } from '../../config/platform-file.ts';
import { RouterError } from '../../errors.ts';
import { type Check, type Finding, fail, ok } from '../doctor-check.ts';

export default {
  id: 'platform-files',
  order: 40,
  look: ({ root }) => {
    const files = platformFiles(join(root, 'server', 'platforms'));
    const wrong = files.map(problemOf).filter((finding) => finding !== undefined);
    return wrong.length > 0 ? wrong : [ok('platform files', `${files.length} can be used`)];
  },
} satisfies Check;

function problemOf(file: string): Finding | undefined {
  try {
    readPlatformFile(file);
    return undefined;
  } catch (error) {
    if (!(error instanceof RouterError)) throw error;
    return fail('platform files', error.message, 'correct that place in the file, or take the file back from git');
  }
}
