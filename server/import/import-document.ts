/** A path somebody names → OpenAPI 3 documents fit for the catalog, and findings about what was cut or refused. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { METHODS } from '../catalog/operation-source.ts';
import { addressOf, pathProblem } from '../catalog/path-template.ts';
import { isObject, type JsonObject, pointerPart, scalarText } from '../catalog/platform-document.ts';
import { RouterError } from '../errors.ts';
import { Gatherer } from './bundle-references.ts';
import { openClosedParts } from './closed-parts.ts';
import { atOneServer, serverOf } from './common-server.ts';
import { joinDisjointValues } from './disjoint-values.ts';
import { nestsTooDeep } from './document-nodes.ts';
import { followDynamicReferences } from './dynamic-references.ts';
import { followEmbedded } from './embedded-schemas.ts';
import type { Finding } from './import-finding.ts';
import { inlineMaps } from './inline-maps.ts';
import { withoutInvisible } from './invisible-characters.ts';
import { valueFormat } from './other-format.ts';
import { joinOverlappingUnions } from './overlapping-unions.ts';
import { followOwnServers, onlyServer } from './own-servers.ts';
import { ParsedFiles } from './parse-file.ts';
import { cutFragments } from './path-fragments.ts';
import { statePathParameters } from './path-parameters.ts';
import { moveQueries } from './path-queries.ts';
import { ReachedPart } from './reached-part.ts';
import { repairSchemas } from './repair-schema.ts';
import { stateAnswersOfSchemas } from './schema-responses.ts';
import { upgradedSwagger2 } from './swagger2.ts';
import { preferHttps } from './swagger2-schemes.ts';
import type { TakenDocument } from './taken-document.ts';
import { breakUnionCircles } from './union-circles.ts';

export interface TakenIn {
  documents: TakenDocument[];
  /** Names of documents of the folder that cannot be used at all; a finding of each says why. */
  leftOutDocuments: string[];
  findings: Finding[];
  /** Where calls go: the server that the documents state, when they agree on an absolute one. */
  baseUrl?: string;
}

const MAX_FILES = 2_000;

/**
 * @param baseUrl where the operator says that calls go, when they have
 * @param server the one server whose operations the operator asks for
 */
export async function importDocument(path: string, baseUrl?: string, server?: string): Promise<TakenIn> {
  const info = statSync(path, { throwIfNoEntry: false });
  if (!info)
    throw new RouterError(
      'DOCUMENTS_MISSING',
      `${path}: should be an OpenAPI document or a folder of them, got nothing`,
      { remedy: 'name a file or folder that exists' },
    );
  const inFolder = info.isDirectory();
  if (!inFolder && !info.isFile())
    throw new RouterError('DOCUMENT_INVALID', `${path}: should be a file or a folder, got a pipe or a device`, {
      remedy: 'save the document to a file, and name that',
    });
  const root = realpathSync(inFolder ? path : dirname(path));
  const files = inFolder ? filesBelow(root) : [realpathSync(path)];
  const findings: Finding[] = [];
  const leftOutDocuments: string[] = [];
  const imported = await importFiles(files, root, inFolder, findings, leftOutDocuments);
  for (const { id, content } of imported) {
    if (server === undefined) followOwnServers(content);
    else onlyServer(content, server, id);
  }
  const kept = atOneServer(imported, findings, baseUrl);
  leftOutDocuments.push(...imported.filter((document) => !kept.includes(document)).map(({ id }) => id));
  const [first] = kept;
  if (first === undefined)
    throw new RouterError(
      'DOCUMENT_INVALID',
      `${path}: no usable OpenAPI document; ${findings[0]?.message ?? 'no file states `openapi` or `swagger`'}`,
      { remedy: 'correct the document and add it again' },
    );
  const stated = absolute(serverOf(first.content));
  if (stated === undefined && baseUrl === undefined) findings.push(noServer(first));
  return { documents: kept, leftOutDocuments, findings, ...(stated === undefined ? {} : { baseUrl: stated }) };
}

