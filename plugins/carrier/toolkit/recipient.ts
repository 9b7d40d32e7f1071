import type { Shipment, Warning } from '../contract.ts'
import { localPhones, refuse } from './algeria.ts'

type Recipient = Shipment['recipient']

/** Returns the recipient's name as entered; refuses a missing one. */
export function nameOf({ name }: Pick<Recipient, 'name'>): string {
  return name.trim() || refuse('bad_name', 'The recipient has no name. Add one.')
}

/** Splits the name for a carrier with two name fields: the first word, and the rest. A single word is used for both. */
export function twoNames(recipient: Pick<Recipient, 'name'>): { first: string; rest: string } {
  const [first = '', ...others] = nameOf(recipient).split(/\s+/)
  return { first, rest: others.join(' ') || first }
}

/** Phone numbers of a recipient. */
export interface Phones {
  readonly first: string
  /** Further numbers without duplicates; those of `phone` come before those of `phoneAlt`. */
  readonly others: readonly string[]
  /** Contains a warning if `phoneAlt` has no valid number. */
  readonly warnings: Warning[]
}

/** Returns the recipient's Algerian numbers in the format of `localPhones`. Refuses a `phone` without a valid number. */
export function phonesOf({ phone, phoneAlt = '' }: Recipient): Phones {
  const [own, alternative] = [localPhones(phone), localPhones(phoneAlt)]
  if (own.length === 0) refuse('bad_phone', `"${phone}" is not an Algerian telephone number. Write it like 0550000000.`)
  const [first = '', ...others] = new Set([...own, ...alternative])
  const isUnreadable = phoneAlt.trim() !== '' && alternative.length === 0
  return {
    first,
    others,
    warnings: isUnreadable ? [droppedPhoneWarning('The second telephone number is not Algerian and was not sent.')] : [],
  }
}

/** Returns at most two numbers, for a carrier with two fields, and a warning about others. */
export function twoPhones(recipient: Recipient, label: string): { first: string; second?: string; warnings: Warning[] } {
  const { first, others, warnings } = phonesOf(recipient)
  const [second, ...rest] = others
  const isDropped = rest.length > 0 || warnings.length > 0
  return {
    first,
    ...(second !== undefined && { second }),
    warnings: isDropped ? [droppedPhoneWarning(`${label} takes two Algerian telephone numbers; others were not sent.`)] : [],
  }
}

const droppedPhoneWarning = (message: string): Warning => ({ code: 'phone_alt_dropped', message })
