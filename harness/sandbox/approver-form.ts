/** The form of a question to the person, and the answer that says yes in it. */

/** The fields that a question wants filled in, as JSON Schema (MCP, elicitation/create). */
export interface AskedForm {
  properties?: Record<string, AskedField>;
  required?: string[];
}

interface AskedField {
  type?: string;
  /** Values to choose from, or the same with titles. */
  enum?: string[];
  enumNames?: string[];
  oneOf?: { const: string; title?: string }[];
  title?: string;
  description?: string;
}

const NO =
  /\b(?:(?:no|not|never|don'?t|den(?:y|ied)|stop|skip|keep)\b|declin|reject|refus|cancel|abort|disallow|disapprov)/i;
const YES =
  /\b(?:(?:y|yes|ok|okay|true|do|go)\b|approv|accept|confirm|allow|agree|proceed|continue|apply|send|submit)/i;

/** What the form cannot do without, and every box that can be ticked. */
export function yesTo({ properties = {}, required = [] }: AskedForm): Record<string, string | boolean> {
  const asked = Object.entries(properties).filter(([name, { type }]) => type === 'boolean' || required.includes(name));
  return Object.fromEntries(asked.map(([name, field]) => [name, field.type === 'boolean' ? true : chosenIn(field)]));
}

/** The choice that reads like a yes, else one that is at least no refusal, else the first. */
function chosenIn({ enum: listed = [], enumNames = [], oneOf }: AskedField): string {
  const choices = oneOf ?? listed.map((value, i) => ({ const: value, title: enumNames[i] }));
  // To a pattern an underscore is a letter.
  const said = choices.map(({ const: value, title = '' }) => ({
    value,
    text: `${value} ${title}`.replaceAll('_', ' '),
  }));
  const open = said.filter(({ text }) => !NO.test(text));
  return (open.find(({ text }) => YES.test(text)) ?? open[0] ?? said[0])?.value ?? 'yes';
}
