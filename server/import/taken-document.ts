import type { JsonObject } from '../catalog/platform-document.ts';

/** One document of an import, as OpenAPI 3. */
export interface TakenDocument {
  /** Plain, unique name; the document's file name without its ending. */
  id: string;
  content: JsonObject;
  /** Operations that it has and that are not in `content`, for their path or what they refer to cannot be used. */
  leftOut: number;
}
