/** A plain page: what happened, and what to do. */
import { type Frame, fill, page } from './layout.ts';

export interface Problem {
  title: string;
  what: string;
  todo: string;
  /** Path of the approval that it is about. */
  approval?: string | undefined;
}

const BODY = `<p role="alert"><%= it.what %></p><p><%= it.todo %></p><p><% if (it.approval) { %><a href="<%= it.approval %>">To this approval</a> · <% } %><a href="/approvals">To the approvals</a></p>`;

export const problemPage = (problem: Problem, frame?: Frame): string => page(problem.title, fill(BODY, problem), frame);
