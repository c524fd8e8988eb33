/** The accounts' file: there, and of the form that the router reads. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CredentialsStore } from '../../config/credentials.ts';
import { LAYOUT } from '../../config/setup-layout.ts';
import { type StraySecret, straySecretsAt } from '../../config/stray-secrets.ts';
import { RouterError } from '../../errors.ts';
import { type Check, type Finding, fail, ok, warn } from '../doctor-check.ts';
import type { Installation } from '../installation.ts';

export default {
  id: 'credentials-file',
  order: 140,
  secrets: true,
  needs: 'config',
  look: ({ config, command, directory }) => {
    if (config instanceof RouterError) return [];
    const ofContainer = join(directory, LAYOUT.containerCredentials);
    const stray = existsSync(join(directory, LAYOUT.overlay)) ? straySecretsAt(ofContainer) : [];
    return [
      ...fileOf(config.credentialsPath, command),
      ...stray.map((secret) => strayIn(ofContainer, secret, command)),
    ];
  },
} satisfies Check;

function fileOf(path: string, command: Installation['command']): Finding[] {
  const { exists, loadable } = new CredentialsStore(path, {}).state();
  if (!exists) return [warn('credentials', `${path} is not there`, command('setup'))];
  if (loadable) return [ok('credentials', path)];
  const remedy = 'correct that place; secrets/credentials.yaml.example shows the form';
  return [fail('credentials', `${path} ${reasonOf(path)}`, remedy)];
}

function strayIn(path: string, { section, field }: StraySecret, command: Installation['command']): Finding {
  const remedy = `${command('setup', '--docker')} moves it to a file of its own`;
  return warn('credentials', `${path} says who the router is, and holds a secret: ${section}.${field}`, remedy);
}

/** The store's own message names the place and never the content. */
function reasonOf(path: string): string {
  try {
    new CredentialsStore(path, {}).checkAddresses();
    return 'cannot be read';
  } catch (error) {
    if (!(error instanceof RouterError)) return 'cannot be read';
    return error.message.replace(path, '').replace(/^: /, '').replace(/^:/, 'line ');
  }
}
