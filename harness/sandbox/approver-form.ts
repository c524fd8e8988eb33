/** The form of a question to the person, and the answer that says yes in it. */

/** The fields that a question wants filled in, as JSON Schema (MCP, elicitation/create). */
export interface AskedForm {
  properties?: Record<string, AskedField>;
  required?: string[];
}

interface AskedField {
  type?: string;
  default?: string | number | string[];
  minimum?: number;
  title?: string;
  description?: string;
  /** Values to choose from, or the same with titles. */
  enum?: string[];
  enumNames?: string[];
  oneOf?: Choice[];
  /** Of a list the values that it may hold. */
  items?: { enum?: string[]; anyOf?: Choice[] };
}

interface Choice {
  const: string;
  title?: string;
}

export type FormValue = string | number | boolean | string[];

const NO =
  /\b(?:(?:no|not|never|don'?t|den(?:y|ied)|stop|skip|keep)\b|declin|reject|refus|cancel|abort|disallow|disapprov)/i;
const YES =
  /\b(?:(?:y|yes|ok|okay|true|do|go)\b|approv|accept|confirm|allow|agree|proceed|continue|apply|send|submit)/i;

/** What the form cannot do without, and every box that can be ticked. */
export function yesTo({ properties = {}, required = [] }: AskedForm): Record<string, FormValue> {
  const asked = Object.entries(properties).filter(([name, { type }]) => type === 'boolean' || required.includes(name));
  return Object.fromEntries(asked.map(([name, field]) => [name, valueFor(field)]));
}

function valueFor(field: AskedField): FormValue {
  const { type, items } = field;
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return field.default ?? field.minimum ?? 1;
  if (type === 'array') return field.default ?? chosenIn(items?.enum ?? [], [], items?.anyOf);
  const [chosen = field.default ?? 'yes'] = chosenIn(field.enum ?? [], field.enumNames ?? [], field.oneOf);
  return chosen;
}

/** The choice that reads like a yes, else one that is at least no refusal, else the first; empty where nothing is to choose from. */
function chosenIn(
  listed: readonly string[],
  titles: readonly string[],
  titled: readonly Choice[] | undefined,
): string[] {
  const choices = titled ?? listed.map((value, i): Choice => ({ const: value, title: titles[i] ?? '' }));
  // To a pattern an underscore is a letter.
  const said = choices.map(({ const: value, title = '' }) => ({
    value,
    text: `${value} ${title}`.replaceAll('_', ' '),
  }));
  const open = said.filter(({ text }) => !NO.test(text));
  const first = open.find(({ text }) => YES.test(text)) ?? open[0] ?? said[0];
  return first === undefined ? [] : [first.value];
}
