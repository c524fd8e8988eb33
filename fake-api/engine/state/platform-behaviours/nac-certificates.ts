/** Certificates of the policy server: a request that comes in is on the list of requests, one that is signed has its certificate. */
import { addRow, nextNumber } from '../added-row.ts';
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import { sha256 } from '../json-value.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';
import { newId } from '../stored-rows.ts';

const PLATFORM = 'nac';
const DAY_MS = 86_400_000;
const USUAL_DAYS = 365;
const REQUESTS = 'certificate-request';
const CERTIFICATES = 'certificate';
const AUTHORITIES = 'certificate-authority';
const OWNER = 'O=Harbour Campus,C=IE';
/** Object identifier of the common name (X.520) in DER. */
const COMMON_NAME = Buffer.from([0x06, 0x03, 0x55, 0x04, 0x03]);

interface Asked {
  commonName: string;
  type: string;
  keyType: string;
  authority: number;
  days: number;
}

/** The certificate that an authority makes of what was asked for. */
function issued(of: TaskCall, { commonName, type, keyType, authority, days }: Asked): Values {
  const { state } = of;
  const id = nextNumber(state.rows(PLATFORM, CERTIFICATES).all(), 'id');
  const serial = newId(state, PLATFORM, CERTIFICATES).hex(20).toUpperCase();
  addRow(of, CERTIFICATES, [String(id)], {
    id,
    ca_id: authority,
    subject: `CN=${commonName},${OWNER}`,
    serial_number: serial,
    fingerprint: sha256(serial).slice('sha256:'.length),
    valid_from: isoSeconds(state.clock.ms),
    valid_until: isoSeconds(state.clock.ms + days * DAY_MS),
    status: 'valid',
    type,
    key_type: keyType,
    owner: null,
    device_mac: null,
    revoked_at: null,
  });
  const by = state.rows(PLATFORM, AUTHORITIES).get(String(authority));
  if (by !== undefined) changeRow(of, AUTHORITIES, by.id, { issued_count: Number(by.value['issued_count'] ?? 0) + 1 });
  return { certificate_id: id, serial_number: serial };
}

function requested(of: TaskCall, asked: Omit<Asked, 'days' | 'authority'>, authority: number | null): number {
  const now = isoSeconds(of.state.clock.ms);
  const id = nextNumber(of.state.rows(PLATFORM, REQUESTS).all(), 'id');
  addRow(of, REQUESTS, [String(id)], {
    id,
    common_name: asked.commonName,
    type: asked.type,
    key_type: asked.keyType,
    san: [],
    organisation: null,
    country: null,
    challenge_password_configured: false,
    ca_id: authority,
    status: authority === null ? 'requested' : 'signed',
    requested_at: now,
    decided_at: authority === null ? null : now,
  });
  return id;
}

/** Request and signature in one step. */
function made(of: TaskCall): Values {
  const { common_name: name, type, key_type: keyType = 'rsa-2048', ca_id: authority } = of.input;
  const asked = { commonName: String(name), type: String(type), keyType: String(keyType) };
  const usual = of.state.rows(PLATFORM, AUTHORITIES).get(String(authority))?.value['validity_days'];
  requested(of, asked, Number(authority));
  return issued(of, { ...asked, authority: Number(authority), days: Number(usual ?? USUAL_DAYS) });
}

function imported(of: TaskCall): Values {
  const { csr, type } = of.input;
  const commonName = commonNameIn(String(csr)) ?? 'unnamed';
  const id = requested(of, { commonName, type: String(type), keyType: 'rsa-2048' }, null);
  return { request_id: id, subject: `CN=${commonName}` };
}

/** The common name that a PKCS #10 request carries (RFC 2986); null for a text that carries none. */
function commonNameIn(pem: string): string | null {
  const der = Buffer.from(pem.replaceAll(/-----[A-Z ]+-----/g, ''), 'base64');
  const found = der.indexOf(COMMON_NAME);
  const from = found + COMMON_NAME.length + 2;
  const length = found < 0 ? undefined : der[from - 1];
  return length === undefined || length === 0 ? null : der.toString('utf8', from, from + length);
}

/** A request that was signed before has its certificate already. */
function signed(of: TaskCall, request: Subject | null): Values {
  if (request === null || request.values['status'] === 'signed') return {};
  const { common_name: name, type, key_type: keyType } = request.values;
  const { ca_id: authority, validity_days: days = USUAL_DAYS } = of.input;
  const { serial_number: serial } = issued(of, {
    commonName: String(name),
    type: String(type),
    keyType: String(keyType),
    authority: Number(authority),
    days: Number(days),
  });
  return { certificate_serial: serial };
}

/** By operation id. */
const DEEDS: ReadonlyMap<string, (of: TaskCall, request: Subject | null) => Values> = new Map([
  ['issueCertificate', made],
  ['importCertificateRequest', imported],
  ['signCertificateRequest', signed],
]);

export function deedOnCertificates(of: TaskCall, request: Subject | null): Values {
  return DEEDS.get(of.operationId)?.(of, request) ?? {};
}
