/** plan_tool_workflow: orders steps by their dependencies and lists what each needs. It runs nothing. */
import { isGated, type PrincipalAccess } from '../../../access/access-policy.ts';
import { type Static, Type } from '../../../config/schema.ts';
import { type LocalToolContext, WholeResult } from '../../../dispatch/dispatch-call.ts';
import type { Choice, LocalContext, LocalTool } from '../registry.ts';

const MOST_STEPS = 25;
const Id = Type.String({ minLength: 1, maxLength: 100 });
const Input = Type.Object(
  {
    steps: Type.Array(
      Type.Object(
        {
          id: Id,
          tool: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Exact tool name' })),
          hint: Type.Optional(
            Type.String({ minLength: 1, maxLength: 500, description: 'In place of tool: the step in plain words' }),
          ),
          depends_on: Type.Optional(Type.Array(Id, { maxItems: MOST_STEPS })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MOST_STEPS },
    ),
  },
  { additionalProperties: false },
);

type Step = Static<typeof Input>['steps'][number];

/** Two hits whose scores differ by less than this share of the better one are equally likely. */
const AMBIGUOUS = 0.15;
const CANDIDATES = 3;

export default {
  name: 'plan_tool_workflow',
  backend: 'router',
  toolset: 'router',
  capability: 'read',
  line: 'Plan a workflow of several tool calls: order the steps by what they depend on, without running any.',
  more: 'A step names its tool, or says in plain words what it does; a hint that fits several tools equally well is marked ambiguous.',
  input: Input,
  search: { aliases: ['workflow plan', 'order of steps'], questions: [] },
  open:
    (context) =>
    (args: Static<typeof Input>, { call }: LocalToolContext) => {
      const problems = [...wrongSteps(args.steps), ...wrongLinks(args.steps)];
      const { order, circle } = inOrder(args.steps);
      if (circle.length > 0) problems.push(`the steps ${circle.join(', ')} wait for each other`);
      const steps = order.map((step) => described(step, context, call.access));
      for (const step of steps) if ('problem' in step) problems.push(`${step.id}: ${step.problem}`);
      const ok = problems.length === 0;
      const plan = {
        ok,
        order: order.map(({ id }) => id),
        steps,
        ...(ok ? {} : { problems }),
        next_action: ok
          ? 'run the steps in this order, each through its dispatcher; settle ambiguous ones first'
          : 'correct the problems and plan again; nothing was run',
      };
      return new WholeResult({ kind: 'done', result: plan, outcome: ok ? 'success' : 'error' });
    },
} satisfies LocalTool<Static<typeof Input>>;

function wrongSteps(steps: readonly Step[]): string[] {
  return steps.flatMap(({ id, tool, hint }, i) => [
    ...(steps.findIndex((other) => other.id === id) < i ? [`${id}: another step has this id`] : []),
    ...((tool === undefined) === (hint === undefined) ? [`${id}: should have either tool or hint`] : []),
  ]);
}

function wrongLinks(steps: readonly Step[]): string[] {
  const known = new Set(steps.map(({ id }) => id));
  return steps.flatMap(({ id, depends_on = [] }) =>
    depends_on.filter((other) => !known.has(other)).map((other) => `${id}: there is no step ${JSON.stringify(other)}`),
  );
}

/** Each step comes after all its dependencies, otherwise in the given order. `circle` holds the steps of a cycle. */
function inOrder(steps: readonly Step[]): { order: Step[]; circle: string[] } {
  const known = new Set(steps.map(({ id }) => id));
  const order: Step[] = [];
  const placed = new Set<string>();
  let waiting = [...steps];
  for (;;) {
    const ready = waiting.find(({ depends_on = [] }) => depends_on.every((id) => placed.has(id) || !known.has(id)));
    if (!ready) return { order, circle: waiting.map(({ id }) => id) };
    order.push(ready);
    placed.add(ready.id);
    waiting = waiting.filter((step) => step !== ready);
  }
}

function described(
  { id, tool, hint, depends_on = [] }: Step,
  { choose }: LocalContext,
  access: PrincipalAccess | undefined,
) {
  const step = { id, ...(depends_on.length > 0 ? { depends_on } : {}) };
  const asked = tool ?? hint;
  // Its problem is among those of the whole plan.
  if (asked === undefined) return step;
  const choices = choose(asked, CANDIDATES, access);
  const fitting = tool === undefined ? choices : choices.filter(({ name }) => name === tool);
  const [best, second] = fitting;
  if (!best) {
    const close = tool === undefined ? [] : choices.map(({ name }) => name);
    const what = tool === undefined ? 'no tool fits the hint' : `there is no tool ${JSON.stringify(tool)}`;
    return { ...step, problem: what, ...(close.length > 0 ? { suggestions: close } : {}) };
  }
  const ambiguous = second !== undefined && best.score - second.score < AMBIGUOUS * best.score;
  return {
    ...step,
    ...shown(best),
    ...(ambiguous ? { ambiguous: true, candidates: fitting.map(({ name }) => name) } : {}),
  };
}

function shown({ name, capability, params, open }: Choice) {
  return {
    tool: name,
    capability,
    dispatcher: capability === 'read' ? 'invoke_read_tool' : 'invoke_tool',
    params,
    ...(open ? {} : { gate: 'closed' }),
    ...(isGated(capability) ? { needs: 'a preview, then its plan_token and the person' } : {}),
  };
}
