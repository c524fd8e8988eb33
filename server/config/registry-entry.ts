/** The entry of this server in the MCP registry (`server.json`), from the package and from the list of variables. */
import { VARIABLES, type VariableKind } from './variables.ts';

/** Version of the registry's format. */
const FORMAT = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
const TITLE = 'MCP Tool Router';
const LONGEST_DESCRIPTION = 100;
/** What somebody sets who starts the router from a client; all others have a default that fits there. */
const ASKED = [
  'CREDS_PATH',
  'SVC_MCP_TOOLSETS',
  'SVC_MCP_ACCESS_PROFILE',
  'SVC_MCP_ROUTER_MODE',
  'SVC_MCP_CONFIRMATION',
  'SVC_MCP_CONFIG_DIR',
  'SVC_MCP_STATE_DIR',
] as const satisfies (keyof typeof VARIABLES)[];

export interface PackageFacts {
  name: string;
  version: string;
  /** Namespace and name in the registry; the workflow of a release puts its own owner there. */
  mcpName: string;
}

export function registryEntry({ name, version, mcpName }: PackageFacts): object {
  const description = 'Thousands of network-platform API operations behind three tools; writes only after approval.';
  if (description.length > LONGEST_DESCRIPTION) throw new Error('the description should have at most 100 characters');
  return {
    $schema: FORMAT,
    name: mcpName,
    title: TITLE,
    description,
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        environmentVariables: ASKED.map(inputOf),
      },
    ],
  };
}

function inputOf(name: (typeof ASKED)[number]): object {
  const { kind, about, ...more } = VARIABLES[name];
  return {
    name,
    description: about,
    isRequired: false,
    ...(kind.kind === 'path' ? { format: 'filepath' } : {}),
    ...('default' in more ? { default: more.default } : {}),
    ...choicesOf(kind),
  };
}

const choicesOf = (kind: VariableKind): { choices?: readonly string[] } =>
  kind.kind === 'choice' ? { choices: kind.values } : {};
