import type { Queryable } from '../../data/sql.ts'
import { parsePossiblePhone } from '../../lib/phone.ts'
import * as rows from './unordered.queries.ts'

/** Rows of a person who may have no order. */
export interface Unordered {
  readonly feedbackIds?: readonly string[]
  /** Orders of connected shops, by the id that they have here. */
  readonly shopOrderIds?: readonly string[]
}

/** All that such rows say of people. `ids`: of the rows, and of the shops' orders in their shops. */
export interface UnorderedPeople {
  readonly names: readonly string[]
  readonly phones: readonly string[]
  readonly emails: readonly string[]
  readonly otherEmails: readonly string[]
  readonly addresses: readonly string[]
  readonly ids: readonly string[]
}

const PHONE_KEY = /phone|mobile|^tel$|gsm|whatsapp/i
const EMAIL_KEY = /^(?:[\w-]*[_-])?e-?mail$/i
/** Fields that are read of one order that could not be. */
const FIELDS_MAX = 2_000

/** Reads the phone numbers as E.164 and the e-mail addresses of a row. A number that cannot be read stays as it was typed. */
export function contactsOf({ phones, email, raw }: rows.UnorderedRow, country: string) {
  const sent = raw === null ? { phones: [], emails: [] } : contactsIn(raw)
  return {
    phones: [...phones, ...sent.phones]
      .filter((typed) => /\d{5}/.test(typed.replace(/\D/g, '')))
      .map((typed) => parsePossiblePhone(typed, country) ?? typed),
    emails: [email ?? '', ...sent.emails].filter((address) => address.includes('@')).map((address) => address.toLowerCase()),
  }
}

/** Reads what the fields of any JSON say that are named as a phone number or an e-mail address. */
function contactsIn(raw: unknown) {
  const found: { phones: string[]; emails: string[] } = { phones: [], emails: [] }
  const open: unknown[] = [raw]
  for (let read = 0; read < FIELDS_MAX && open.length > 0; read += 1) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [key, field] of Object.entries(value)) {
      if (typeof field === 'object') open.push(field)
      else if (EMAIL_KEY.test(key)) found.emails.push(String(field))
      else if (PHONE_KEY.test(key)) found.phones.push(String(field))
    }
  }
  return found
}

/** Gathers what rows without an order say of people. */
export async function gatherUnordered(
  sql: Queryable,
  { id, countryCode }: { readonly id: string; readonly countryCode: string },
  { feedbackIds = [], shopOrderIds = [] }: Unordered,
): Promise<UnorderedPeople> {
  const found = [
    ...(feedbackIds.length > 0 ? await rows.readFeedbacks(sql, id, feedbackIds) : []),
    ...(shopOrderIds.length > 0 ? await rows.readShopOrders(sql, id, shopOrderIds) : []),
  ]
  const contacts = found.map((row) => contactsOf(row, countryCode))
  const emails = contacts.flatMap((each) => each.emails)
  const shared = new Set(emails.length > 0 ? await rows.listEmailsOfOrders(sql, id, emails) : [])
  return {
    names: found.map(({ name }) => name ?? ''),
    phones: contacts.flatMap((each) => each.phones),
    emails: emails.filter((email) => !shared.has(email)),
    otherEmails: [...shared],
    addresses: found.map(({ address }) => address ?? ''),
    ids: found.flatMap((row) => [row.id, row.externalId ?? '']),
  }
}