const noServer = ({ id, content }: TakenDocument): Finding => ({
  document: id,
  pointer: '/servers',
  message: `the documents state no whole server URL, got ${JSON.stringify(serverOf(content))}`,
  remedy: 'name it with --base-url; paths are appended to it as they are',
});

/** In a folder, a file that cannot be used is a finding. */
async function importFiles(
  files: readonly string[],
  root: string,
  inFolder: boolean,
  findings: Finding[],
  leftOut: string[],
): Promise<TakenDocument[]> {
  const documents: TakenDocument[] = [];
  const parsed = new ParsedFiles();
  for (const file of files) {
    const name = relative(root, file);
    try {
      const imported = await importFile(file, root, inFolder, findings, parsed);
      if (imported !== undefined) documents.push({ id: idFor(name, documents), ...imported });
    } catch (error) {
      if (!(error instanceof RouterError)) throw error;
      findings.push({ document: name, pointer: '', message: error.message, remedy: error.remedy });
      if (!inFolder) throw error;
      leftOut.push(name);
    }
  }
  return documents;
}

/** Undefined for a file that is no document: in a folder, files without a version are parts of others. */
async function importFile(
  file: string,
  root: string,
  inFolder: boolean,
  findings: Finding[],
  parsed: ParsedFiles,
): Promise<Omit<TakenDocument, 'id'> | undefined> {
  const read = parsed.value(file);
  if (inFolder && !isDocument(read)) return undefined;
  const name = relative(root, file);
  const tooDeep = () => {
    throw nestsTooDeep(name, '');
  };
  // In a folder it may also be a part of other documents, which read it as it is.
  const value = inFolder ? new ReachedPart(read).reach('', tooDeep) : read;
  if (isObject(value)) inlineMaps(value, file, root, parsed);
  const content = await openApi3(name, value, findings);
  followEmbedded(content);
  const gatherer = new Gatherer(root, findings, parsed);
  gatherer.gather(file, content);
  // Behind the gathering: a path that stands in another file refers to the schemas of this one by its name.
  stateAnswersOfSchemas(content, name, findings);
  withoutInvisible(content, name, findings);
  followDynamicReferences(content, name, findings);
  repairSchemas(content, name, findings);
  breakUnionCircles(content, name, findings);
  openClosedParts(content);
  joinDisjointValues(content);
  joinOverlappingUnions(content);
  moveQueries(content);
  cutFragments(content);
  statePathParameters(content, name, findings);
  const leftOut = gatherer.setAside + checkPaths(name, content, findings);
  return { content, leftOut };
}

function filesBelow(root: string): string[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        /\.(json|ya?ml)$/i.test(name) &&
        !name.split(/[\\/]/).some((part) => part.startsWith('.') || part === 'node_modules'),
    )
    .sort();
  if (files.length > MAX_FILES)
    throw new RouterError(
      'DOCUMENT_INVALID',
      `${root}: should hold at most ${MAX_FILES} documents and parts, got ${files.length}`,
      { remedy: 'name the folder of the documents alone' },
    );
  return files.map((name) => join(root, name)).filter((file) => isFile(file) && isBelow(realpathSync(file), root));
}

/** Not a pipe, which nobody may ever fill, and no link that leads nowhere. */
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** A link may lead anywhere, also into a folder whose name only begins like this one's. */
const isBelow = (file: string, root: string) => file.startsWith(root.endsWith(sep) ? root : root + sep);

const isDocument = (value: unknown) => isObject(value) && ('openapi' in value || 'swagger' in value);

