/** Name of the spec index beside the catalog it belongs to: a router looks for the file and loads nothing that writes it. */
export const SPEC_INDEX_FILE = 'spec-index.sqlite';
