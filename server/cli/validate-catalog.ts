/** Checks a built catalog again, from what lies on disk: the release gate behind `svc-mcp-catalog validate`. */
import { join } from 'node:path';
import type { Catalog } from '../catalog/catalog.ts';
import { NAME_LIMIT } from '../catalog/name.ts';
import { schemaProblem } from '../catalog/tool-schema.ts';
import { RouterError } from '../errors.ts';
import { openIndex } from '../search/index-file.ts';
import { SPEC_INDEX_FILE } from '../spec-index/build.ts';
import { SpecIndex } from '../spec-index/look-up.ts';

export interface Strictness {
  strictToolIndex: boolean;
  strictRag: boolean;
  minTools: number;
}

export interface SpecCounts {
  endpoints: number | null;
  schemas: number | null;
  fields: number | null;
}

export function validateCatalog(catalog: Catalog, { strictToolIndex, strictRag, minTools }: Strictness): SpecCounts {
  const { folder, summary } = catalog;
  const wrong = (what: string) => new RouterError('CATALOG_INVALID', `${folder}: ${what}`);
  if (summary.platformTools < minTools)
    throw new RouterError(
      'CATALOG_TOO_SMALL',
      `${folder} should have at least ${minTools} platform tools, got ${summary.platformTools}`,
    );
  const names = catalog.names();
  if (names.length !== summary.tools) throw wrong(`should hold ${summary.tools} tools, got ${names.length}`);
  for (const name of names)
    if (catalog.schema(name)['type'] !== 'object') throw wrong(`the schema of ${name} should be of type object`);
  const index = openIndex(catalog);
  if (index.size !== names.length) throw wrong(`the search index should know ${names.length} tools, got ${index.size}`);
  if (strictToolIndex) {
    const [aside] = summary.quarantined;
    if (aside)
      throw wrong(
        `${summary.quarantined.length} operations are set aside, the first is ${aside.operation}: ${aside.reason}`,
      );
    for (const name of names) {
      const problem = schemaProblem(catalog.schema(name));
      if (problem) throw wrong(`${name}: ${problem}`);
      if (name.length > NAME_LIMIT) throw wrong(`the name ${name} has more than ${NAME_LIMIT} characters`);
    }
  }
  return specCounts(catalog, strictRag);
}

function specCounts(catalog: Catalog, strict: boolean): SpecCounts {
  let index: SpecIndex;
  try {
    index = new SpecIndex(join(catalog.folder, SPEC_INDEX_FILE));
  } catch (cause) {
    if (!strict) return { endpoints: null, schemas: null, fields: null };
    throw new RouterError('CATALOG_INVALID', `${catalog.folder}: the spec index is missing or cannot be read`, {
      cause,
    });
  }
  using opened = index;
  const { documents, endpoints, schemas, fields } = opened.counts();
  if (strict && documents !== catalog.summary.documents)
    throw new RouterError(
      'CATALOG_INVALID',
      `${catalog.folder}: the spec index should know ${catalog.summary.documents} documents, got ${documents}`,
    );
  return { endpoints, schemas, fields };
}
