/** For a sort of published versions: a release comes after its own candidates (Semantic Versioning 2.0.0, section 11). */
export function byVersion(one: string, other: string): number {
  const [[a = '', ...pre], [b = '', ...otherPre]] = [one.split('-'), other.split('-')];
  const inOrder = (x: string, y: string) => x.localeCompare(y, 'en', { numeric: true });
  if (a !== b || pre.length === otherPre.length) return inOrder(one, other);
  return otherPre.length - pre.length;
}
