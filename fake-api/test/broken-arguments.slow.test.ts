/** Every operation that takes an argument refuses a broken one: with a 4xx it declares, in its error body, by name. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { strictCheck } from '../engine/openapi/validators.ts';
import { listPlatforms } from '../expand/model/platforms-folder.ts';
import { type BrokenCall, brokenCalls } from './broken-call.ts';
import { misfit, refusedInside } from './carried-out.ts';
import { fixtureCall, ROWS_TRIED } from './fixture-call.ts';
import { type Installation, shippedInstallation } from './full-installation.ts';
import { type Answered, PlatformClient, servedOperations } from './platform-client.ts';

const ids = await listPlatforms();
let installation: Installation;

beforeAll(async () => {
  installation = await shippedInstallation();
});

/** Null when the refusal is as the platform declares it. */
function objection(client: PlatformClient, operation: Operation, call: BrokenCall, answer: Answered): string | null {
  const told = answer.body.slice(0, 240);
  if (operation.outcome !== null && answer.status < 300) {
    if (!refusedInside(operation, answer)) return `expected a refusal inside, got ${told}`;
    const unfit = misfit(operation, answer);
    if (unfit !== null) return unfit;
  } else {
    if (!call.statuses.includes(answer.status))
      return `expected ${call.statuses.join(' or ')}, got ${answer.status} ${told}`;
    const declared = operation.responses[String(answer.status)];
    if (declared === undefined) return `${answer.status} is not declared`;
    const { media } = client.platform.errors;
    if (answer.headers['content-type'] !== media) return `expected ${media}, got ${answer.headers['content-type']}`;
    const schema = declared.content?.[media]?.schema;
    if (schema === undefined) return `${answer.status} declares no ${media}`;
    const found = strictCheck(operation.document, schema)(/json/.test(media) ? answer.json : answer.body);
    if (found !== null)
      return `${answer.status}, body at ${found.pointer}: expected ${found.expected}, got ${found.got}`;
  }
  const isNamed = call.names.some((name) => answer.body.includes(JSON.stringify(name).slice(1, -1)));
  return isNamed ? null : `expected the answer to name ${call.names.join(' or ')}, got ${told}`;
}

describe.each(ids)('a broken argument to an operation of %s', (id) => {
  it('is refused with a declared 4xx that fits and names it', () => {
    // A refusal changes nothing, so one namespace serves for all of them; that nothing changed is asked at the end.
    const client = new PlatformClient(installation, id);
    const before = client.state.hash();
    const wrong: string[] = [];
    const judged = new Set<string>();
    for (const operation of servedOperations(client.platform)) {
      let call = null;
      for (let at = 0; at < ROWS_TRIED && call === null; at += 1)
        call = fixtureCall(client.platform, client.state, operation, at);
      if (call === null) continue;
      for (const broken of brokenCalls(client.platform, client.state, operation, call)) {
        judged.add(operation.id);
        const problem = objection(client, operation, broken, client.send(broken));
        if (problem !== null) wrong.push(`${operation.id} (${broken.place}: ${broken.broken}): ${problem}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(client.state.hash()).toBe(before);
    const takers = servedOperations(client.platform).filter(
      ({ parameters, body }) => parameters.length > 0 || body !== null,
    );
    expect(takers.filter((operation) => !judged.has(operation.id)).map((operation) => operation.id)).toEqual([]);
  });
});
