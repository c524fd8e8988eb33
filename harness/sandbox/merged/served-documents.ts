/** The platforms' OpenAPI documents as the fake wrote them: platform → document → value. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Json = Record<string, unknown>;

export interface Operation extends Json {
  operationId?: string;
}

export interface Document extends Json {
  paths: Record<string, Record<string, Operation>>;
  components?: Record<string, Record<string, Json>>;
}

export type PlatformDocuments = Map<string, Map<string, Document>>;

export async function readPlatformDocuments(root: string, platforms: readonly string[]): Promise<PlatformDocuments> {
  const found: PlatformDocuments = new Map();
  for (const platform of [...platforms].sort()) {
    const folder = join(root, 'var', 'openapi', platform);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort();
    const documents = names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return [name.replace(/\.json$/, ''), JSON.parse(text) as Document] as const;
    });
    found.set(platform, new Map(await Promise.all(documents)));
  }
  return found;
}
