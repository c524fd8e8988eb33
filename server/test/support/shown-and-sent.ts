/** Holds what the approval page shows beside what a recording upstream gets, write after write, through router and console. */
import fc from 'fast-check';
import { writeCheapOperators } from './cheap-operators.ts';
import { ConsoleVisitor, unescaped } from './console-visitor.ts';
import { drawnDocument, drawnWrite } from './drawn-writes.ts';
import { operatorTestbed } from './operator-testbed.ts';
import { type RawRequest, RUNTIME_HEADERS } from './recording-upstream.ts';

/** The parts of a request as a person sees them on the page. */
export interface SeenRequest {
  host: string;
  /** Method and target. */
  line: string;
  /** Name and value, each as shown. */
  headers: string[][];
  /** How the body is written; undefined where there is none. */
  form: string | undefined;
  body: string | undefined;
}

export interface ShownAndSent {
  compared: number;
  /** Bytes of the longest body. */
  longest: number;
  differences: string[];
}

const PASSWORD = 'correct horse battery';

/** `look` reads the page of an approval; the write is then approved through its form. */
export async function shownAndSent(
  { count, seed }: { count: number; seed: number },
  look: (visitor: ConsoleVisitor, id: string) => Promise<SeenRequest>,
): Promise<ShownAndSent> {
  await using bed = await operatorTestbed({ SVC_MCP_CONSOLE_PORT: '0' }, (installation) =>
    installation.writeDocument('drawn.json', drawnDocument),
  );
  bed.upstream.object = () => ({ status: 404, body: {} });
  writeCheapOperators(bed.config.approvals.operatorsPath, [{ name: 'ada', password: PASSWORD }]);
  const visitor = new ConsoleVisitor(bed.consoleUrl ?? '');
  await visitor.signIn('ada', PASSWORD);
  const found: ShownAndSent = { compared: 0, longest: 0, differences: [] };
  for (const { tool, arguments: args } of fc.sample(drawnWrite, { numRuns: count, seed })) {
    bed.upstream.writes.length = 0;
    const call = await bed.agent.previewed(tool, args);
    const { approval_id, ...refused } = await call.apply();
    const difference =
      typeof approval_id === 'string'
        ? await differenceOf(visitor, approval_id, look, call.apply, bed.upstream.writes)
        : `not asked: ${JSON.stringify(refused).slice(0, 300)}`;
    if (difference === undefined) found.compared += 1;
    else found.differences.push(`${tool} ${JSON.stringify(args).slice(0, 300)}: ${difference}`);
    found.longest = Math.max(found.longest, bed.upstream.writes[0]?.body.length ?? 0);
  }
  return found;
}

async function differenceOf(
  visitor: ConsoleVisitor,
  id: string,
  look: (visitor: ConsoleVisitor, id: string) => Promise<SeenRequest>,
  apply: () => Promise<unknown>,
  writes: readonly RawRequest[],
): Promise<string | undefined> {
  const seen = await look(visitor, id);
  if (writes.length > 0) return 'something was sent before the answer';
  const object = await objectOf(visitor, id);
  const { status } = await visitor.answer(id, 'approve', object === undefined ? {} : { object });
  if (status !== 303) return `the answer was ${status}`;
  await apply();
  const [sent, again] = writes;
  if (sent === undefined || again !== undefined) return `${writes.length} requests came`;
  return compared(seen, sent);
}

/** The name that has to be typed, as the label of its field shows it. */
async function objectOf(visitor: ConsoleVisitor, id: string): Promise<string | undefined> {
  const { text } = await visitor.send(`/approvals/${id}`);
  const label = /quotation marks: <code>([^<]*)<\/code>/.exec(text)?.[1];
  return label === undefined ? undefined : (JSON.parse(unescaped(label)) as string);
}

function compared(seen: SeenRequest, sent: RawRequest): string | undefined {
  if (seen.host !== `http://${sent.host}`) return `shown for ${seen.host}, sent to ${sent.host}`;
  if (seen.line !== `${sent.method} ${sent.target}`) return `shown ${seen.line}, sent ${sent.method} ${sent.target}`;
  const body = Buffer.from(seen.form === 'json string' ? (JSON.parse(seen.body ?? '""') as string) : (seen.body ?? ''));
  if (!body.equals(sent.body)) return `${body.length} bytes of body shown, ${sent.body.length} sent`;
  const masked = (value = '') => /^\*{8} \(|^\(/.test(value);
  const wrong = seen.headers.find(([name = '', value]) => !masked(value) && sent.headers[name] !== value?.trim());
  if (wrong) return `header ${wrong[0]}: shown ${wrong[1]}, sent ${sent.headers[wrong[0] ?? '']}`;
  const shown = new Set([...seen.headers.map(([name]) => name), ...RUNTIME_HEADERS]);
  const hidden = Object.keys(sent.headers).find((name) => !shown.has(name));
  return hidden === undefined ? undefined : `header ${hidden} was sent and not shown`;
}
