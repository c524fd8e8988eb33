/** Paths that end in a parameter, in the forms that platforms write them: `/x/{id}`, `/x/{id}/`, `/x/{id}.json`, `/x({id})`. */

const ITEM = /^(.*?)(?:\/\{[^{}/]+\}|\('?\{[^{}/]+\}'?\))(\/|\.[A-Za-z]{3,4})?$/;

export const isItemPath = (template: string): boolean => ITEM.test(template);

/** Where the collection of an item may stand, the most likely first; none for a path that is no item. */
export function collectionsOf(template: string): string[] {
  const [, above, ending = ''] = ITEM.exec(template) ?? [];
  if (above === undefined || above === '') return [];
  return ending === '' ? [above, `${above}/`] : [above + ending, above];
}

/** Whether a path is that of the items of another one. */
export const isDirectlyBelow = (template: string, below: string): boolean =>
  below.startsWith(`${template}/`) && /^\{[^{}/]+\}$/.test(below.slice(template.length + 1));

/** The last literal words of a path without its ending: `tax-rates` of `/tax-rates/{id}.json`. */
export function nounOf(template: string): string {
  const segments = template.split('/').map((segment) => segment.replace(/\(.*$/, '').replace(/\.[a-z]{3,4}$/i, ''));
  return segments.findLast((segment) => segment !== '' && !/[{}]/.test(segment) && !/^v\d+$/.test(segment)) ?? '';
}

export function singularOfNoun(noun: string): string {
  return noun
    .replace(/ies$/i, 'y')
    .replace(/(?<=(?:ss|x|ch|sh|us))es$/i, '')
    .replace(/(?<!s)s$/i, '');
}
