/** The record of one tool: all that search, validation, dispatch and display need. */
import type { Capability } from '../access/access-policy.ts';
import type { ListLayout } from './list-layout.ts';

export type JsonSchema = { [keyword: string]: unknown };

export interface ToolParameter {
  /** Name in the call's arguments; differs from `name` only where the two would collide. */
  argument: string;
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required: boolean;
  /** As OpenAPI names them; `json` for a parameter with `content`, `tabDelimited` for `tsv` of Swagger 2. */
  style: string;
  explode: boolean;
  allowReserved?: true;
}

/** How a field of a form is written; without `style` by its media type. */
export interface FieldEncoding {
  name: string;
  style?: string;
  explode?: boolean;
  allowReserved?: true;
  contentType?: string;
}

export interface ToolBody {
  required: boolean;
  contentType: string;
  /** Fields of a form that the document gives an encoding. */
  encoding?: FieldEncoding[];
  /** Fields of a multipart form that hold files. */
  files?: string[];
  /** The whole body is one file. */
  file?: true;
}

/** Alternatives of schemes that are needed together, by the ids of the platform file. An empty entry permits a call without any. */
export type ToolSecurity = { scheme: string; scopes: string[] }[][];

/** Why an operation has its capability; `operator` where a person lowered it by `--read-operation`. */
export interface Evidence {
  by: 'override' | 'operator' | 'document' | 'word' | 'method' | 'unknown' | 'arguments';
  detail: string;
}

/** `{name}` in an argument stands for the argument of that name of the call. */
export interface PreviewRead {
  tool: string;
  arguments: Record<string, string>;
  /** A number of things, a list of what refers to the object, or a list of changes that wait. */
  tells: 'count' | 'references' | 'changes';
  /** Verb phrase behind the number: `are connected to it`. */
  how?: string;
  /** Asked only where the call switches the object off. */
  when?: 'switched-off';
}

export interface Tool {
  name: string;
  /** Runs in this router and wraps no operation; `platform` is then the toolset that brings it. */
  local?: true;
  platform: string;
  /** The backend shown to clients as `server`. */
  backend: string;
  document: string;
  operationId: string | null;
  method: string;
  /** Path template that calls are sent to. */
  path: string;
  /** The path in the document where that is another one: it ends in a fragment there. */
  statedPath?: string;
  capability: Capability;
  evidence: Evidence;
  /** A field of the body, or an argument, whose value can make a call of a stricter class; with `byVerb` any word does that destroys something. */
  escalates?: { field: string; isArgument?: true; values: Readonly<Record<string, Capability>>; byVerb?: true };
  /** One sentence for a list of hits, and the whole text. */
  line: string;
  description: string;
  /** Parameter names for a descriptor, most needed first. */
  params: string[];
  parameters: ToolParameter[];
  body: ToolBody | null;
  /** Media types that it answers with, where none of them is JSON. */
  accept?: string;
  /** A read whose only declared success is a redirect: where it leads is the answer, and is not followed. */
  redirects?: true;
  /** Set on platforms with declared schemes, and only there. */
  security?: ToolSecurity;
  /** Names of request fields that are never shown. */
  secrets: string[];
  /** Names of answer fields that are never shown. */
  answerSecrets?: string[];
  list?: ListLayout;
  /** The platform tells refusals inside a success: where its code and its words stand, and which code is none. */
  innerOutcome?: { status: string; ok: unknown; message: string };
  resource?: { name: string; noun: string; plural: string; key: string | null };
  /** Tool that reads what this one changes: a GET on the same path. */
  reader?: string;
  /** Tool that reads the object which this one acts on, where no GET has the same path: `/devices/{id}` for its reboot. */
  target?: string;
  /** Reads that tell what hangs on the object: at a preview, with arguments made from those of the call. */
  previewReads?: PreviewRead[];
  /** A PUT that creates what is not there: the document declares 201 for it, or `x-svc-upsert`. */
  creates?: true;
  /** For a call that only starts something: the tool that reads how it ended. */
  poll?: { tool: string; path: string };
  /** For a write that only waits: the tool that puts it into effect, with all else that waits. */
  commit?: string;
  /** Set on the older of two forms of one operation. */
  twin?: string;
  deprecated: boolean;
}

/** What the ranker reads beside the tool itself; not needed to serve a call. */
export interface SearchText {
  /** Kind of operation as the document states it, else empty. */
  kind: string;
  aliases: string[];
  questions: string[];
  distinguish: string;
  fields: string[];
  /** Description of the arguments and of the fields of the answer in the document; empty where it states what sets the tool apart. */
  details: string[];
  scope: string;
  tag: string;
}

/** `METHOD /path` as the document has it. An operation is known by it and its document wherever two are compared. */
export const operationOf = ({
  method,
  path,
  statedPath = path,
}: Pick<Tool, 'method' | 'path' | 'statedPath'>): string => `${method} ${statedPath}`;

export interface BuiltTool {
  tool: Tool;
  schema: JsonSchema;
  text: SearchText;
}
