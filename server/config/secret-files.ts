/**
 * Secrets that come as files: `<VARIABLE>_FILE` names a file whose content becomes `<VARIABLE>` (specification, section 5).
 * So no secret stands in `.env`, in a compose file or in the arguments of a process.
 */
import { readFileSync } from 'node:fs';
import { RouterError } from '../errors.ts';
import { settingPath } from './home-folder.ts';
import { shellWord } from './shell-word.ts';

const SUFFIX = '_FILE';
const OURS = /^(MCP|SVC|SOURCE|TARGET)_[A-Z0-9_]+_FILE$/;
const SECRET = /_(API_TOKEN|CLIENT_SECRET|REFRESH_TOKEN|PASSWORD|SESSION_COOKIE|CSRF_TOKEN)$/;
const MOST_BYTES = 16 * 1024;

export interface SecretFile {
  /** The variable that the file fills. */
  variable: string;
  path: string;
}

/** Variables that may hold a secret, by the rule for their names. */
export function isSecretName(name: string): boolean {
  return name === 'MCP_HTTP_BEARER_TOKEN' || (/^(SVC|SOURCE|TARGET)_/.test(name) && SECRET.test(name));
}

/** Names that look like those of secrets. `.env` must not give them a value. */
export function isSecretShaped(name: string): boolean {
  return (
    /(SECRET|PASSWORD|PASSWD|PASSPHRASE|_PASS|_PWD|_PSK|TOKEN|COOKIE|CREDENTIALS?)$/i.test(name) ||
    /(ACCESS|API|AUTH|ENCRYPTION|MASTER|PRIVATE|SECRET|SHARED|SIGNING)_?KEY$/i.test(name)
  );
}

/** The files that an environment names, and those of its names that look so and are not used. */
export function secretFilesIn(
  values: Readonly<Record<string, string | undefined>>,
  cwd: string,
): { files: SecretFile[]; ignored: string[] } {
  const files: SecretFile[] = [];
  const ignored: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (!OURS.test(name) || !value?.trim()) continue;
    const variable = name.slice(0, -SUFFIX.length);
    if (isSecretName(variable)) files.push({ variable, path: settingPath(cwd, value.trim()) });
    else ignored.push(name);
  }
  return { files, ignored };
}

/** The values of those files. A value that is set wins over its file; one that is set to nothing beside it is refused. */
export function readSecretFiles(
  values: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Record<string, string> {
  const read: Record<string, string> = {};
  for (const { variable, path } of secretFilesIn(values, cwd).files) {
    const set = values[variable];
    if (set !== undefined && set.trim() === '')
      throw new RouterError(
        'CONFIG_INVALID',
        `${variable} should be a value or not be set at all beside ${variable}${SUFFIX}, got ""`,
      );
    if (set === undefined) read[variable] = readSecret(path, `${variable}${SUFFIX}`);
  }
  return read;
}

/**
 * Puts the content of each secret file into the environment of this process and takes the file's name out, so that nothing
 * reads it twice. For whatever starts another program of this package in its own process.
 */
export function bridgeSecretFiles(
  environment: Record<string, string | undefined>,
  cwd: string,
): { filled: string[]; ignored: string[] } {
  const { files, ignored } = secretFilesIn(environment, cwd);
  const read = readSecretFiles(environment, cwd);
  Object.assign(environment, read);
  for (const { variable } of files) delete environment[`${variable}${SUFFIX}`];
  return { filled: Object.keys(read), ignored };
}

function readSecret(path: string, name: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    throw new RouterError(
      'CONFIG_INVALID',
      `${name} should name a file that can be read, got ${path} (${code})`,
      code === 'EACCES'
        ? { remedy: `give the file to the user of this process: chown ${process.getuid?.()} ${shellWord(path)}` }
        : {},
    );
  }
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '' || /[\r\n\0]/.test(secret) || Buffer.byteLength(secret) > MOST_BYTES)
    throw new RouterError('CONFIG_INVALID', `${name} should name a file with one line, got another content in ${path}`);
  return secret;
}
