/**
 * Checks the evidence for statements about foreign servers: tools, the mapping of an operation to a tool, and whether
 * the server asks before a change. Each must exist as `file:line@commit` at the pinned commit.
 */
import type { Subject } from './subject-schema.ts';

/** What lacks in the evidence, in sentences; a server of this repository or one that is never started needs none. */
export function evidenceGaps({ source, absent, evidence, surface, roles }: Subject): string[] {
  if ('working_tree' in source || (absent !== undefined && evidence === undefined)) return [];
  if (evidence === undefined) return ['`evidence` should say where its tools, operations and confirmation are'];
  const { tools = {}, operations, confirmation, other_commits = {} } = evidence;
  const told = [surface?.search?.tool, surface?.describe?.tool, surface?.invoke?.tool, ...Object.values(roles ?? {})];
  const uncited = [...new Set(told)].filter((tool) => tool !== undefined && tools[tool] === undefined);
  const cited = new Set(
    [...Object.values(tools), operations, confirmation].map((text) => text.split('@').at(-1) ?? ''),
  );
  const strange = [...cited].filter((commit) => commit !== source.commit && other_commits[commit] === undefined);
  const unused = Object.keys(other_commits).filter((commit) => !cited.has(commit));
  return [
    ...uncited.map((tool) => `\`evidence.tools\` should cite ${tool}`),
    ...strange.map((commit) => `\`evidence\` should cite ${source.commit} or say in \`other_commits\` why ${commit}`),
    ...unused.map((commit) => `\`other_commits\` should explain commits that are cited, got ${commit}`),
  ];
}
