/**
 * Examples at the end of each help, loaded only for a help. The key is the command with its subcommand, as it is typed.
 * A test runs every help, and holds the options of every example against it.
 */
import type { Command } from 'commander';

const EXAMPLES = new Map<string, readonly string[]>([
  [
    'svc-mcp-router',
    ['svc-mcp-router', 'svc-mcp-router --directory ~/router', 'MCP_TRANSPORT=streamable-http svc-mcp-router --json'],
  ],
  [
    'svc-mcp-catalog',
    [
      'svc-mcp-catalog build',
      'svc-mcp-catalog validate --strict-tool-index',
      'svc-mcp-catalog add openapi.yaml --platform books --base-url https://books.example',
    ],
  ],
  [
    'svc-mcp-catalog build',
    ['svc-mcp-catalog build --products nac,fabric', 'svc-mcp-catalog build --complete-catalog --json'],
  ],
  [
    'svc-mcp-catalog validate',
    ['svc-mcp-catalog validate --strict-tool-index', 'svc-mcp-catalog validate --min-tools 100'],
  ],
  [
    'svc-mcp-catalog add',
    [
      'svc-mcp-catalog add openapi.yaml --platform books --base-url https://books.example',
      'svc-mcp-catalog add openapi.yaml --platform books --auth api-key --header X-Key',
      'svc-mcp-catalog add folder/ --platform books --read-operation searchBooks',
    ],
  ],
  ['svc-mcp-catalog remove', ['svc-mcp-catalog remove books']],
  ['svc-mcp-catalog lock', ['svc-mcp-catalog lock']],
  [
    'svc-mcp-setup',
    [
      'svc-mcp-setup',
      'svc-mcp-setup --yes --products nac --writes nac --account nac.base_url=https://nac.lan',
      'svc-mcp-setup --yes --docker --expose 127.0.0.1',
    ],
  ],
  ['svc-mcp-doctor', ['svc-mcp-doctor', 'svc-mcp-doctor --directory ~/router --all', 'svc-mcp-doctor --strict --json']],
  [
    'svc-mcp-index',
    ['svc-mcp-index package --out index.tgz', 'svc-mcp-index download --manifest index.tgz.manifest.json'],
  ],
  ['svc-mcp-index package', ['svc-mcp-index package --out index.tgz --url https://files.example.com/index.tgz']],
  [
    'svc-mcp-index download',
    [
      'svc-mcp-index download --manifest index.tgz.manifest.json',
      'svc-mcp-index download --url https://files.example.com/index.tgz --sha256 DIGEST',
    ],
  ],
  [
    'svc-mcp-find',
    [
      'svc-mcp-find "list the access points of a site"',
      'svc-mcp-find "create a VLAN" --platform mgmt --explain',
      'svc-mcp-find mgmt_list_sites --json',
    ],
  ],
  ['svc-mcp-ingest', ['svc-mcp-ingest docs/', 'svc-mcp-ingest handbook.pdf --collection internal --licence CC-BY-4.0']],
  ['svc-mcp-migrate', ['svc-mcp-migrate plan export.json --html plan.html', 'svc-mcp-migrate profile get roles guest']],
  [
    'svc-mcp-migrate plan',
    ['svc-mcp-migrate plan export.json --html plan.html', 'svc-mcp-migrate plan export.json --target classic --json'],
  ],
  [
    'svc-mcp-migrate profile',
    ['svc-mcp-migrate profile get roles guest', 'svc-mcp-migrate profile set roles guest --input role.json'],
  ],
  ['svc-mcp-migrate profile get', ['svc-mcp-migrate profile get roles guest']],
  ['svc-mcp-migrate profile set', ['svc-mcp-migrate profile set roles guest --input role.json']],
  ['svc-mcp-migrate profile delete', ['svc-mcp-migrate profile delete roles guest']],
  [
    'svc-mcp-approvals',
    [
      'svc-mcp-approvals operator-add ada',
      'svc-mcp-approvals list --operator ada',
      'svc-mcp-approvals approve ID --operator ada --digest DIGEST',
    ],
  ],
  [
    'svc-mcp-approvals list',
    ['svc-mcp-approvals list --operator ada', 'svc-mcp-approvals list --operator ada --all --json'],
  ],
  ['svc-mcp-approvals show', ['svc-mcp-approvals show ID --operator ada']],
  ['svc-mcp-approvals approve', ['svc-mcp-approvals approve ID --operator ada --digest DIGEST --reason "change 4711"']],
  ['svc-mcp-approvals decline', ['svc-mcp-approvals decline ID --operator ada --digest DIGEST --reason "wrong site"']],
  ['svc-mcp-approvals stop-writes', ['svc-mcp-approvals stop-writes --operator ada --reason "incident 12"']],
  [
    'svc-mcp-approvals resume-writes',
    ['svc-mcp-approvals resume-writes --operator ada --reason "incident 12 is over"'],
  ],
  ['svc-mcp-approvals operators', ['svc-mcp-approvals operators --directory ~/router']],
  [
    'svc-mcp-approvals operator-add',
    ['svc-mcp-approvals operator-add ada', 'svc-mcp-approvals operator-add ada --password-file ada.txt --agent robot'],
  ],
  ['svc-mcp-approvals operator-remove', ['svc-mcp-approvals operator-remove ada']],
  [
    'svc-mcp-principal',
    [
      'svc-mcp-principal add robot --platforms nac --capabilities read',
      'svc-mcp-principal list',
      'svc-mcp-principal rotate robot',
    ],
  ],
  [
    'svc-mcp-principal add',
    [
      'svc-mcp-principal add robot --platforms nac --capabilities read',
      'svc-mcp-principal add ops --profile custom --metrics',
    ],
  ],
  ['svc-mcp-principal list', ['svc-mcp-principal list --json']],
  ['svc-mcp-principal rotate', ['svc-mcp-principal rotate robot --keep']],
  ['svc-mcp-principal remove', ['svc-mcp-principal remove robot']],
  [
    'svc-mcp-run-pipeline',
    [
      'svc-mcp-run-pipeline --input switches.csv --dry-run',
      'svc-mcp-run-pipeline --input switches.csv --stage-from validate --stage-to verify',
    ],
  ],
  [
    'svc-mcp-run-ssid',
    [
      'svc-mcp-run-ssid --ssid guest --vlans 10 --scope-id 1 --dry-run',
      'svc-mcp-run-ssid --input networks.csv --passphrase-stdin',
    ],
  ],
]);

/** Of the command and of everything below it; `name` is how it is typed. */
export function addExamples(command: Command, name: string = command.name()): void {
  const lines = EXAMPLES.get(name) ?? [];
  if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  for (const one of command.commands) addExamples(one, `${name} ${one.name()}`);
}
