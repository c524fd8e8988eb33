/** The scenario file that a recording was made from: that of today where the digest is equal, else that of a commit. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { simpleGit } from 'simple-git';
import { parseScenario, type Scenario } from '../scenario/scenario.ts';

export type FindScenario = (id: string, file: string, digest: string) => Promise<Scenario | undefined>;

/** Finds by id and digest; each file and each commit is read once. `undefined`: no commit of this clone holds that digest. */
export function openScenarioHistory(root: string): FindScenario {
  const git = simpleGit(root);
  const known = new Map<string, Promise<Scenario | undefined>>();
  return (id, file, digest) => {
    const key = `${file} ${digest}`;
    const found = known.get(key) ?? find(id, file, digest);
    known.set(key, found);
    return found;
  };

  async function find(id: string, file: string, digest: string): Promise<Scenario | undefined> {
    const matching = (text: string): Scenario | undefined => {
      const parsed = parseScenario(text, file, folderOf(id, file));
      return 'scenario' in parsed && parsed.scenario.digest === digest && parsed.scenario.id === id
        ? parsed.scenario
        : undefined;
    };
    const today = await readFile(join(root, file), 'utf8').catch(() => undefined);
    const now = today === undefined ? undefined : matching(today);
    if (now !== undefined) return now;
    const commits = await git.raw(['log', '--all', '--format=%H', '--', file]).catch(() => '');
    for (const commit of commits.split('\n').filter((line) => line !== '')) {
      const text = await git.raw(['cat-file', 'blob', `${commit}:${file}`]).catch(() => undefined);
      const then = text === undefined ? undefined : matching(text);
      if (then !== undefined) return then;
    }
    return undefined;
  }
}

/** `scenarios` of `scenarios/alerts/one.yaml` with the id `alerts/one`. */
function folderOf(id: string, file: string): string {
  const end = `/${id}.yaml`;
  return file.endsWith(end) ? file.slice(0, -end.length) : file.slice(0, -basename(file).length - 1);
}
