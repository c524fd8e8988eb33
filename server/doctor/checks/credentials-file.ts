/** The accounts' file: there, and of the form that the router reads. */
import { CredentialsStore } from '../../config/credentials.ts';
import { RouterError } from '../../errors.ts';
import { type Check, fail, ok, warn } from '../check.ts';

export default {
  id: 'credentials-file',
  order: 140,
  secrets: true,
  needs: 'config',
  look: ({ config, command }) => {
    if (config instanceof RouterError) return [];
    const { path, exists, loadable } = new CredentialsStore(config.credentialsPath, {}).state();
    if (!exists) return [warn('credentials', `${path} is not there`, command('setup'))];
    if (loadable) return [ok('credentials', path)];
    return [
      fail(
        'credentials',
        `${path} ${reasonOf(path)}`,
        'correct that place; secrets/credentials.yaml.example shows the form',
      ),
    ];
  },
} satisfies Check;

/** The store's own message names the place and never the content. */
function reasonOf(path: string): string {
  try {
    const store = new CredentialsStore(path, {});
    store.inspect({ auth: { strategy: 'none', section: 'mgmt', variables: {} } });
    return 'has an address that is none';
  } catch (error) {
    return error instanceof RouterError ? error.message.replace(path, '').replace(/^:/, 'line ') : 'cannot be read';
  }
}
