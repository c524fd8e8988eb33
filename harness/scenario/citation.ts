/**
 * A citation is only evidence when the line it names exists at the commit it names. Where there is no history to ask
 * (a tarball, a shallow clone) that is said, not passed over.
 */
import { simpleGit } from 'simple-git';
import { HarnessError } from '../harness-errors.ts';
import { citedTools, type Scenario } from './scenario.ts';

export interface Citation {
  scenario: string;
  file: string;
  line: number;
  commit: string;
}

export function citationsOf(scenario: Scenario): Citation[] {
  const texts = [
    scenario.evidence,
    ...Object.values(scenario.expected_tools).flatMap((tools) => citedTools(tools).map(({ source }) => source)),
  ];
  return texts.map((text) => {
    const match = /^([^\s:]+):(\d+)@([0-9a-f]+)$/.exec(text);
    return { scenario: scenario.file, file: match?.[1] ?? '', line: Number(match?.[2]), commit: match?.[3] ?? '' };
  });
}

/** Checks every citation against git; returns a sentence when history is not available here. */
export async function checkCitations(root: string, scenarios: Scenario[]): Promise<{ unchecked?: string }> {
  const git = simpleGit(root);
  if (!(await git.checkIsRepo().catch(() => false))) return { unchecked: 'citations not checked: no git history here' };
  const shallow = (await git.raw(['rev-parse', '--is-shallow-repository'])).trim() === 'true';
  const wanted = scenarios.flatMap(citationsOf);
  const lineCounts = new Map<string, number | null>();
  for (const { commit, file } of wanted) {
    const key = `${commit}:${file}`;
    if (lineCounts.has(key)) continue;
    const text = await git.raw(['cat-file', 'blob', key]).catch(() => null);
    lineCounts.set(key, text === null ? null : text.split('\n').length - (text.endsWith('\n') ? 1 : 0));
  }
  const broken = wanted.flatMap((citation) => {
    const count = lineCounts.get(`${citation.commit}:${citation.file}`) ?? null;
    if (count !== null && citation.line <= count) return [];
    const found = count === null ? 'no such file or commit' : `a file of ${count} lines`;
    const text = `${citation.file}:${citation.line}@${citation.commit}`;
    return [`${citation.scenario}: \`${text}\` should be a line that exists at that commit, got ${found}`];
  });
  if (broken.length === 0) return {};
  if (shallow) return { unchecked: `${broken.length} citations not checked: this clone is shallow` };
  throw new HarnessError('CITATION_BROKEN', [...new Set(broken)].join('\n'));
}
