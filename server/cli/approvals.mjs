#!/usr/bin/env node
/** svc-mcp-approvals: approvals of operators, and the write switch, in a terminal. */
import './new-enough.mjs';

await import('./answer-approvals.ts');
