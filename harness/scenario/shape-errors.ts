/** Which of the errors of a schema a reader is told: of a union, where it is clear which form was meant, those of this form. */
import type { ErrorObject } from 'ajv/dist/2020.js';

export function reportedErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf');
  const outermost = errors.filter((error) => !unions.some((union) => isWithin(error, `${union.schemaPath}/`, union)));
  return outermost.flatMap((error) => (error.keyword === 'anyOf' ? formErrors(error, errors) : [error]));
}

/** Errors of the form that fits best by its own fields; the union's where no form, or more than one, comes into question. */
function formErrors(union: ErrorObject, errors: readonly ErrorObject[]): ErrorObject[] {
  const isOwn = ({ instancePath }: ErrorObject): boolean => instancePath === union.instancePath;
  const forms = (union.schema as readonly unknown[])
    .map((_, i) => errors.filter((error) => isWithin(error, `${union.schemaPath}/${i}/`, union)))
    .filter((form) => form.every((error) => !isOwn(error) || ABOUT_FIELDS.has(error.keyword)))
    .map((form) => ({ form, misfits: form.filter(isOwn).length }))
    .sort((a, b) => a.misfits - b.misfits);
  const [first, second] = forms;
  if (first === undefined || first.misfits === second?.misfits) return [union];
  // What a form lacks, the description of the union says better.
  return first.form.some(({ keyword }) => keyword !== 'required') ? reportedErrors(first.form) : [union];
}

/** An object that has the wrong fields may still be of the form. */
const ABOUT_FIELDS = new Set(['additionalProperties', 'required']);

/** The items of a list share the path of the schema, so the place in the file tells them apart. */
const isWithin = ({ schemaPath, instancePath }: ErrorObject, path: string, union: ErrorObject): boolean =>
  schemaPath.startsWith(path) &&
  (instancePath === union.instancePath || instancePath.startsWith(`${union.instancePath}/`));
