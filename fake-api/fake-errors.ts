/**
 * Every coded error of the fake as a program. What the imitated platform answers to a client is not here: that is a
 * `Refusal` and travels as an HTTP answer.
 */

interface ErrorEntry {
  /** `%field%` is replaced by the detail of that name. */
  message: string;
  remedy: string;
  /** Exit code of `main.ts`: 2 the caller asked for something impossible, 3 the surroundings refuse. */
  exitCode: 2 | 3;
}

export const ERRORS = {
  FAKE_USAGE: {
    message: '%problem%',
    remedy: 'node fake-api/main.ts --help lists the options',
    exitCode: 2,
  },
  FAKE_UNKNOWN_PLATFORM: {
    message: 'platform should be one of %known%, got "%platform%"%near%',
    remedy: 'name an existing platform, or add its folder under fake-api/platforms/',
    exitCode: 2,
  },
  FAKE_UNKNOWN_BUNDLE: {
    message: 'fixture should be one of %known%, got "%bundle%"',
    remedy: 'name an existing bundle, or add a folder with bundle.yaml under fake-api/fixtures/',
    exitCode: 2,
  },
  FAKE_PORT_IN_USE: {
    message: '%purpose% port should be free, got %host%:%port% already in use',
    remedy: 'stop the program that listens there, or choose another port (0 picks a free one)',
    exitCode: 3,
  },
  FAKE_LISTEN_FAILED: {
    message: '%purpose% port %host%:%port% could not be opened: %problem%',
    remedy: 'check the host name and that this user may listen on that port',
    exitCode: 3,
  },
  DOCUMENT_INVALID: {
    message: 'document %document%: %at% should be %expected%, got %got%',
    remedy: 'correct the model and expand it again with node fake-api/expand/expand-models.ts',
    exitCode: 3,
  },
  DOCUMENTS_MISSING: {
    message: 'platform "%platform%" should have at least one OpenAPI document, got none in %place%',
    remedy: 'node fake-api/expand/expand-models.ts',
    exitCode: 3,
  },
  FOREIGN_DOCUMENT_UNREADABLE: {
    message: 'document %document% should be a UTF-8 text in JSON or YAML, got %got%',
    remedy: 'correct the file or give another one; the other platforms are served without it',
    exitCode: 2,
  },
  FOREIGN_DOCUMENT_INVALID: {
    message: 'document %document%: %at% should be %expected%, got %got%',
    remedy: 'correct the document; the other platforms are served without it',
    exitCode: 2,
  },
  FIXTURE_UNREADABLE: {
    message: '%file% should be a readable YAML file, got: %problem%',
    remedy: 'correct the file at the position named',
    exitCode: 3,
  },
  FIXTURE_INVALID: {
    message: '%file%: object %object%, field %field%: expected %expected%, got %got%',
    remedy: 'correct the fixture; every object must fit its read schema and every reference must exist',
    exitCode: 3,
  },
  FAKE_UNKNOWN_INCIDENT: {
    message: 'incident should be one of %known%, got "%incident%"',
    remedy: 'name an existing incident, or add its file under fake-api/fixtures/incidents/',
    exitCode: 2,
  },
  INCIDENT_INVALID: {
    message: '%file%:%line%: field %field%: expected %expected%, got %got%',
    remedy: 'correct the incident at that line, or start it in a fixture that has the rows it speaks of',
    exitCode: 2,
  },
  CONTROL_UNREACHABLE: {
    message: 'a running fake should listen at %url%, got %problem%',
    remedy: 'start one with npm run fake, or name its control port with --control',
    exitCode: 3,
  },
  CONTROL_REFUSED: {
    message: '%problem%',
    remedy: 'npm run fake -- incident list shows the incidents and which of them run',
    exitCode: 2,
  },
} as const satisfies Record<string, ErrorEntry>;

export type FakeErrorCode = keyof typeof ERRORS;
export type ErrorDetails = Record<string, string | number>;

/** A surprise inside the fake: keeps its cause and says what to do next. */
export class FakeApiError extends Error {
  readonly code: FakeErrorCode;
  readonly details: ErrorDetails;
  readonly remedy: string;
  readonly exitCode: number;

  constructor(code: FakeErrorCode, details: ErrorDetails, options: { cause?: unknown } = {}) {
    const entry = ERRORS[code];
    const text = entry.message.replace(/%(\w+)%/g, (_, name: string) => String(details[name] ?? `(${name})`));
    super(`${code}: ${text}. Remedy: ${entry.remedy}`, options);
    this.name = 'FakeApiError';
    this.code = code;
    this.details = details;
    this.remedy = entry.remedy;
    this.exitCode = entry.exitCode;
  }
}
