#!/usr/bin/env node
/** svc-mcp-approvals: approvals of operators, and the write switch, in a terminal. */
import './new-enough.mjs';
import { keepCompiledCode } from './compile-cache.mjs';

keepCompiledCode();
await import('./answer-approvals.ts');
