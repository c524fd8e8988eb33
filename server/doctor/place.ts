/** Where the doctor looks: the working folder, the package, and the settings as far as they can be read. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, loadConfig, packageRoot } from '../config/config.ts';
import { Environment, type RawEnvironment } from '../config/environment.ts';
import { type PlatformDefinition, readPlatformFiles } from '../config/platform-file.ts';
import { readSecretFiles } from '../config/secret-files.ts';
import { RouterError } from '../errors.ts';

export interface Place {
  /** The folder with `.env`, `config/` and `secrets/`. */
  directory: string;
  /** The package: platform files and documents lie under it. */
  root: string;
  processEnvironment: RawEnvironment;
  /** Process environment and `.env`, secret files left aside; undefined where `.env` cannot be read. */
  environment: Environment | undefined;
  /** What ships with the package; empty where a platform file is broken. */
  platforms: readonly PlatformDefinition[];
  config: Config | RouterError;
  /** A secret that is set or named by its file; undefined where there is none or it cannot be read. */
  secretOf: (variable: string) => string | undefined;
  nodeVersion: string;
  /** How a command of this project is called here. */
  command: (name: 'setup' | 'doctor' | 'catalog') => string;
}

export interface PlaceSources {
  env: RawEnvironment;
  directory: string;
  root?: string;
}

export function placeOf({ env, directory, root = packageRoot }: PlaceSources): Place {
  const environment = valueOr(() => new Environment(env, directory, { secretFiles: false }), undefined);
  return {
    directory,
    root,
    processEnvironment: env,
    environment,
    nodeVersion: process.versions.node,
    secretOf: (variable) => secretOf(variable, environment?.values() ?? {}, directory),
    platforms: valueOr(() => readPlatformFiles(join(root, 'server', 'platforms')), []),
    config: configOf({ env, cwd: directory, root, lookOnly: true }),
    command: (name) =>
      existsSync(join(root, 'run.mjs'))
        ? `npm run ${name}`
        : name === 'catalog'
          ? 'svc-mcp-catalog build'
          : `svc-mcp-${name}`,
  };
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
