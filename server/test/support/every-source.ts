/** The modules of what answers calls; commands, setup, doctor, benches and tests are started by a person. */
import { globSync } from 'node:fs';

const STARTED_BY_PEOPLE = /\.(test|bench)\.ts$|\/(test|cli|doctor|setup)\//;

export const sourceFilesBelow = (root: string): string[] =>
  globSync('server/**/*.ts', { cwd: root })
    .filter((file) => !STARTED_BY_PEOPLE.test(file))
    .sort();
