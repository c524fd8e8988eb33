#!/usr/bin/env node
/** svc-mcp-ingest: takes documents into the corpus that search_docs and ask_docs answer from. */
import './new-enough.mjs';
import { keepCompiledCode } from './compile-cache.mjs';

keepCompiledCode();
await import('./ingest-documents.ts');
