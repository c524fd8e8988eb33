/** Faults of a topology model that its schema cannot express. */
import type { Diagram, DiagramLink } from './model.ts';
import { resolveRole } from './roles.ts';

export interface Finding {
  /** An error keeps it from being drawn, a warning does not. */
  severity: 'error' | 'warning';
  pointer: string;
  message: string;
}

export function checkModel({ nodes, links = [], groups = [] }: Diagram): Finding[] {
  return [
    ...doubled(nodes, 'nodes'),
    ...doubled(groups, 'groups'),
    ...nodeFindings(nodes, groups),
    ...linkFindings(links, nodes),
    ...(links.length > 0 ? unlinked(nodes, links) : []),
    ...emptyGroups(groups, nodes),
  ];
}

type Nodes = Diagram['nodes'];
type Groups = NonNullable<Diagram['groups']>;

const finding = (severity: Finding['severity'], pointer: string, message: string): Finding => ({
  severity,
  pointer,
  message,
});

function nodeFindings(nodes: Nodes, groups: Groups): Finding[] {
  const places = new Set(groups.map(({ id }) => id));
  const findings: Finding[] = [];
  for (const [i, { id, role, model, group }] of nodes.entries()) {
    if (group !== undefined && !places.has(group))
      findings.push(finding('error', `/nodes/${i}/group`, `there is no group "${group}"`));
    if (resolveRole({ ...(role ? { role } : {}), ...(model ? { model } : {}) }).by === 'fallback')
      findings.push(
        finding(
          'warning',
          `/nodes/${i}/role`,
          `"${role ?? model ?? id}" names no known role: it is drawn as a generic device`,
        ),
      );
  }
  return findings;
}

function linkFindings(links: readonly DiagramLink[], nodes: Nodes): Finding[] {
  const ids = new Set(nodes.map(({ id }) => id));
  const findings: Finding[] = [];
  for (const [i, link] of links.entries()) {
    for (const end of ['from', 'to'] as const)
      if (!ids.has(link[end])) findings.push(finding('error', `/links/${i}/${end}`, `there is no node "${link[end]}"`));
    if (link.from === link.to) findings.push(finding('error', `/links/${i}`, `"${link.from}" is linked with itself`));
    const same = links.findIndex((other) => sameLink(other, link));
    if (same < i)
      findings.push(
        finding('warning', `/links/${i}`, `is the same as /links/${same}: name the ports to tell them apart`),
      );
  }
  return findings;
}

function unlinked(nodes: Nodes, links: readonly DiagramLink[]): Finding[] {
  const linked = new Set(links.flatMap(({ from, to }) => [from, to]));
  return nodes.flatMap(({ id }, i) =>
    linked.has(id) ? [] : [finding('warning', `/nodes/${i}`, `"${id}" is linked with nothing`)],
  );
}

function emptyGroups(groups: Groups, nodes: Nodes): Finding[] {
  return groups.flatMap(({ id }, i) =>
    nodes.some(({ group }) => group === id) ? [] : [finding('warning', `/groups/${i}`, `group "${id}" is empty`)],
  );
}

function doubled(entries: readonly { id: string }[], list: string): Finding[] {
  return entries.flatMap(({ id }, i) => {
    const first = entries.findIndex((other) => other.id === id);
    return first < i
      ? [
          {
            severity: 'error' as const,
            pointer: `/${list}/${i}/id`,
            message: `"${id}" is already the id of /${list}/${first}`,
          },
        ]
      : [];
  });
}

/** A cable has no direction: the same two ends, with the ports turned along. */
function sameLink(one: DiagramLink, other: DiagramLink): boolean {
  const ends = ({ from, to, from_port = '', to_port = '' }: DiagramLink) =>
    [`${from}\0${from_port}`, `${to}\0${to_port}`].sort();
  const [a, b] = [ends(one), ends(other)];
  return a[0] === b[0] && a[1] === b[1];
}
