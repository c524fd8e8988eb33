/** Files that settings name as holding a secret: there, of one line, and not an example's. */
import { isPlaceholder } from '../../config/placeholder.ts';
import { readSecretFiles, secretFilesIn } from '../../config/secret-files.ts';
import { RouterError } from '../../errors.ts';
import { type Check, type Finding, fail, notLooked, ok, warn } from '../doctor-check.ts';

export default {
  id: 'secret-files',
  order: 130,
  secrets: true,
  look: ({ environment, directory, command }) => {
    if (environment === undefined) return [notLooked('secret files', '.env cannot be read', 'correct .env')];
    const values = environment.values();
    const { files } = secretFilesIn(values, directory);
    const wrong = files.flatMap(({ variable, path }): Finding[] => {
      const name = `${variable}_FILE`;
      try {
        const { [variable]: secret = '' } = readSecretFiles({ [name]: path, [variable]: values[variable] }, directory);
        if (!isPlaceholder(secret)) return [];
        return [warn(name, 'names a file that still holds an example value', `put the secret into ${path}`)];
      } catch (error) {
        if (!(error instanceof RouterError)) throw error;
        return [
          fail(name, error.message, `write the secret into ${path} (${command('setup')} does), or remove the name`),
        ];
      }
    });
    return wrong.length > 0 ? wrong : [ok('secret files', `${files.length} named, all can be read`)];
  },
} satisfies Check;
