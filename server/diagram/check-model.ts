/** What is wrong with a topology model beyond its form. */
import type { Diagram, DiagramLink } from './model.ts';
import { resolveRole } from './roles.ts';

export interface Finding {
  /** An error keeps it from being drawn, a warning does not. */
  severity: 'error' | 'warning';
  pointer: string;
  message: string;
}

export function checkModel({ nodes, links = [], groups = [] }: Diagram): Finding[] {
  const ids = new Set(nodes.map(({ id }) => id));
  const places = new Set(groups.map(({ id }) => id));
  const findings = [...doubled(nodes, 'nodes'), ...doubled(groups, 'groups')];
  const add = (severity: Finding['severity'], pointer: string, message: string) =>
    findings.push({ severity, pointer, message });
  for (const [i, { id, role, model, group }] of nodes.entries()) {
    if (group !== undefined && !places.has(group)) add('error', `/nodes/${i}/group`, `there is no group "${group}"`);
    if (resolveRole({ ...(role ? { role } : {}), ...(model ? { model } : {}) }).by === 'fallback')
      add(
        'warning',
        `/nodes/${i}/role`,
        `"${role ?? model ?? id}" names no known role: it is drawn as a generic device`,
      );
  }
  for (const [i, link] of links.entries()) {
    for (const end of ['from', 'to'] as const)
      if (!ids.has(link[end])) add('error', `/links/${i}/${end}`, `there is no node "${link[end]}"`);
    if (link.from === link.to) add('error', `/links/${i}`, `"${link.from}" is linked with itself`);
    const same = links.findIndex((other) => sameLink(other, link));
    if (same < i) add('warning', `/links/${i}`, `is the same as /links/${same}: name the ports to tell them apart`);
  }
  const linked = new Set(links.flatMap(({ from, to }) => [from, to]));
  if (links.length > 0)
    for (const [i, { id }] of nodes.entries())
      if (!linked.has(id)) add('warning', `/nodes/${i}`, `"${id}" is linked with nothing`);
  for (const [i, { id }] of groups.entries())
    if (!nodes.some(({ group }) => group === id)) add('warning', `/groups/${i}`, `group "${id}" is empty`);
  return findings;
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
