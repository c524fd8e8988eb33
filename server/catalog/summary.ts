/** Counts of a catalog. */
import type { BuiltCatalog } from './build.ts';
import type { Tool } from './tool.ts';

/** The scope of a build: which optional products, and whether with their write tools. */
export interface CatalogScope {
  products: 'all' | readonly string[];
  complete: boolean;
}

export interface CatalogSummary {
  digest: string;
  scope: CatalogScope;
  tools: number;
  /** Those that wrap an operation; the others are tools of this router. */
  platformTools: number;
  platforms: Record<string, number>;
  capabilities: Record<string, number>;
  documents: number;
  quarantined: BuiltCatalog['quarantined'];
  notes: string[];
}

export function summarise(digest: string, scope: CatalogScope, built: BuiltCatalog): CatalogSummary {
  const count = (key: (tool: Tool) => string) => {
    const counts: Record<string, number> = {};
    for (const { tool } of built.tools) counts[key(tool)] = (counts[key(tool)] ?? 0) + 1;
    return counts;
  };
  return {
    digest,
    scope,
    tools: built.tools.length,
    platformTools: built.tools.filter(({ tool }) => !tool.local).length,
    platforms: count((tool) => tool.platform),
    capabilities: count((tool) => tool.capability),
    documents: built.documents.length,
    quarantined: built.quarantined,
    notes: built.notes,
  };
}

export function joinedSummary(base: CatalogSummary, added: CatalogSummary): CatalogSummary {
  const sum = (a: Record<string, number>, b: Record<string, number>) => {
    const total = { ...a };
    for (const [key, count] of Object.entries(b)) total[key] = (total[key] ?? 0) + count;
    return total;
  };
  return {
    digest: added.digest,
    scope: added.scope,
    tools: base.tools + added.tools,
    platformTools: base.platformTools + added.platformTools,
    platforms: sum(base.platforms, added.platforms),
    capabilities: sum(base.capabilities, added.capabilities),
    documents: base.documents + added.documents,
    quarantined: [...base.quarantined, ...added.quarantined],
    notes: [...base.notes, ...added.notes],
  };
}
