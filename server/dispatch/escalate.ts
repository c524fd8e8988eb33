/** Some operations do several things, and one word of their body or of their arguments says which: a set that can also delete. */
import { type Capability, strictness } from '../access/access-policy.ts';
import type { Tool } from '../catalog/tool.ts';
import { destroys } from '../catalog/verbs.ts';

/** The tool as this one call uses it: of a stricter class where the arguments say so, never of a milder one. */
export function asCalled(tool: Tool, values: Readonly<Record<string, unknown>>): Tool {
  const { escalates } = tool;
  if (escalates === undefined) return tool;
  const { field, isArgument } = escalates;
  const said = isArgument ? scalarsIn(values[field]) : [...valuesOf(field, values['body'])];
  const raised = said
    .flatMap((word): [Capability, string][] => {
      if (Object.hasOwn(escalates.values, word)) return [[escalates.values[word] as Capability, word]];
      return escalates.byVerb && destroys(word) ? [['destructive', word]] : [];
    })
    .sort(([a], [b]) => strictness(b) - strictness(a))[0];
  if (raised === undefined || strictness(raised[0]) <= strictness(tool.capability)) return tool;
  const [capability, word] = raised;
  return { ...tool, capability, evidence: { by: 'arguments', detail: `${field}: ${word}` } };
}

/** Every value the field has, however deep, and every word of a list of them: a platform that takes lists reads each entry. */
function* valuesOf(field: string, part: unknown): Generator<string> {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, value] of Object.entries(part)) {
    if (name === field) yield* scalarsIn(value);
    yield* valuesOf(field, value);
  }
}

/** Of one value or a list of them. */
const scalarsIn = (value: unknown): string[] =>
  [value].flat().flatMap((one) => (typeof one === 'object' || one === undefined ? [] : [String(one)]));
