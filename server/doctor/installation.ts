/** Where the doctor looks: the working folder, the package, and the settings as far as they can be read. */
import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type Config, loadConfig, packageRoot } from '../config/config.ts';
import { Environment, type RawEnvironment } from '../config/environment.ts';
import { type PlatformDefinition, readPlatformFiles } from '../config/platform-file.ts';
import { readSecretFiles } from '../config/secret-files.ts';
import { shellWord } from '../config/shell-word.ts';
import { RouterError } from '../errors.ts';
import { type ContainerForm, containerForm } from './container-form.ts';

export interface Installation {
  /** The folder with `.env`, `config/` and `secrets/`. */
  directory: string;
  /** The package: platform files and documents lie under it. */
  root: string;
  processEnvironment: RawEnvironment;
  /** Process environment and `.env`, or what compose gives the container; secret files left aside; undefined where `.env` cannot be read. */
  environment: Environment | undefined;
  /** What ships with the package; empty where a platform file is broken. */
  platforms: readonly PlatformDefinition[];
  config: Config | RouterError;
  /** A secret that is set or named by its file; undefined where there is none or it cannot be read. */
  secretOf: (variable: string) => string | undefined;
  nodeVersion: string;
  /**
   * Set if the folder is for a container and not for a router on this host: the settings that compose would give it.
   */
  container: ContainerForm | undefined;
  /** How a command of this project is called for this folder, with further words. */
  command: Command;
}

/** The first three are scripts of the checkout. */
const SCRIPTS = ['setup', 'doctor', 'catalog'] as const;
export type Command = (name: (typeof SCRIPTS)[number] | 'approvals' | 'ingest', ...words: string[]) => string;

export interface InstallationSources {
  env: RawEnvironment;
  directory: string;
  root?: string;
}

export function installationOf({ env, directory, root = packageRoot }: InstallationSources): Installation {
  const container = containerForm(directory, env);
  const values = container?.environment ?? env;
  const environment = valueOr(() => new Environment(values, directory, { secretFiles: false }), undefined);
  return {
    directory,
    root,
    processEnvironment: env,
    environment,
    nodeVersion: process.versions.node,
    secretOf: (variable) => secretOf(variable, environment?.values() ?? {}, directory),
    platforms: valueOr(() => readPlatformFiles(join(root, 'server', 'platforms')), []),
    config: configOf({ env: values, cwd: directory, root, lookOnly: true }),
    container,
    command: commandFor(directory, { root, docker: container !== undefined }),
  };
}

/** Commands as a person would type them: in the checkout, or wherever the package is installed. */
export function commandFor(directory: string, { root = packageRoot, docker = false } = {}): Command {
  const isCheckout = existsSync(join(root, 'run.mjs'));
  const isHere = directory === (isCheckout ? root : process.cwd());
  return (name, ...words) => {
    const folder = isHere ? [] : ['--directory', shellWord(directory)];
    // Options of a subcommand stand behind its name.
    const form = docker && name === 'setup' ? ['--docker'] : [];
    const all = [...new Set(name === 'approvals' ? [...words, ...folder] : [...folder, ...form, ...words])];
    return typedAs(name, all, isCheckout, root);
  };
}

function typedAs(name: Parameters<Command>[0], words: readonly string[], isCheckout: boolean, root: string): string {
  if (!isCheckout) return [installedCommand(name === 'catalog' ? 'catalog build' : name, root), ...words].join(' ');
  if (!(SCRIPTS as readonly string[]).includes(name)) return [`npx svc-mcp-${name}`, ...words].join(' ');
  return [`npm run ${name}`, ...(words.length > 0 ? ['--', ...words] : [])].join(' ');
}

/**
 * A command of the installed package as its folder's shell finds it: npm links the commands of a package that is installed in
 * a folder of a project to where only npx looks, those of a global one to the PATH.
 */
export function installedCommand(name: string, root = packageRoot, cwd = process.cwd()): string {
  const [project, below] = root.split(`${sep}node_modules${sep}`);
  const isOfProject = below !== undefined && `${cwd}${sep}`.startsWith(`${project}${sep}`);
  return `${isOfProject ? 'npx ' : ''}svc-mcp-${name}`;
}

function configOf(sources: Parameters<typeof loadConfig>[0]): Config | RouterError {
  try {
    return loadConfig(sources);
  } catch (error) {
    if (error instanceof RouterError) return error;
    throw error;
  }
}

function valueOr<T, F>(read: () => T, fallback: F): T | F {
  try {
    return read();
  } catch (error) {
    if (error instanceof RouterError) return fallback;
    throw error;
  }
}

function secretOf(variable: string, values: RawEnvironment, directory: string): string | undefined {
  const own = { [variable]: values[variable], [`${variable}_FILE`]: values[`${variable}_FILE`] };
  return valueOr(() => values[variable]?.trim() || readSecretFiles(own, directory)[variable], undefined);
}
