/**
 * The credentials file: one section per platform account. Read again when its mtime or inode changed, so a rotated
 * secret needs no restart. Neither a value nor a line of the file ever enters a message.
 */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ClientCertificate } from '../egress/dispatcher.ts';
import { RouterError } from '../errors.ts';
import { fileStamp, NO_FILE } from '../files/file-stamp.ts';
import { type AccountPlatform, checkUrl, filedAddress, namedBy, originOf, statedTokenUrl } from './account-address.ts';
import { type AccountField, FIELDS, type Fields, readSections } from './account-sections.ts';
import { type CertificatePaths, ClientCertificates, certificatePathsOf } from './client-certificate.ts';
import { isPlaceholder } from './placeholder.ts';
import { CREDENTIAL_FIELDS, type CredentialField, OPTIONAL_FIELDS, type PlatformDefinition } from './platform-file.ts';
import { SECRET_FIELDS } from './stray-secrets.ts';

export interface Account {
  section: string;
  baseUrl: string;
  /** Empty where the platform's strategy has no use for it. */
  clientId: string;
  clientSecret: string;
  refreshToken: string;
  apiToken: string;
  username: string;
  password: string;
  workspaceId?: string;
  /** URL of the token endpoint, if the operator names another one than the platform file. */
  tokenUrl?: string;
  /** By which it proves itself at the TLS handshake, where a platform wants that. */
  certificate?: ClientCertificate;
  certificatePaths?: CertificatePaths;
  /** Origins that the operator named for this account: nothing of it is sent anywhere else. */
  origins: ReadonlySet<string>;
}

/** State of the file as `/readyz` reports it. */
export interface CredentialsState {
  path: string;
  exists: boolean;
  loadable: boolean;
  error?: string;
}

export interface AccountState {
  baseUrl?: string;
  /** Fields that are needed and not set. */
  missing: string[];
  /** Fields whose value is an example's. */
  placeholders: string[];
}

/** Fields of a platform that its declared schemes share. */
const CONNECTION = ['base_url', 'client_cert_path', 'client_key_path'] as const;
/** Fields that hold an address. */
const ADDRESSES = ['base_url', 'token_url', 'authorization_url'] as const;

export class CredentialsStore {
  readonly #path: string;
  #overrides: Readonly<Record<string, Readonly<Fields>>>;
  readonly #hold: (secrets: readonly string[]) => void;
  readonly #refused: (error: unknown) => void;
  /** State of the file whose refusal was told. */
  #toldOf: string | undefined;
  #cached: { stamp: string; sections: Record<string, Fields> } | undefined;
  /** Accounts as the sections above have them; the same object until those change. */
  #accounts = new Map<PlatformDefinition['auth'], Account>();
  readonly #certificates = new ClientCertificates();

  /**
   * `hold` is told of every secret of every account, used or not, each time the file was read; `refused` once of each state of
   * the file that cannot be used.
   */
  constructor(
    path: string,
    overrides: Readonly<Record<string, Readonly<Fields>>>,
    hold: (secrets: readonly string[]) => void = () => {},
    refused: (error: unknown) => void = () => {},
  ) {
    this.#path = path;
    this.#overrides = overrides;
    this.#hold = hold;
    this.#refused = refused;
    hold(secretsOf(overrides));
  }

  /** Other values of the environment, because there are other platforms. */
  override(overrides: Readonly<Record<string, Readonly<Fields>>>): void {
    this.#overrides = overrides;
    this.#cached = undefined;
    this.#accounts = new Map();
    this.#hold(secretsOf(overrides));
  }

  /** Reads the file now, so that its secrets are known before anything needs an account. Never throws. */
  readSecrets(): void {
    try {
      this.#sections();
    } catch {
      // The call that needs an account says what is wrong with the file.
    }
  }