async function openApi3(name: string, stated: unknown, findings: Finding[]): Promise<JsonObject> {
  const { value, version } = versioned(name, stated);
  if (version !== '2') return value;
  preferHttps(value, name, findings);
  try {
    return await upgradedSwagger2(value);
  } catch (cause) {
    throw new RouterError('DOCUMENT_INVALID', `${name}: the Swagger 2.0 document could not be converted`, {
      cause,
      remedy: 'convert the document to OpenAPI 3',
    });
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'nothing';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** A document with paths, of OpenAPI 3 or Swagger 2.0; throws for anything else, with what it is. */
function versioned(name: string, value: unknown): { value: JsonObject; version: '2' | '3' } {
  const invalid = (what: string, remedy = 'correct the document and add it again') =>
    new RouterError('DOCUMENT_INVALID', `${name}: ${what}`, { remedy });
  if (!isObject(value)) throw invalid(`should be an OpenAPI document, got ${kindOf(value)}`);
  const other = isDocument(value) ? undefined : valueFormat(value);
  if (other) throw invalid(`should be an OpenAPI document, got ${other.name}`, other.remedy);
  const version = scalarText(value['openapi'] ?? value['swagger'] ?? 'no version');
  if (!isObject(value['paths'])) throw invalid('`/paths` should be an object of paths, got none');
  // YAML without quotes: 3.0 is the number 3, 3.1 a number too, and 2.0 the number 2.
  if (typeof value['openapi'] === 'number' || version === '3') value['openapi'] = version === '3' ? '3.0' : version;
  else if (version === '2') value['swagger'] = '2.0';
  if (/^3(\.[012](\.|$)|$)/.test(version)) return { value, version: '3' };
  if (/^2(\.0)?$/.test(version)) return { value, version: '2' };
  throw invalid(
    `\`/openapi\` should be 3.0, 3.1 or 3.2, or \`/swagger\` 2.0, got ${version.slice(0, 80)}`,
    'convert the document to OpenAPI 3',
  );
}

/**
 * Reports with a pointer what the catalog would leave out anyway, and returns the number of operations below it. An API
 * with one method gets a hint.
 */
function checkPaths(document: string, content: JsonObject, findings: Finding[]): number {
  const items = Object.entries(content['paths'] as JsonObject);
  let leftOut = 0;
  for (const [path, item] of items) {
    if (path.startsWith('x-')) continue;
    const problem = isObject(item)
      ? pathProblem(addressOf(path))
      : { what: 'should hold operations', remedy: 'correct the path' };
    if (problem === undefined) continue;
    delete (content['paths'] as JsonObject)[path];
    leftOut += isObject(item) ? METHODS.filter((method) => isObject(item[method])).length : 0;
    findings.push({
      document,
      pointer: `/paths/${pointerPart(path)}`,
      message: `the path ${JSON.stringify(path)} ${problem.what}: left out`,
      remedy: problem.remedy,
    });
  }
  const methods = items.flatMap(([, item]) =>
    isObject(item) ? Object.keys(item).filter((key) => /^(get|put|post|patch|delete)$/.test(key)) : [],
  );
  if (methods.length > 2 && methods.every((method) => method === 'post'))
    findings.push({
      document,
      pointer: '/paths',
      message: `all ${methods.length} operations are POST, so all are taken as writes`,
      remedy: 'look at those that only read and add the document with --read-operation for each',
    });
  return leftOut;
}

/** A URL that paths can be joined to: with a host, nothing left to fill in, and nothing that swallows or moves a path. */
function absolute(url: string): string | undefined {
  const whole = url.startsWith('//') ? `https:${url}` : url;
  if (!/^https?:\/\/[^{}]+$/.test(whole) || !URL.canParse(whole)) return undefined;
  const [, host = '', path = ''] = /^https?:\/\/([^/]*)(.*)$/i.exec(whole) ?? [];
  return /[@?#\\\s]/.test(host) || (path !== '' && pathProblem(path) !== undefined) ? undefined : whole;
}

function idFor(name: string, taken: readonly TakenDocument[]): string {
  const plain =
    basename(name, extname(name))
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 50) || 'document';
  for (let n = 1; ; n++) {
    const id = n === 1 ? plain : `${plain}-${n}`;
    if (!taken.some((document) => document.id === id)) return id;
  }
}
