/** A resource that passes every lint, as lines to add to or to change; with a second field that tells one from another, and plain. */
import { expandPlatform, type OpenApiDocument } from '../../expand/assemble-document.ts';
import { operationsOf } from '../../expand/lint/endpoint-count.ts';
import { documentWith, smallPlatform } from './small-model.ts';

export const plainCables = [
  'cables:',
  '  noun: [cable, cables]',
  '  aliases: [patch lead]',
  '  questions: [which cables lie here]',
  '  distinguish: copper or fibre between two sockets; the sockets themselves are ports',
  '  where: of the whole building',
  '  impact: the two ends lose each other',
  '  key: label str(1..9) -- Text on the sleeve',
  '  ops: crud',
  '  fields:',
  '    length: num(0..500)! list -- Metres from plug to plug',
  '    medium: enum(copper|fibre) -- What carries the signal',
  '    colour: enum(red|blue|grey) -- Sheath',
].join('\n');

export const cables = plainCables.replace(
  'fields:\n',
  'fields:\n    barcode: str(4..12)! uniq -- Number under the bars\n',
);

export function expandCables(lines: string, style = 'profile'): OpenApiDocument {
  const text = documentWith(lines, `style: ${style}`);
  return expandPlatform(smallPlatform(text)).find(({ name }) => name === 'small')!.document;
}

/** `operationId method path` of the operations whose id fits. */
export function linesOf(document: OpenApiDocument, fitting: RegExp): string[] {
  return operationsOf(document)
    .map(({ method, path, operation }) => `${String(operation['operationId'])} ${method} ${path}`)
    .filter((line) => fitting.test(line))
    .sort();
}
