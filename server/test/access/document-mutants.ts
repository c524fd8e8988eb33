/** Guards against a user's document taken out: its classes, paths, files, names, and where its credentials go. */
import { type AccessMutant, one } from './access-mutant.ts';

export const DOCUMENT_MUTANTS: readonly AccessMutant[] = [
  one(
    'a document lowers its class',
    'documents',
    'catalog/classify.ts',
    'return foreign ? classifyForeign(operation) : classifyReviewed(operation);',
    'return foreign || !foreign ? classifyReviewed(operation) : classifyForeign(operation);',
  ),
  one(
    'a GET is a read whatever its verb',
    'documents',
    'catalog/classify.ts',
    'const verb = changingVerb(operation);',
    'const verb = changingVerb({ path: operation.path.slice(0, 1), operationId: null });',
  ),
  one(
    'a path with a fragment is taken',
    'documents',
    'catalog/path-template.ts',
    "  [/[#?]/, 'holds # or ?, so what follows is no part of the path'],\n",
    '',
  ),
  {
    name: 'a method override is sent',
    layer: 'documents',
    edits: [
      {
        file: 'catalog/request-parts.ts',
        from: "if (where === 'path' || !overridesRequest(name)) return undefined;",
        to: "if (where !== 'path' || !overridesRequest(name)) return undefined;",
      },
      { file: 'dispatch/request.ts', from: 'if (overriding !== undefined)', to: 'if (overriding === null)' },
    ],
  },
  one(
    'a link out of the folder is followed',
    'documents',
    'import/import-document.ts',
    ' && isBelow(realpathSync(file), root)',
    '',
  ),
  one(
    'a folder whose name begins the same is read',
    'documents',
    'import/import-document.ts',
    'file.startsWith(root.endsWith(sep) ? root : root + sep)',
    'file.startsWith(root)',
  ),
  one(
    'a document names the token URL',
    'documents',
    'config/account-address.ts',
    'if (URL.canParse(stated) && new URL(stated).origin === new URL(baseUrl).origin) return stated;',
    'if (URL.canParse(stated)) return stated;',
  ),
  one(
    'a document names where credentials go',
    'documents',
    'config/account-address.ts',
    "base_url ?? (auth.strategy === 'none' ? stated_base_url : undefined)",
    'base_url ?? stated_base_url',
  ),
  one(
    'a platform may have a name of the router',
    'documents',
    'import/platform-name.ts',
    'if (why === undefined) return;',
    'if (why !== null) return;',
  ),
  {
    name: 'an operation takes the name of a public tool',
    layer: 'documents',
    edits: [
      { file: 'catalog/build.ts', from: 'new Set([...reserved, ', to: 'new Set([' },
      {
        file: 'tools/public/surface.ts',
        from: 'catalog.names().filter((name) => !ours.has(name))',
        to: 'catalog.names()',
      },
    ],
  },
];
