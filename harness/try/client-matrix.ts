/** Kinds of clients, and whether this tool list works with them, by what such clients publish about the lists they take. */
import { SURFACE_RULES, type SurfaceRule, type ToolSurface } from './tool-surface.ts';

export interface ClientFit {
  client: string;
  works: boolean;
  because: string;
}

interface ClientKind {
  client: string;
  /** Findings that it cannot take. */
  refuses: readonly SurfaceRule[];
  /** Most tools that it hands to a model. */
  most?: number;
}

const KINDS: readonly ClientKind[] = [
  { client: 'any MCP client', refuses: ['duplicate'] },
  { client: 'function calling without strict mode', refuses: ['duplicate', 'name', 'root', 'array'], most: 128 },
  {
    client: 'strict structured arguments',
    refuses: ['duplicate', 'name', 'root', 'array', 'union', 'reference', 'depth'],
    most: 128,
  },
  { client: 'clients that copy no references', refuses: ['duplicate', 'name', 'reference', 'property'] },
  { client: 'editors with a limit of 40 tools', refuses: ['duplicate', 'name'], most: 40 },
];

export function clientMatrix({ tools, findings }: Pick<ToolSurface, 'tools' | 'findings'>): ClientFit[] {
  return KINDS.map(({ client, refuses, most = Number.POSITIVE_INFINITY }) => {
    const reasons = [
      ...findings
        .filter(({ rule }) => refuses.includes(rule))
        .map(({ rule, count }) => `${count} tools: ${SURFACE_RULES[rule].says}`),
      ...(tools > most ? [`${tools} tools, and it takes ${most}`] : []),
    ];
    return { client, works: reasons.length === 0, because: reasons.join('; ') };
  });
}
