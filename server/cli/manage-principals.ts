/**
 * `svc-mcp-principal`: adds, lists, rotates and removes the principals of routers. A bearer is shown once and kept nowhere; a running
 * router takes each change with its next request. Started by `principal.mjs`.
 */
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { loadConfig } from '../config/config.ts';
import { version } from '../open-catalog.ts';
import { type Narrowed, PrincipalsEditor } from '../principals/principals-editor.ts';
import { runCommand } from './run-command.ts';

interface Place {
  directory: string;
  json?: boolean;
}
interface Added extends Place {
  profile?: NonNullable<Narrowed['profile']>;
  platforms?: string[];
  capabilities?: NonNullable<Narrowed['capabilities']>;
  gates?: string[];
  approve: boolean;
  metrics?: boolean;
}

const print = ({ json }: Place, value: object, text: string): void =>
  void process.stdout.write(json === true ? `${JSON.stringify({ ok: true, ...value })}\n` : `${text}\n`);

/** The file of the setting, or the one that the setting should name. */
function editorOf({ directory }: Place): { editor: PrincipalsEditor; note: string } {
  const config = loadConfig({ env: process.env, cwd: resolve(directory) });
  const path = config.principalsPath ?? join(config.configDir, 'principals.yaml');
  const note =
    config.principalsPath === undefined ? `\nNo router reads it yet: set SVC_MCP_PRINCIPALS_PATH=${path}` : '';
  return { editor: new PrincipalsEditor(path, config), note };
}

const program = new Command('svc-mcp-principal')
  .description('Say who may call a router over HTTP, each with a bearer and a part of its settings.')
  .version(version);

const placed = (name: string, about: string): Command =>
  program
    .command(name)
    .description(about)
    .option('--directory <path>', 'the folder with the .env of the routers', '.')
    .option('--json', 'print one JSON object');

placed('add', 'add a principal and print its bearer, once')
  .argument('<name>')
  .option('--profile <profile>', 'no wider than SVC_MCP_ACCESS_PROFILE')
  .option('--platforms <id...>', 'only these platforms and toolsets')
  .option('--capabilities <capability...>', 'only these of read, diagnostic, write, destructive')
  .option('--gates <variable...>', 'only these of the gates that are open')
  .option('--no-approve', 'the person at its client approves nothing; only an operator does')
  .option('--metrics', 'may read /metrics')
  .action((name: string, options: Added) => {
    const { profile, platforms, capabilities, gates, approve, metrics } = options;
    const { editor, note } = editorOf(options);
    const bearer = editor.add(name, {
      ...(profile === undefined ? {} : { profile }),
      ...(platforms === undefined ? {} : { platforms }),
      ...(capabilities === undefined ? {} : { capabilities }),
      ...(gates === undefined ? {} : { gates }),
      ...(approve ? {} : { may_approve: false }),
      ...(metrics === true ? { metrics } : {}),
    });
    print(options, { principal: name, bearer }, `${bearer}\n${name} has this bearer; it is shown only now${note}`);
  });

placed('list', 'the principals and what each may use').action((options: Place) => {
  const principals = editorOf(options).editor.list();
  const lines = principals.map(
    ({ name, bearers, ...narrowed }) => `${name}  bearers ${bearers}  ${JSON.stringify(narrowed)}`,
  );
  print(options, { principals }, lines.join('\n') || 'there is no principal yet');
});

placed('rotate', 'give a principal another bearer and print it, once; the one before ends at once')
  .argument('<name>')
  .option('--keep', 'the one before stays valid until the next rotation')
  .action((name: string, options: Place & { keep?: boolean }) => {
    const { editor, note } = editorOf(options);
    const bearer = editor.rotate(name, options.keep === true);
    print(options, { principal: name, bearer }, `${bearer}\n${name} has this bearer; it is shown only now${note}`);
  });

placed('remove', 'remove a principal; its bearers end at once')
  .argument('<name>')
  .action((name: string, options: Place) => {
    editorOf(options).editor.remove(name);
    print(options, { principal: name }, `${name} is no principal any more`);
  });

await runCommand(program);
