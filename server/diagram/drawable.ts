/** A model that can be drawn, or a refusal that points at what is wrong with it. */
import { RouterError } from '../errors.ts';
import { checkModel } from './check-model.ts';
import type { Diagram } from './model.ts';

export function drawable(model: Diagram): Diagram {
  const wrong = checkModel(model).find(({ severity }) => severity === 'error');
  if (wrong === undefined) return model;
  const { pointer, message } = wrong;
  throw new RouterError('ARGUMENTS_INVALID', `\`${pointer}\` ${message}`, {
    details: { pointer, expected: 'a model that design_validate_model finds valid', got: message },
  });
}

/** An exported picture, as every export tool answers it. */
export interface Exported {
  file_name: string;
  media_type: string;
  content: string;
}

export function exported(title: string | undefined, extension: string, media_type: string, content: string): Exported {
  const slug = (title ?? 'diagram')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60);
  return { file_name: `${slug || 'diagram'}.${extension}`, media_type, content };
}
