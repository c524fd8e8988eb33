/** A subject is a server under test, described as data: how to start it, how to point it at the fake, what its tools are for. */
import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false };
const Environment = Type.Record(Type.String(), Type.String());

const PINNED = Type.String({ pattern: '^(@[a-z0-9-]+/)?[a-z0-9.-]+@\\d+\\.\\d+\\.\\d+$' });

const Surface = Type.Object(
  {
    search: Type.Optional(
      Type.Object(
        {
          tool: Type.String(),
          query: Type.Optional(Type.String()),
          words: Type.Optional(Type.Union([Type.Literal('one'), Type.Literal('all')])),
          limit: Type.Optional(Type.String()),
          hits: Type.Optional(Type.String()),
          arguments: Type.Optional(Type.Record(Type.String(), Type.String())),
        },
        closed,
      ),
    ),
    describe: Type.Optional(
      Type.Object(
        {
          tool: Type.String(),
          arguments: Type.Record(Type.String(), Type.String()),
          schema: Type.Optional(Type.String({ pattern: '^\\w+(\\.\\w+)*$' })),
        },
        closed,
      ),
    ),
    invoke: Type.Optional(
      Type.Object({ tool: Type.String(), arguments: Type.Record(Type.String(), Type.String()) }, closed),
    ),
    previews: Type.Optional(Type.Boolean()),
    /** The names of its tools, if its list does not show them and its search states neither method nor path. */
    names: Type.Optional(Type.Literal('operationId')),
    /** What stands before an operationId in each of its tools' names. */
    prefix: Type.Optional(Type.String()),
    /** Arguments without which a change is only previewed; given where the tool takes them. */
    apply: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
    /** Field of an answer that holds the platform's own, beside `ok` or `status_code`. */
    answer: Type.Optional(Type.String()),
  },
  closed,
);

const Citation = Type.String({ pattern: '^[^ :]+:[1-9]\\d*@[0-9a-f]{40}$' });

const EvidenceFile = Type.Object(
  {
    /** Where each tool that agents use is defined. */
    tools: Type.Optional(Type.Record(Type.String(), Citation)),
    /** Where an operation of a document becomes a callable tool, and how it is named. */
    operations: Citation,
    /** The line before which an approver would have been asked, or the one that asks. */
    confirmation: Citation,
    /** Commits that are cited beside the source's own, with the reason. */
    other_commits: Type.Optional(
      Type.Record(Type.String({ pattern: '^[0-9a-f]{40}$' }), Type.String({ minLength: 20 })),
    ),
  },
  closed,
);

export const SubjectFile = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9-]+$' }),
    about: Type.String(),
    /** `working-tree` is this repository's own server; every other subject names a 40-hex commit. */
    source: Type.Union([
      Type.Object({ working_tree: Type.String() }, closed),
      Type.Object(
        {
          git: Type.String(),
          commit: Type.String({ pattern: '^[0-9a-f]{40}$' }),
          /** Commands that make it runnable, one after the other, in its folder. */
          build: Type.Optional(Type.Array(Type.Array(Type.String(), { minItems: 1 }))),
        },
        closed,
      ),
      Type.Object(
        {
          npm: PINNED,
          integrity: Type.String({ pattern: '^sha512-[A-Za-z0-9+/]{86}==$' }),
          repository: Type.String({ pattern: '^https://' }),
          /** Of that version, or the nearest one that can be read, where the registry names none. */
          commit: Type.String({ pattern: '^[0-9a-f]{40}$' }),
          /** Further packages that it needs beside it, each pinned. */
          with: Type.Optional(Type.Array(PINNED)),
        },
        closed,
      ),
      Type.Object(
        {
          /** `<subject>.constraints.txt` beside the file pins its dependencies. */
          pypi: Type.String({ pattern: '^[a-z0-9-]+==\\d+\\.\\d+\\.\\d+$' }),
          sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
          repository: Type.String({ pattern: '^https://' }),
          commit: Type.String({ pattern: '^[0-9a-f]{40}$' }),
        },
        closed,
      ),
    ]),
    /** Why it cannot reach our platforms; such a subject is never started, and every scenario is absent for it. */
    absent: Type.Optional(Type.String()),
    /** The server whose tools the scenarios name, where it is not this one. */
    expected_as: Type.Optional(Type.String()),
    /** `merged`: one document and one address for all platforms, `{document}` and `{api}` in the command line. */
    world: Type.Optional(Type.Literal('merged')),
    /** Of every server that is not ours and is started. */
    evidence: Type.Optional(EvidenceFile),
    /** Run once to its end before anything is started, such as what would else be built by each process for itself. */
    prepare: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    /**
     * Run once to its end before each process, in its folder; `{document}` and `{api}` as in the command line, `{folder}` is one
     * of its own below the subject's.
     */
    lane_prepare: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    /** How it takes a document of somebody else's, where that is another road than the merged world. */
    own_document: Type.Optional(
      Type.Object({ prepare: Type.Array(Type.Array(Type.String(), { minItems: 1 })), env: Environment }, closed),
    ),
    command: Type.Array(Type.String(), { minItems: 1 }),
    transports: Type.Array(Type.Union([Type.Literal('http'), Type.Literal('stdio')]), { minItems: 1 }),
    /** Environment for each transport, each gate configuration, and always. */
    env: Environment,
    transport_env: Type.Object({ http: Type.Optional(Environment), stdio: Type.Optional(Environment) }, closed),
    gate_env: Type.Object({ closed: Environment, open: Environment }, closed),
    /** Differences for a subject with one platform only, by that platform. */
    one_platform_env: Type.Optional(Type.Record(Type.String(), Environment)),
    /**
     * Values of `--mode`, `--profile` and similar options: the variable, and its valid values. `env` has the default.
     */
    settings: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[a-z]+$' }),
        Type.Object({ variable: Type.String(), values: Type.Array(Type.String(), { minItems: 1 }) }, closed),
      ),
    ),
    /** Fields of its answers with random values; recordings hold placeholders for them. */
    opaque: Type.Optional(Type.Array(Type.String())),
    /** Settings under which `tools/list` holds every tool. */
    direct_listing: Type.Optional(Type.Record(Type.String(), Type.String())),
    /**
     * What stands between a write and its effect: a question to the person, an argument of the call that the caller sets, or
     * nothing. Only a write through `none` is a gate absence.
     */
    confirmation: Type.Union([Type.Literal('elicitation'), Type.Literal('argument'), Type.Literal('none')]),
    roles: Type.Optional(
      Type.Object({ discover: Type.String(), dispatch_read: Type.String(), dispatch_any: Type.String() }, closed),
    ),
    /** How agents work it, where it has no such tools. */
    surface: Type.Optional(Surface),
  },
  closed,
);

export type Subject = Static<typeof SubjectFile>;
