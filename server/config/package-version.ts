/** The version of this package, without anything that serves or searches. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './config.ts';

export const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string };
