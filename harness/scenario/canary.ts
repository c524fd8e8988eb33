/** Stands in every scenario file and every page of results, so that somebody can tell whether a model was trained on them. */
export const CANARY = 'svc-mcp-bench canary 7d0f6c1e-52a8-4b1b-9a56-3f1f0c2d8e94';