  /** The account of a platform, complete and checked. */
  account(platform: AccountPlatform): Account {
    const sections = this.#sections();
    const known = this.#accounts.get(platform.auth);
    if (known !== undefined && this.#isCurrent(known)) return known;
    const account = this.#complete(platform, sections);
    this.#accounts.set(platform.auth, account);
    return account;
  }

  /** By which a platform's account proves itself, whatever else the account lacks. Throws CREDENTIALS_INVALID. */
  certificateOf(platform: AccountPlatform): { certificate: ClientCertificate; paths: CertificatePaths } | undefined {
    const fields = this.#fieldsOf(platform, this.#sections());
    const paths = this.#certificatePathsOf(platform, fields, fields['base_url']?.trim() ?? '');
    return paths && { paths, certificate: this.#certificates.of(paths) };
  }

  #certificatePathsOf({ auth }: AccountPlatform, fields: Fields, baseUrl: string): CertificatePaths | undefined {
    return certificatePathsOf({ section: auth.section, fields, baseUrl, folder: dirname(this.#path) });
  }

  /** A certificate that was renewed makes another account of it. */
  #isCurrent({ certificate, certificatePaths }: Account): boolean {
    return certificatePaths === undefined || this.#certificates.of(certificatePaths) === certificate;
  }

  #complete(platform: AccountPlatform, sections: Record<string, Fields>): Account {
    const { auth } = platform;
    const { section, strategy, variables } = auth;
    const fields = this.#fieldsOf(platform, sections);
    const needed = CREDENTIAL_FIELDS[strategy];
    const optional = OPTIONAL_FIELDS[strategy] ?? [];
    const need = (field: AccountField): string => {
      const value = fields[field]?.trim();
      if (value) return value;
      const variable = variables[field];
      const stated = field === 'base_url' ? platform.stated_base_url : undefined;
      const got =
        stated === undefined
          ? 'nothing'
          : `only ${JSON.stringify(stated)} of the document, which does not decide where credentials go`;
      throw new RouterError(
        'CREDENTIALS_MISSING',
        `\`${field === 'base_url' ? (auth.base_section ?? section) : section}.${field}\` should be set in ${this.#path}${variable ? ` or by ${variable}` : ''}, got ${got}`,
      );
    };
    const ifUsed = (field: CredentialField): string => {
      if (needed.includes(field)) return need(field);
      return optional.includes(field) ? (fields[field]?.trim() ?? '') : '';
    };
    const workspaceId = auth.workspace_header === undefined ? fields['workspace_id']?.trim() : need('workspace_id');
    const baseUrl = checkUrl(need('base_url'), `${section}.base_url`);
    const tokenUrl = fields['token_url']?.trim() || statedTokenUrl(auth, baseUrl, this.#path);
    // A platform's own file always says it; of a declared scheme the document may not.
    if (auth.base_section !== undefined && strategy.startsWith('oauth2-') && auth.token_path === undefined && !tokenUrl)
      need('token_url');
    const certificatePaths = this.#certificatePathsOf(platform, fields, baseUrl);
    return {
      ...(certificatePaths ? { certificatePaths, certificate: this.#certificates.of(certificatePaths) } : {}),
      section,
      baseUrl,
      clientId: ifUsed('client_id'),
      clientSecret: ifUsed('client_secret'),
      refreshToken: ifUsed('refresh_token'),
      apiToken: ifUsed('api_token'),
      username: ifUsed('username'),
      password: ifUsed('password'),
      ...(workspaceId ? { workspaceId } : {}),
      ...(tokenUrl ? { tokenUrl: checkUrl(tokenUrl, `${section}.token_url`) } : {}),
      origins: new Set(
        [baseUrl, tokenUrl ?? '', ...namedBy(platform)].filter((url) => URL.canParse(url)).map(originOf),
      ),
    };
  }

  /** Fields of an account that are missing or still hold a placeholder. It returns names, never values. */
  inspect(platform: AccountPlatform): AccountState {
    const { auth } = platform;
    const fields = this.#fieldsOf(platform, this.#sections());
    const needed: AccountField[] = [
      'base_url',
      ...CREDENTIAL_FIELDS[auth.strategy],
      ...(auth.workspace_header === undefined ? [] : (['workspace_id'] as const)),
    ];
    const baseUrl = fields['base_url']?.trim();
    return {
      ...(baseUrl ? { baseUrl } : {}),
      missing: needed.filter((field) => !fields[field]?.trim()),
      placeholders: FIELDS.filter((field) => isPlaceholder(fields[field] ?? '')),
    };
  }

  #fieldsOf(platform: AccountPlatform, sections: Record<string, Fields>): Fields {
    const { auth } = platform;
    return {
      ...filedAddress(platform),
      ...this.#connectionOf(auth, sections),
      ...sections[auth.section],
      ...this.#overrides[auth.section],
    };
  }

  /** A way of a declared scheme has the address of its platform, and connects to it in the same way. */
  #connectionOf({ base_section }: PlatformDefinition['auth'], sections: Record<string, Fields>): Fields {
    if (base_section === undefined) return {};
    const base = { ...sections[base_section], ...this.#overrides[base_section] };
    return Object.fromEntries(CONNECTION.flatMap((field) => (base[field] === undefined ? [] : [[field, base[field]]])));
  }

  /** For `/readyz`: local state only, of the file as it is at every call. It needs no token, so it reads a file once, not each time. */
  state(): CredentialsState {
    const path = this.#path;
    try {
      statSync(path);
    } catch {
      return { path, exists: false, loadable: false, error: 'credentials file does not exist' };
    }
    try {
      this.checkAddresses();
      return { path, exists: true, loadable: true };
    } catch (error) {
      const known = error instanceof RouterError && error.code === 'CREDENTIALS_INVALID';
      const reason = known ? 'credential configuration is invalid' : error instanceof Error ? error.name : 'Error';
      return { path, exists: true, loadable: false, error: reason };
    }
  }

  /** Throws CREDENTIALS_INVALID, naming the field of the file that should be an address. */
  checkAddresses(): void {
    for (const [section, fields] of Object.entries(this.#sections()))
      for (const field of ADDRESSES) {
        const address = fields[field]?.trim();
        if (address) checkUrl(address, `${section}.${field}`);
      }
  }

  /** `state()`, and whether a served platform that needs credentials has a complete account without example values. */
  readiness(platforms: readonly AccountPlatform[]): CredentialsState {
    const state = this.state();
    const needing = platforms.filter(({ auth }) => auth.strategy !== 'none');
    if (!state.loadable || needing.length === 0 || needing.some((platform) => this.#isUsable(platform))) return state;
    return { ...state, loadable: false, error: 'no served platform has a complete account' };
  }

  #isUsable(platform: AccountPlatform): boolean {
    try {
      this.account(platform);
      return this.inspect(platform).placeholders.length === 0;
    } catch (error) {
      if (error instanceof RouterError) return false;
      throw error;
    }
  }

  #sections(): Record<string, Fields> {
    const stamp = fileStamp(this.#path);
    if (this.#cached?.stamp !== stamp) {
      this.#accounts = new Map();
      // Without a file the environment may still hold a whole account.
      this.#cached = { stamp, sections: stamp === NO_FILE ? {} : this.#read(stamp) };
      this.#hold([...secretsOf(this.#cached.sections), ...secretsOf(this.#overrides)]);
    }
    return this.#cached.sections;
  }

  #read(stamp: string): Record<string, Fields> {
    try {
      return readSections(this.#path);
    } catch (error) {
      if (this.#toldOf !== stamp) this.#refused(error);
      this.#toldOf = stamp;
      throw error;
    }
  }
}

function secretsOf(sections: Readonly<Record<string, Readonly<Fields>>>): string[] {
  return Object.values(sections).flatMap((fields) => [
    ...SECRET_FIELDS.flatMap((field) => {
      const secret = fields[field]?.trim();
      return secret && !isPlaceholder(secret) ? [secret] : [];
    }),
    ...basicPair(fields),
  ]);
}

/** User name and password as HTTP basic sends them: one text in base64 that holds neither at a fixed place. */
function basicPair({ username, password }: Readonly<Fields>): string[] {
  if (!username?.trim() || !password?.trim() || isPlaceholder(password)) return [];
  return [Buffer.from(`${username.trim()}:${password.trim()}`, 'utf8').toString('base64')];
}
